"""A body that came packed: unpacked whole within its bound, or told what is wrong with it."""

from __future__ import annotations

import gzip
import json
import zlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.endpoints.encodings import Short, TooLarge, Unfit, decoded, readable

WAY_OUT = "; turn it off at the server, or at the proxy before it, which has to heed Accept-Encoding: gzip, deflate"
WORDS = b'{"id": "c", "choices": []}' * 40
PACKED = gzip.compress(WORDS)
_BARE = zlib.compressobj(wbits=-zlib.MAX_WBITS)
BARE = _BARE.compress(WORDS) + _BARE.flush()


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (WORDS, ""),
        (WORDS, "identity"),
        (PACKED, "gzip"),
        (PACKED, " X-GZIP "),
        (PACKED + b"\0\0\0", "gzip"),
        (gzip.compress(WORDS[:9]) + gzip.compress(WORDS[9:]), "gzip"),
        (zlib.compress(WORDS), "deflate"),
        (BARE, "deflate"),
        (gzip.compress(zlib.compress(WORDS)), "deflate, gzip"),
    ],
    ids=["as it is", "identity", "gzip", "x-gzip", "filled up", "two parts", "zlib", "deflate", "one in the other"],
)
def test_what_is_whole_is_unpacked(body: bytes, encoding: str) -> None:
    assert decoded(body, encoding, len(WORDS)) == WORDS


def test_nothing_is_nothing_in_any_encoding() -> None:
    assert decoded(b"", "gzip", 10) == decoded(b"", "br", 10) == b""


@pytest.mark.parametrize("packed", [PACKED, zlib.compress(WORDS)], ids=["gzip", "deflate"])
def test_one_that_ends_early_is_no_answer_of_the_model_wherever_it_ends(packed: bytes) -> None:
    encoding = "gzip" if packed is PACKED else "deflate"
    for end in range(3, len(packed)):
        with pytest.raises((Short, Unfit)):
            decoded(packed[:end], encoding, len(WORDS))


@pytest.mark.parametrize("at", range(12, len(PACKED)))
def test_no_damage_goes_unseen(at: int) -> None:
    """The checksum is at the end: what was unpacked before says nothing."""
    damaged = PACKED[:at] + bytes([PACKED[at] ^ 0x55]) + PACKED[at + 1 :]
    with pytest.raises((Short, Unfit, TooLarge)):
        decoded(damaged, "gzip", len(WORDS))


@pytest.mark.parametrize(
    ("body", "encoding", "words"),
    [
        (WORDS, "gzip", "incorrect header check"),
        (PACKED + b"more", "gzip", "incorrect header check"),
        (WORDS, "br", f"'br' was not asked for{WAY_OUT}"),
        (WORDS, "zstd", f"'zstd' was not asked for{WAY_OUT}"),
        (gzip.compress(b"") * 101, "gzip", "more than 100 parts"),
    ],
)
def test_what_does_not_fit_is_said(body: bytes, encoding: str, words: str) -> None:
    with pytest.raises(Unfit, match=words):
        decoded(body, encoding, len(WORDS))


@pytest.mark.parametrize("parts", [1, 10])
def test_the_bound_is_one_of_the_whole(parts: int) -> None:
    bomb = gzip.compress(b" " * (1_000_000 // parts)) * parts
    assert len(decoded(bomb, "gzip", 1_000_000)) == 1_000_000
    with pytest.raises(TooLarge, match="decompresses to more than 999999 bytes"):
        decoded(bomb, "gzip", 999_999)


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "br", "gzip, gzip", ",", "\x00"]))
def test_any_bytes_are_unpacked_or_told_to_be_wrong(body: bytes, encoding: str) -> None:
    with suppress(Unfit, Short, TooLarge):
        assert len(decoded(body, encoding, 100)) <= max(100, len(body))


REPLY = json.dumps(
    {"id": "c", "choices": [{"message": {"role": "assistant", "content": "Which zone?"}, "finish_reason": "stop"}]}
).encode()
WHOLE = gzip.compress(REPLY)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("body", "encoding", "attempt"),
    [
        (WHOLE[:-30] + b"x" * 30, "gzip", None),
        (WHOLE[:-12], "gzip", "cut: the compressed answer ends in the middle"),
        (WHOLE[:-8] + bytes(8), "gzip", "answer: the content encoding does not fit the body: Error -3"),
        (REPLY, "br", f"answer: the content encoding does not fit the body: 'br' was not asked for{WAY_OUT}"),
    ],
    ids=["damaged in the middle", "cut", "another checksum", "never asked for"],
)
async def test_a_damaged_body_is_tried_again_and_never_a_sample(
    body: bytes, encoding: str, attempt: str | None, wire: Any
) -> None:
    damaged = wire.response(body, headers={"content-encoding": encoding})
    record, _, server = await wire.sampled(damaged, wire.response(WHOLE, headers={"content-encoding": "gzip"}))
    assert (record.status, record.malformed, len(server.requests)) == ("ok", None, 2)
    assert record.turns[0].response == REPLY.decode()
    assert record.turns[0].attempts[0].error.startswith(attempt or "")
    spent, _, _ = await wire.sampled(damaged)
    assert (spent.status, spent.malformed, spent.flags) == ("error", None, ())


@pytest.mark.parametrize(
    ("body", "encoding", "begins", "least_bytes"),
    [
        (gzip.compress(WORDS * 9000)[:-300], "gzip", WORDS * 9000, 100_000),
        (PACKED[:-8] + bytes(8), "gzip", WORDS, len(WORDS)),
        (PACKED[:20] + b"\xff" * 40, "gzip", WORDS[:8], 8),
        (zlib.compress(WORDS)[:-4], "deflate", WORDS, len(WORDS)),
        (BARE[:-4], "deflate", WORDS, 8),
        (WORDS, "gzip", b"", 0),
        (WORDS, "br", WORDS, len(WORDS)),
    ],
    ids=["cut", "a wrong sum", "damaged", "zlib, cut", "deflate, cut", "not packed", "not known"],
)
def test_a_body_that_is_refused_is_read_up_to_its_damage(
    body: bytes, encoding: str, begins: bytes, least_bytes: int
) -> None:
    found = readable(body, encoding, 1 << 20)
    assert len(found) >= least_bytes
    assert found.startswith(begins) or begins.startswith(found)


def test_a_body_that_is_refused_is_read_up_to_the_bound() -> None:
    assert len(readable(gzip.compress(bytes(1 << 20))[:-9], "gzip", 5000)) == 5001
