from __future__ import annotations

import json
from collections import Counter

import pytest

from corpora.corpus import load, read_sets
from corpora.errors import BadInput
from runner.simulated.model import BadRequestError, SimulatedModel, answer
from tests.runner.simulated.asking import after_tools, request, sample, say

REFUNDS = load("refunds")
MAINTENANCE = load("maintenance")
CODES = read_sets(REFUNDS)["reason_codes"]


def values(profile: str, stratum: str, samples: int = 6) -> Counter[str]:
    """What the samples of a stratum sent as a code; `-` where they sent none that can be read."""
    model = SimulatedModel([REFUNDS], profile)
    found: Counter[str] = Counter()
    for fixture in REFUNDS.fixtures:
        if fixture.stratum == stratum:
            for number in range(samples):
                calls = sample(model, REFUNDS, fixture, number)[-1]["message"].get("tool_calls", [])
                found[_code(calls[0]["function"]["arguments"] if calls else "{}")] += 1
    return found


def _code(text: str) -> str:
    try:
        return str(json.loads(text).get("reason_code", "-"))
    except (ValueError, AttributeError):
        return "-"


def invented(found: Counter[str]) -> float:
    return sum(count for value, count in found.items() if value not in {*CODES.values, "-"}) / found.total()


def test_careless_invents_more_where_no_code_fits_than_where_the_text_decides():
    decided, none_fits = values("careless", "determined"), values("careless", "unrecoverable")
    assert 0 < invented(decided) < 0.35
    assert invented(none_fits) > 0.4
    assert none_fits["OTHER"] > 0


def test_careless_sends_a_code_with_its_leading_space():
    found = values("careless", "determined", samples=3) + values("careless", "ambiguous", samples=3)
    assert found[" damaged on arrival"] > 0


def test_perfect_sends_the_right_code_in_every_stratum():
    model = SimulatedModel([REFUNDS], "perfect")
    for fixture in REFUNDS.fixtures:
        last = sample(model, REFUNDS, fixture, 0)[-1]["message"]
        code = json.loads(last["tool_calls"][0]["function"]["arguments"])["reason_code"]
        assert code == fixture.true_code if fixture.true_code else code in CODES.values


def test_perfect_asks_for_both_withheld_fields_and_calls_nothing():
    model = SimulatedModel([MAINTENANCE], "perfect")
    for fixture in (f for f in MAINTENANCE.fixtures if f.stratum in ("withheld", "hidden-true")):
        last = sample(model, MAINTENANCE, fixture, 0)[-1]["message"]
        assert "tool_calls" not in last
        assert "timezone" in last["content"]
        assert "severity" in last["content"]


def test_careless_tells_a_hidden_value_now_and_then():
    model = SimulatedModel([MAINTENANCE])
    told = 0
    for fixture in MAINTENANCE.fixtures:
        for number in range(6):
            text = json.dumps(sample(model, MAINTENANCE, fixture, number)[-1])
            told += any(f'\\"{value}\\"' in text for value in fixture.hidden.values())
    assert told > 0


def test_everything_that_a_record_can_hold_is_reached():
    model = SimulatedModel([REFUNDS])
    seen: set[str] = set()
    for fixture in REFUNDS.fixtures:
        for number in range(12):
            seen |= _kinds(sample(model, REFUNDS, fixture, number))
    assert seen >= {
        "text",
        "call",
        "text+call",
        "parallel",
        "malformed",
        "not offered",
        "reads first",
        "cut",
        "wanders",
    }


def _kinds(choices) -> set[str]:
    last = choices[-1]["message"]
    calls = last.get("tool_calls", [])
    names = [call["function"]["name"] for choice in choices for call in choice["message"].get("tool_calls", [])]
    kinds = {"text" if not calls else "text+call" if last["content"] else "call"}
    kinds |= {"parallel"} if len(calls) > 1 else set()
    kinds |= {"not offered"} if any(name.endswith("_v2") for name in names) else set()
    kinds |= {"reads first"} if names[:1] == ["lookup_order"] and "refund_order" in names else set()
    kinds |= {"wanders"} if len(choices) == 4 else set()
    kinds |= {"cut"} if choices[-1]["finish_reason"] == "length" else set()
    for call in calls:
        try:
            json.loads(call["function"]["arguments"])
        except ValueError:
            kinds |= {"malformed"}
    return kinds


