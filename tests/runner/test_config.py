"""Settings: nothing is assumed, and a key goes only where it belongs."""

from __future__ import annotations

import msgspec
import pytest

from corpora.corpus import load
from corpora.errors import BadInput
from runner.addresses import HOW_TO_NAME_AN_ENDPOINT
from runner.config import resolve
from runner.flags import RunFlags
from runner.secrets import Secret
from runner.selection import select

REFUNDS = load("refunds")
HERE = {"BASE_URL": "http://127.0.0.1:1/v1", "MODEL": "m"}


def key_of(flags: RunFlags, environ: dict[str, str]) -> str | None:
    key = resolve(REFUNDS, flags, environ).endpoint.key
    return key and key.reveal()


def test_a_secret_shows_itself_only_when_asked() -> None:
    secret = Secret("sk-4711")
    assert "4711" not in f"{secret} {secret!r} {[secret]}"
    assert secret.reveal() == "sk-4711"
    assert secret == Secret("sk-4711")
    assert secret != Secret("other")
    assert len({secret, Secret("sk-4711")}) == 1
    with pytest.raises(TypeError):
        msgspec.json.encode(secret)


@pytest.mark.parametrize(
    ("flags", "environ", "key"),
    [
        pytest.param({}, HERE | {"API_KEY": "a"}, "a", id="plain family"),
        pytest.param({}, HERE | {"OPENAI_API_KEY": "o"}, None, id="another family's key stays at home"),
        pytest.param({}, {"OPENAI_BASE_URL": "https://o/v1", "OPENAI_API_KEY": "o", "MODEL": "m"}, "o", id="openai"),
        pytest.param(
            {},
            HERE | {"API_KEY": "a", "OPENAI_BASE_URL": "https://o/v1", "OPENAI_API_KEY": "o"},
            "a",
            id="the plain family comes first",
        ),
        pytest.param({"base_url": "http://else/v1"}, HERE | {"API_KEY": "a"}, None, id="a flag's URL has no family"),
        pytest.param({"base_url": HERE["BASE_URL"] + "/"}, HERE | {"API_KEY": "a"}, "a", id="unless it is the same"),
        pytest.param(
            {"base_url": "http://else/v1", "api_key_env": "MINE"}, HERE | {"MINE": " k\n"}, "k", id="a flag names it"
        ),
        pytest.param({}, HERE | {"API_KEY": ""}, None, id="an empty variable is not set"),
    ],
)
def test_a_key_goes_only_to_its_own_family(flags, environ, key) -> None:
    assert key_of(RunFlags(**flags), environ) == key


def test_what_is_never_written_down_is_the_key_and_every_header_field() -> None:
    flags = RunFlags(api_key_env="MINE", headers=("X-Org=env:ORG", "X-Team=env:TEAM"))
    endpoint = resolve(REFUNDS, flags, HERE | {"MINE": "k", "ORG": "o", "TEAM": "t"}).endpoint
    assert [secret.reveal() for secret in endpoint.secrets] == ["k", "o", "t"]
    assert resolve(REFUNDS, RunFlags(), HERE).endpoint.secrets == ()


def test_a_key_that_stays_at_home_is_said() -> None:
    config = resolve(REFUNDS, RunFlags(base_url="http://else/v1"), HERE | {"API_KEY": "a"})
    assert config.notes == (
        "API_KEY is set and not sent: it belongs to another base URL; --api-key-env API_KEY sends it",
    )


def test_that_a_limit_does_not_pace_an_agent_is_said() -> None:
    said = (
        "--rpm and --tpm do not pace --agent, which sends its requests itself; -j limits how many samples it plays",
    )
    assert resolve(REFUNDS, RunFlags(agent="mine:agent", rpm=60.0), HERE).notes == said
    assert resolve(REFUNDS, RunFlags(agent="mine:agent", tpm=60.0), HERE).notes == said
    assert resolve(REFUNDS, RunFlags(agent="mine:agent"), HERE).notes == ()
    assert resolve(REFUNDS, RunFlags(rpm=60.0), HERE).notes == ()


NO_URL = "--base-url: expected http://HOST[:PORT]/PATH or https://…"


