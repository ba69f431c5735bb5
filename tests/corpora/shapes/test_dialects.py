"""Calls that servers leave in the text, in the dialects that were seen, and texts that only look like one."""

from __future__ import annotations

import json

import pytest

from corpora.shapes.dialects import calls_in
from corpora.shapes.speech import spoken

ARGUMENTS = '{"user_id": "u_1",  "note": "a } b"}'
OBJECT = f'{{"name": "book", "arguments": {ARGUMENTS}}}'
OFFERED = {"book", "ask"}

BAR = "\uff5c"
CALLS = {
    "hermes": f"<tool_call>\n{OBJECT}\n</tool_call>",
    "hermes, never closed": f"<tool_call>{OBJECT}",
    "words before a tag": f"Let me do that.\n<tool_call>{OBJECT}</tool_call>",
    "qwen 2.5": f"<tools>{OBJECT}</tools>",
    "granite": f"<|tool_call|>[{OBJECT}]",
    "kimi": f"<|tool_call_begin|>{OBJECT}<|tool_call_end|>",
    "kimi, numbered": "<|tool_calls_section_begin|><|tool_call_begin|>functions.book:0<|tool_call_argument_begin|>"
    f"{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>",
    "react": f"Thought: I book it.\nAction: book\nAction Input: {ARGUMENTS}\nObservation: done",
    "llama function tag": f"<function=book>{ARGUMENTS}</function>",
    "groq function tag": f"<function=book {ARGUMENTS}</function>",
    "mistral": f"[TOOL_CALLS][{OBJECT}]",
    "mistral named": f"[TOOL_CALLS]book[ARGS]{ARGUMENTS}",
    "mistral named, with an id": f"[TOOL_CALLS]book[CALL_ID]a1[ARGS]{ARGUMENTS}",
    "phi": f"functools[{OBJECT}]",
    "python tag": f"<|python_tag|>{OBJECT}<|eom_id|>",
    "parameters for arguments": f'<|python_tag|>{{"name": "book", "parameters": {ARGUMENTS}}}',
    "harmony": f"<|channel|>commentary to=functions.book <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
    "harmony without its markers": f"commentary to=functions.book json{ARGUMENTS}",
    "deepseek v3": f"<{BAR}tool\u2581call\u2581begin{BAR}>book<{BAR}tool\u2581sep{BAR}>{ARGUMENTS}"
    f"<{BAR}tool\u2581call\u2581end{BAR}>",
    "deepseek r1": f"<{BAR}tool\u2581call\u2581begin{BAR}>function<{BAR}tool\u2581sep{BAR}>book\n```json\n"
    f"{ARGUMENTS}\n```"
    f"<{BAR}tool\u2581call\u2581end{BAR}>",
    "fenced": f"Here it is:\n```json\n{OBJECT}\n```\nDone.",
    "fenced, marked": f"```tool_call\n{OBJECT}\n```",
    "bare object": OBJECT,
    "bare array": f"[{OBJECT}]",
    "openai shape": json.dumps({"type": "function", "function": {"name": "book", "arguments": ARGUMENTS}}),
    "in prose, of an offered tool": f"I will send {OBJECT} now.",
}


@pytest.mark.parametrize("dialect", CALLS)
def test_a_call_in_the_text_is_found_with_the_exact_text_of_its_arguments(dialect: str) -> None:
    (call,) = calls_in(CALLS[dialect], OFFERED)
    assert (call.name, call.source, call.malformed) == ("book", "content", "in-text")
    assert call.arguments == ARGUMENTS


MARKUP = {
    "qwen coder": ("<tool_call><function=book><parameter=user_id>u_1</parameter></function></tool_call>", "u_1"),
    "glm": ("<tool_call>book<arg_key>user_id</arg_key><arg_value>u_1</arg_value></tool_call>", "u_1"),
    "claude": ('<invoke name="book"><parameter name="user_id">u_1</parameter></invoke>', "u_1"),
    "dsml": (f'<{BAR}DSML{BAR}invoke name="book"><{BAR}DSML{BAR}parameter name="user_id">u_1', "u_1"),
    "pythonic list": ('[book(user_id="u_1", note="a) b")]', 'user_id="u_1", note="a) b"'),
    "pythonic, whole": ("book(user_id='u_1')", "user_id='u_1'"),
    "gemma": ('```tool_code\nprint(default_api.book(user_id="u_1"))\n```', 'user_id="u_1"'),
    "python tag with a call": ('<|python_tag|>book.call(user_id="u_1")', 'user_id="u_1"'),
}


