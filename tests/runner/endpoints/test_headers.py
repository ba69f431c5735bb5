"""What a server says of its limits, in all the spellings that were seen."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.endpoints.headers import Limits, Quota, limits

NOW = datetime(2027, 3, 4, 10, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("20", 20.0),
        ("1.5", 1.5),
        (" 2 ", 2.0),
        ("0", 0.0),
        ("Thu, 04 Mar 2027 10:00:20 GMT", 20.0),
        ("Thursday, 04-Mar-27 10:00:20 GMT", 20.0),
        ("Thu Mar  4 10:00:20 2027", 20.0),
        ("Thu, 04 Mar 2027 09:59:00 GMT", 0.0),
        ("-3", None),
        ("soon", None),
        ("", None),
        ("1e9", None),
        ("nan", None),
        ("inf", None),
        ("٣", None),
        ("99999999999999999999", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_nothing_else(value: str, seconds: float | None) -> None:
    assert limits({"Retry-After": value}, NOW).retry_after_s == seconds


def test_milliseconds_are_the_more_exact_word() -> None:
    assert limits({"retry-after-ms": "1500", "retry-after": "2"}, NOW).retry_after_s == 1.5


@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("17ms", 0.017),
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("1h2m3.5s", 3723.5),
        ("1d", 86400.0),
        ("2m", 120.0),
        ("12", 12.0),
        ("0.25", 0.25),
        ("1804154430", 30.0),
        ("1804154430000", 30.0),
        ("2027-03-04T10:00:30Z", 30.0),
        ("2027-03-04T11:00:30+01:00", 30.0),
        ("17 ms", None),
        ("m", None),
        ("-1s", None),
    ],
)
def test_a_reset_in_every_spelling(reset: str, seconds: float | None) -> None:
    said = limits({"x-ratelimit-reset-requests": reset}, NOW).requests.reset_s
    assert said == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    "fields",
    [
        {
            "x-ratelimit-limit-requests": "100",
            "x-ratelimit-remaining-requests": "7",
            "x-ratelimit-reset-requests": "30s",
        },
        {"X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "30"},
        {
            "anthropic-ratelimit-requests-limit": "100",
            "anthropic-ratelimit-requests-remaining": "7",
            "anthropic-ratelimit-requests-reset": "2027-03-04T10:00:30Z",
        },
        {"RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "7", "RateLimit-Reset": "30"},
        {"RateLimit": "limit=100, remaining=7, reset=30"},
        {"RateLimit-Policy": '"default";q=100;w=60', "RateLimit": '"default";r=7;t=30'},
        {
            "x-ratelimit-limit-requests-minute": "100",
            "x-ratelimit-remaining-requests-minute": "7",
            "x-ratelimit-reset-requests-minute": "30",
        },
    ],
    ids=["openai", "plain", "anthropic", "ietf fields", "ietf one field", "ietf structured", "with its window"],
)
def test_a_quota_of_requests_in_every_spelling(fields: dict[str, str]) -> None:
    assert limits(fields, NOW).requests == Quota(limit=100, remaining=7, reset_s=30, blur_s=1)


@pytest.mark.parametrize(
    ("reset", "whole"),
    [
        ("12", True),
        ("6m0s", True),
        ("1804154430", True),
        ("1804154430000", True),
        ("2027-03-04T10:00:30Z", True),
        ("Thu, 04 Mar 2027 10:00:20 GMT", True),
        ("17ms", False),
        ("8.64s", False),
        ("0.25", False),
        ("1804154430250", False),
        ("1804154430.25", False),
        ("2027-03-04T10:00:30.251Z", False),
    ],
)
def test_a_reset_in_whole_seconds_may_have_been_rounded(reset: str, whole: bool) -> None:
    assert limits({"x-ratelimit-reset": reset}, NOW).requests.blur_s == (1.0 if whole else 0.0)


@pytest.mark.parametrize(
    ("date", "reset", "seconds", "blur_s"),
    [
        ("Thu, 04 Mar 2027 09:59:20 GMT", "2027-03-04T10:00:30.251Z", 69.751, 0.5),
        ("Thu, 04 Mar 2027 09:59:20 GMT", "2027-03-04T10:00:30Z", 69.5, 1.5),
        ("Thu, 04 Mar 2027 10:00:40 GMT", "1804154430000", 0.0, 1.5),
        ("Thu, 04 Mar 2027 11:00:20 +0100", "1804154430.25", 9.75, 0.5),
        ("Thu, 04 Mar 2027 09:59:20 GMT", "30", 30.0, 1.0),
        ("Thu, 04 Mar 2027 09:59:20 GMT", "6m0.5s", 360.5, 0.0),
        ("now", "2027-03-04T10:00:30.251Z", 30.251, 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "2027-03-04T10:00:30.251Z", 0.0, 0.5),
    ],
)
def test_a_moment_is_one_of_the_clock_that_the_date_beside_it_shows(
    date: str, reset: str, seconds: float, blur_s: float
) -> None:
    """Our own clock may be seconds off the server's."""
    found = limits({"date": date, "x-ratelimit-reset": reset}, NOW).requests
    assert (found.reset_s, found.blur_s) == (pytest.approx(seconds), blur_s)


def test_a_retry_after_that_is_a_date_is_waited_for_to_the_end_of_its_second() -> None:
    fields = {"Date": "Thu, 04 Mar 2027 09:59:20 GMT", "Retry-After": "Thu, 04 Mar 2027 09:59:25 GMT"}
    assert limits(fields, NOW).retry_after_s == 5.0


def test_tokens_are_a_quota_of_their_own() -> None:
    said = limits({"x-ratelimit-limit-tokens": "9000", "x-ratelimit-remaining-tokens": "0"}, NOW)
    assert (said.tokens.limit, said.tokens.remaining, said.requests) == (9000, 0, Quota())


def test_without_retry_after_the_wait_is_until_a_spent_quota_is_whole() -> None:
    spent, left = Quota(remaining=0, reset_s=5.0), Quota(remaining=3, reset_s=50.0)
    assert Limits(requests=spent, tokens=left).wait_s == 5.0
    assert Limits(retry_after_s=2.0, requests=spent).wait_s == 2.0
    assert Limits(requests=left).wait_s is None


@given(
    st.dictionaries(
        st.sampled_from(
            ["date", "retry-after", "retry-after-ms", "x-ratelimit-reset", "ratelimit", "x-ratelimit-remaining"]
        ),
        st.text(max_size=30),
    )
)
def test_no_value_breaks_the_parser_or_makes_a_negative_wait(fields: dict[str, str]) -> None:
    assert (limits(fields, NOW).wait_s or 0.0) >= 0.0
