"""What answered a run, and whether two samples of one fixture were two draws."""

from __future__ import annotations

from corpora.shapes.answers import Answer
from runner.endpoints.base import Reply
from runner.schedule.pins import Pins


def reply(
    response_id: str | None = None, body: bytes = b"", model: str | None = "m", fingerprint: str | None = None
) -> Reply:
    return Reply(answer=Answer(response_id=response_id, model=model, fingerprint=fingerprint), body=body)


def test_one_response_id_for_two_samples_of_a_fixture_is_flagged() -> None:
    pins = Pins()
    assert pins.add("a", [reply("r1", b"1")]) == ()
    assert pins.add("b", [reply("r1", b"2")]) == ()
    assert pins.add("a", [reply("r1", b"3")]) == ("repeated-response-id",)
    assert pins.add("a", [reply("r2", b"4")]) == ()


def test_the_same_bytes_for_two_samples_of_a_fixture_are_flagged() -> None:
    pins = Pins()
    assert pins.add("a", [reply(None, b"same")]) == ()
    assert pins.add("b", [reply(None, b"same")]) == ()
    assert pins.add("a", [reply(None, b"same")]) == ("repeated-response",)


def test_one_id_in_two_turns_of_one_sample_is_none_of_another() -> None:
    assert Pins().add("a", [reply("r1", b"1"), reply("r1", b"2")]) == ()


def test_a_second_model_or_fingerprint_is_a_move_and_a_failure_is_nothing() -> None:
    pins = Pins()
    pins.add("a", [reply("1", b"1"), Reply()])
    assert not pins.moved
    pins.add("a", [reply("2", b"2", model=None, fingerprint="f1")])
    assert not pins.moved
    pins.add("a", [reply("3", b"3", fingerprint="f2")])
    assert pins.moved
    assert pins.as_json() == {"response_models": ["m"], "system_fingerprints": ["f1", "f2"], "moved": True}