@pytest.mark.parametrize("dialect", MARKUP)
def test_arguments_that_are_no_json_are_kept_as_they_stand(dialect: str) -> None:
    text, held = MARKUP[dialect]
    (call,) = calls_in(text, OFFERED)
    assert call.name == "book"
    assert call.arguments is not None
    assert held in call.arguments
    assert call.arguments in text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"<tool_call>{OBJECT}</tool_call>\n<tool_call>{OBJECT}</tool_call>", ["book", "book"]),
        (f"[TOOL_CALLS][{OBJECT}, {OBJECT}]", ["book", "book"]),
        ("<tool_call>{broken", [None]),
        ("<tool_call>", [None]),
        ("[TOOL_CALLS]", [None]),
        ("<|python_tag|>print(1", [None]),
        ('{"name": "unknown", "arguments": {}}', ["unknown"]),
        ("[ask()]", ["ask"]),
    ],
    ids=["two", "two in an array", "broken", "only begun", "only a marker", "code", "a tool that nobody gave", "bare"],
)
def test_calls_are_counted_also_where_they_cannot_be_read(text: str, names: list[str | None]) -> None:
    assert [call.name for call in calls_in(text, OFFERED)] == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Which time zone?",
        "I could book(ing) this (later).",
        "Use book(…) once you know the zone.",
        'The record is {"zone": "UTC"}.',
        '{"zone": "UTC"}',
        'For example {"name": "other", "arguments": {}} would do.',
        "```python\nprint('hello')\n```",
        'Action: wait\nAction Input: {"for": "you"}',
        "Costs are <10 and [1, 2, 3].",
        "{" * 5000,
        "[" * 5000,
        "<tool_response>{}</tool_response>",
    ],
)
def test_a_text_that_only_looks_like_a_call_is_none(text: str) -> None:
    assert calls_in(text, OFFERED) == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("plain", "plain"),
        ("<think>a</think>b", "b"),
        ("<think>a</think>\n\nb <thinking>c</thinking>d", "b d"),
        ("a</think>b", "b"),
        ("b<think>never closed", "b"),
        ("[THINK]a[/THINK]b", "b"),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>", "b"),
        ("analysisaaaassistantfinalb", "b"),
        ("analysis of the case: fine", "analysis of the case: fine"),
        ("a < b", "a < b"),
        ("<|channel|>", "<|channel|>"),
    ],
)
def test_words_are_told_from_thoughts(content: str, words: str) -> None:
    assert spoken(content).words == words


MARKERS = ["<think>", "</think>", "[THINK]", "<|channel|>a<|message|>", "analysis", "assistantfinal", "<tool_call>"]
MARKERS += ["<function=a", "[TOOL_CALLS]", "<|python_tag|>", "to=functions.a <|x|>", '<invoke name="a">', "```json\n"]
MARKERS += ["{", '{"name":', "[book(", "book(a=", "(", '"', f"<{BAR}tool\u2581call\u2581begin{BAR}>a"]


@pytest.mark.parametrize("marker", MARKERS)
def test_a_text_made_of_nothing_but_one_marker_is_read_in_one_pass(marker: str) -> None:
    """A quadratic reader would need minutes and meet the time limit of a test: a model's text is hostile."""
    for text in (marker * 50_000, marker * 50_000 + ")]}"):
        assert len(calls_in(spoken(text).words or text, OFFERED)) >= 0


def test_a_call_in_a_channel_is_left_to_be_found() -> None:
    content = (
        f"<|channel|>analysis<|message|>hm<|end|><|channel|>commentary to=functions.book<|message|>{ARGUMENTS}<|call|>"
    )
    (call,) = calls_in(spoken(content).words, OFFERED)
    assert (call.name, call.arguments) == ("book", ARGUMENTS)
    leaked = f"analysishm?assistantcommentary to=functions.book json{ARGUMENTS}"
    (call,) = calls_in(spoken(leaked).words, OFFERED)
    assert (call.name, call.arguments) == ("book", ARGUMENTS)