@pytest.mark.parametrize(
    ("flags", "environ", "sentence"),
    [
        pytest.param({}, {}, HOW_TO_NAME_AN_ENDPOINT, id="no endpoint"),
        pytest.param({}, {"OPENAI_API_KEY": "o", "MODEL": "m"}, HOW_TO_NAME_AN_ENDPOINT, id="a key is no endpoint"),
        pytest.param({}, {"BASE_URL": "http://h"}, "no model is named: give --model NAME or set MODEL", id="no model"),
        pytest.param(
            {"base_url": "h:8080/v1", "model": "m"}, {}, f"{NO_URL}, found the scheme 'h'", id="host for scheme"
        ),
        pytest.param({"base_url": "10.0.0.1:8080/v1", "model": "m"}, {}, f"{NO_URL}, found no scheme", id="no scheme"),
        pytest.param(
            {"base_url": "ftp://u:pw@h", "model": "m"}, {}, f"{NO_URL}, found the scheme 'ftp'", id="another scheme"
        ),
        pytest.param({"base_url": "http:///v1", "model": "m"}, {}, f"{NO_URL}, found no host", id="no host"),
        pytest.param({"base_url": "http://h:0", "model": "m"}, {}, f"{NO_URL}, found port 0", id="port 0"),
        *(
            pytest.param(
                {"base_url": url, "model": "m"}, {}, f"{NO_URL}, found a character that stands in no URL", id=id_
            )
            for id_, url in {"backslash": "http://h\\v1", "control": "http://h/\x01", "delete": "http://h/\x7f"}.items()
        ),
        pytest.param(
            {"base_url": "http://h:notaport", "model": "m"},
            {},
            f"{NO_URL}, found a host or port that is none",
            id="no port",
        ),
        pytest.param(
            {"base_url": "http://[::1/v1", "model": "m"},
            {},
            f"{NO_URL}, found a host or port that is none",
            id="no host in brackets",
        ),
        pytest.param(
            {"api_key_env": "MINE"},
            HERE,
            "the environment has no MINE; set it to the key, or name another by --api-key-env",
            id="named key not set",
        ),
        pytest.param(
            {"api_key_env": "sk-in-the-open"},
            HERE,
            "--api-key-env: expected the name of a variable that holds the key, not the key",
            id="a key for the name of its variable",
        ),
        pytest.param(
            {},
            HERE | {"API_KEY": "two words"},
            "the value of API_KEY is no key: it holds characters that no header can carry",
            id="key with a space",
        ),
        pytest.param(
            {"strata": ("nope",)},
            HERE,
            "--stratum: 'nope' is not in the corpus; it has determined, ambiguous, unrecoverable, absent",
            id="unknown stratum",
        ),
        pytest.param(
            {"strata": ("absent",), "fixtures": ("det-001",)},
            HERE,
            "--stratum and --fixture together leave no fixture",
            id="filters leave nothing",
        ),
    ],
)
def test_what_cannot_be_used_is_one_sentence(flags, environ, sentence) -> None:
    with pytest.raises(BadInput) as caught:
        resolve(REFUNDS, RunFlags(**flags), environ)
    assert str(caught.value) == sentence


def test_an_unknown_fixture_lists_only_the_first_of_many() -> None:
    with pytest.raises(BadInput, match=r"'x' is not in the corpus; it has det-001, .*, …$"):
        select(REFUNDS, (), ("x",), None)


def test_flags_win_over_the_corpus_and_the_corpus_over_nothing() -> None:
    study = resolve(REFUNDS, RunFlags(), HERE).study
    assert (study.temperature, study.samples, study.max_turns, study.seed, study.max_tokens) == (0.7, 3, 4, None, None)
    flags = RunFlags(temperature=0.0, samples=9, max_turns=1, seed=0, max_tokens=50, tool_choice="required")
    study = resolve(REFUNDS, flags, HERE).study
    assert (study.temperature, study.samples, study.max_turns, study.seed, study.max_tokens) == (0.0, 9, 1, 0, 50)
    assert study.tool_choice == "required"


def test_serial_is_one_in_flight() -> None:
    assert resolve(REFUNDS, RunFlags(serial=True, concurrency=16), HERE).concurrency == 1
    assert resolve(REFUNDS, RunFlags(concurrency=16), HERE).concurrency == 16


def test_a_limit_leaves_no_stratum_out_and_keeps_the_corpus_order() -> None:
    chosen = select(REFUNDS, (), (), 8)
    assert chosen is not None
    by_id = REFUNDS.by_id()
    assert [by_id[name].stratum for name in chosen] == [name for name in REFUNDS.strata for _ in range(2)]
    assert select(REFUNDS, ("absent",), (), 2) == ("absent-001", "absent-002")
    assert select(REFUNDS, (), (), None) is None


@pytest.mark.parametrize(
    ("url", "recorded"),
    [
        ("https://user:pw@host/v1?key=s#f", "https://host/v1"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://[::1]:8080/v1/", "http://[::1]:8080/v1/"),
    ],
)
def test_a_url_is_written_down_without_what_may_be_secret(url: str, recorded: str) -> None:
    assert resolve(REFUNDS, RunFlags(base_url=url, model="m"), {}).study.base_url == recorded