def test_a_run_can_be_repeated_and_its_samples_differ():
    fixture = REFUNDS.fixtures[20]
    first = [sample(SimulatedModel([REFUNDS]), REFUNDS, fixture, number) for number in range(8)]
    again = [sample(SimulatedModel([REFUNDS]), REFUNDS, fixture, number) for number in range(8)]
    other = [sample(SimulatedModel([REFUNDS], seed=1), REFUNDS, fixture, number) for number in range(8)]
    assert first == again
    assert first != other
    assert len({json.dumps(choices) for choices in first}) > 4


def test_a_sample_goes_on_as_the_same_sample_after_its_tools():
    """The number of the sample travels in the ids of its calls, so samples in flight at once do not mix."""
    model = SimulatedModel([REFUNDS])
    fixture = next(f for f in REFUNDS.fixtures if "lookup_order" in f.returns)
    body = request(REFUNDS, fixture)
    number = next(n for n in range(50) if say(model, body, n)["message"].get("tool_calls", [{}])[0].get("id"))
    message = say(model, body, number)["message"]
    asked = model.read(after_tools(body, message, fixture))
    assert (asked.number, asked.turn) == (number, 1)


def test_the_request_seed_decides_where_there_is_one():
    model = SimulatedModel([REFUNDS])
    fixture = REFUNDS.fixtures[20]
    assert say(model, request(REFUNDS, fixture, seed=5), 0) == say(model, request(REFUNDS, fixture, seed=5), 1)


@pytest.mark.parametrize(
    ("more", "calls"),
    [
        ({"tool_choice": "none"}, 0),
        ({"tools": []}, 0),
        ({"tool_choice": "required"}, 1),
        ({"tool_choice": {"type": "function", "function": {"name": "refund_order"}}}, 1),
    ],
    ids=["none", "no tools", "required", "named"],
)
def test_tool_choice_is_held(more, calls):
    model = SimulatedModel([REFUNDS], "careful")
    for fixture in REFUNDS.fixtures:
        for number in range(3):
            message = say(model, request(REFUNDS, fixture, **more), number)["message"]
            assert len(message.get("tool_calls", [])) == calls
            if isinstance(more.get("tool_choice"), dict):
                assert message["tool_calls"][0]["function"]["name"] == "refund_order"


def test_parallel_calls_can_be_forbidden():
    model = SimulatedModel([REFUNDS])
    for fixture in REFUNDS.fixtures:
        for number in range(8):
            choice = say(model, request(REFUNDS, fixture, parallel_tool_calls=False), number)
            assert len(choice["message"].get("tool_calls", [])) <= 1


def test_a_tool_that_is_not_offered_is_not_called():
    body = request(REFUNDS, REFUNDS.fixtures[0], tools=[request(REFUNDS, REFUNDS.fixtures[0])["tools"][0]])
    for number in range(20):
        message = say(SimulatedModel([REFUNDS], "careful"), body, number)["message"]
        assert message["tool_calls"][0]["function"]["name"] == "lookup_order"


def test_the_reply_names_the_profile_and_counts_tokens():
    reply = answer(request(REFUNDS, REFUNDS.fixtures[0]), [REFUNDS], "careful")
    assert reply["model"] == "simulated/careful"
    usage = reply["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens"] > usage["completion_tokens"] > 0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ([], "expected a JSON object"),
        ({}, "'messages' must be a list of at least one message"),
        ({"messages": ["hi"]}, "'messages' must be a list of at least one message"),
        ({**request(REFUNDS, REFUNDS.fixtures[0]), "tools": [1]}, "'tools' must be a list of objects"),
    ],
    ids=["a list", "no messages", "strings", "strange tools"],
)
def test_a_request_that_the_api_would_not_take_is_refused(body, sentence):
    with pytest.raises(BadRequestError, match=sentence):
        answer(body, [REFUNDS])


def test_an_unknown_profile_is_named_with_the_known_ones():
    with pytest.raises(BadInput, match="no profile 'sloppy'; the profiles are careless, careful, perfect"):
        SimulatedModel([REFUNDS], "sloppy")
