"""Calls that a server left in the text: found and recorded verbatim, never read as words and never repaired.

A marker of a known dialect is a call whatever tool it names. Without a marker, what stands there must be the whole
text, or name a tool that was offered: a model may write about JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from corpora.records import WireType
from corpora.shapes.answers import Emitted
from corpora.shapes.jsontext import named_call, objects_in, value_end
from corpora.shapes.pythonic import Found, pythonic, pythonic_in

Dialect = Callable[[str, Collection[str]], Iterator[Found]]


def calls_in(text: str, offered: Collection[str]) -> tuple[Emitted, ...]:
    """The calls in a text, by the first dialect that finds one; empty where there is none. `offered`: tool names."""
    if not may_hold_calls(text):
        return ()
    for dialect in DIALECTS:
        found = tuple(dialect(text, offered))
        if found:
            return tuple(_emitted(call) for call in found)
    return ()


def may_hold_calls(text: str) -> bool:
    """Whether a text holds what every dialect opens a call with."""
    return "{" in text or "[" in text or "(" in text or "<" in text


def _emitted(call: Found) -> Emitted:
    wire_type: WireType = (
        "absent" if call.arguments is None else "object" if call.arguments.startswith("{") else "string"
    )
    return Emitted(
        id=None,
        name=call.name,
        arguments=call.arguments,
        wire_type=wire_type,
        source="content",
        malformed="in-text",
    )


def _object(text: str) -> Iterator[Found]:
    """Calls in JSON text: an object that names a function and its arguments, or an array of such."""
    for candidate in objects_in(text):
        name, arguments = named_call(candidate)
        if name is not None and arguments is not None:
            yield Found(name, arguments)


def _between(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """What stands between markers; to the end of the text where the closing one is missing."""
    for match in opening.finditer(text):
        end = closing.search(text, match.end())
        yield match, text[match.end() : end.start() if end else len(text)]


_TAG_OPEN = re.compile(
    r"<(?:tool_call|toolcall|tools?|function_call|function_calls|\|tool_call\|)>|<\|tool_call_begin\|>"
)
_TAG_CLOSE = re.compile(
    rf"</(?:tool_call|toolcall|tools?|function_calls?)>|<\|/?tool_call(?:_end)?\|>|{_TAG_OPEN.pattern}"
)
"""The next opening tag closes too: one that was never closed does not reach over it."""
_KEY_VALUE = re.compile(r"\A\s*(?P<name>[\w.:-]+)\s*(?=<arg_key>|\Z)")
_NUMBERED = re.compile(r"\A\s*(?:functions\.)?(?P<name>[\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*")


def _tags(text: str, offered: Collection[str]) -> Iterator[Found]:
    """<tool_call>{…}</tool_call> of Hermes and Qwen; with <arg_key> of GLM; <|tool_call|>[…] of Granite; of Kimi."""
    unread: list[str] = []
    named = False
    for _, inside in _between(text, _TAG_OPEN, _TAG_CLOSE):
        numbered = _NUMBERED.match(inside)
        found = (
            [Found(numbered["name"], inside[numbered.end() :].strip())]
            if numbered
            else list(_functions(inside, offered)) or list(_object(inside)) or list(_invoked(inside, offered))
        )
        yield from found
        named = named or bool(found)
        if not found and (match := _KEY_VALUE.match(inside)):
            yield Found(match["name"], inside[match.end() :] or None)
        elif not found:
            unread.append(inside)
    said = [inside for inside in unread if inside.strip()]
    yield from (Found(None, inside) for inside in said or ([] if named else unread[:1]))


_FUNCTION = re.compile(r"<function=(?P<name>[^>{(\s]+)\s*>?|<function\s+name=\"(?P<quoted>[^\"]+)\"\s*>")
_FUNCTION_CLOSE = re.compile(r"</function>|<function[= ]")


def _functions(text: str, _: Collection[str]) -> Iterator[Found]:
    """<function=NAME>{…}</function> of Llama and Groq; with <parameter=KEY> of Qwen Coder."""
    for match, inside in _between(text, _FUNCTION, _FUNCTION_CLOSE):
        yield Found(match["name"] or match["quoted"], inside.strip())


_MISTRAL = re.compile(r"\[TOOL_CALLS\]")
_MISTRAL_NAMED = re.compile(r"\A\s*(?P<name>[\w.:-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?={)")


def _brackets(text: str, _: Collection[str]) -> Iterator[Found]:
    """[TOOL_CALLS][{…}] and [TOOL_CALLS]NAME[ARGS]{…} of Mistral; functools[{…}] of Phi."""
    for _match, inside in _between(text, _MISTRAL, _MISTRAL):
        named = _MISTRAL_NAMED.match(inside)
        if named:
            yield Found(named["name"], inside[named.end() : value_end(inside, named.end())])
        else:
            yield from list(_object(inside)) or [Found(None, inside)]
    if text.lstrip().startswith("functools["):
        yield from _object(text)


_PYTHON_TAG = re.compile(r"<\|python_tag\|>")
_END_OF_TURN = re.compile(r"<\|(?:eom_id|eot_id|python_tag)\|>")
_DOTTED_CALL = re.compile(r"\A\s*(?P<name>[\w.-]+?)(?:\.call)?\((?P<arguments>.*)\)\s*\Z", re.DOTALL)


def _python_tag(text: str, _: Collection[str]) -> Iterator[Found]:
    """<|python_tag|>{…} and <|python_tag|>NAME.call(…) of Llama."""
    for _match, inside in _between(text, _PYTHON_TAG, _END_OF_TURN):
        found = list(_object(inside))
        dotted = _DOTTED_CALL.match(inside)
        if found or not dotted:
            yield from found or [Found(None, inside)]
        else:
            yield Found(dotted["name"], dotted["arguments"])


_HARMONY = re.compile(r"to=(?:functions?[.])?(?P<name>[\w.-]+)")
_HEADER = 200
"""Characters between a recipient and its arguments, at most."""
_HARMONY_MARK = re.compile(r"to=functions?[.]|<\|channel\|>|<\|constrain\|>")


def _harmony(text: str, _: Collection[str]) -> Iterator[Found]:
    """commentary to=functions.NAME json{…} of gpt-oss, with its markers or without."""
    if _HARMONY_MARK.search(text):
        for match in _HARMONY.finditer(text):
            start = text.find("{", match.end(), match.end() + _HEADER)
            if start >= 0 and "to=" not in text[match.end() : start]:
                yield Found(match["name"], text[start : value_end(text, start)])


_INVOKE = re.compile(r"<(?:\uff5cDSML\uff5c|antml:)?invoke\s+name=\"(?P<name>[^\"]*)\"\s*>")
_INVOKE_CLOSE = re.compile(r"</(?:\uff5cDSML\uff5c|antml:)?invoke>|<(?:\uff5cDSML\uff5c|antml:)?invoke\s")


def _invoked(text: str, _: Collection[str]) -> Iterator[Found]:
    """<invoke name="NAME"><parameter …> of DeepSeek's DSML and of Claude."""
    for match, inside in _between(text, _INVOKE, _INVOKE_CLOSE):
        yield Found(match["name"], inside.strip())


_DEEPSEEK = re.compile(
    r"<\uff5ctool\u2581call\u2581begin\uff5c>(?:function<\uff5ctool\u2581sep\uff5c>)?(?P<name>[^\s<]+)"
)
_DEEPSEEK_CLOSE = re.compile(r"<\uff5ctool\u2581call\u2581end\uff5c>|<\uff5ctool\u2581call\u2581begin\uff5c>")


def _deepseek(text: str, _: Collection[str]) -> Iterator[Found]:
    """The tokens with full-width bars of DeepSeek R1 and V3."""
    for match, inside in _between(text, _DEEPSEEK, _DEEPSEEK_CLOSE):
        start = inside.find("{")
        yield Found(match["name"], inside[start : value_end(inside, start)] if start >= 0 else inside)


_ACTION = re.compile(r"^Action:[ \t]*(?P<name>[\w.-]+)[ \t]*\r?\nAction Input:\s*(?={)", re.MULTILINE)


def _action(text: str, offered: Collection[str]) -> Iterator[Found]:
    """Action: NAME, Action Input: {…} of ReAct."""
    for match in _ACTION.finditer(text):
        if match["name"] in offered:
            yield Found(match["name"], text[match.end() : value_end(text, match.end())])


_FENCE = re.compile(r"```(?P<kind>\w*)[^\n]*\n(?P<inside>.*?)(?:```|\Z)", re.DOTALL)


def _fenced(text: str, offered: Collection[str]) -> Iterator[Found]:
    """A code block that holds the JSON of a call, or a call in Python."""
    for block in _FENCE.finditer(text):
        marked = block["kind"].lower() in {"tool_call", "tool_code", "tool_calls", "function_call"}
        found = [*_object(block["inside"]), *pythonic_in(block["inside"], offered)]
        yield from (call for call in found if marked or call.name in offered)


def _bare(text: str, offered: Collection[str]) -> Iterator[Found]:
    """JSON of calls without any marker: as the whole text, or somewhere in it where it names an offered tool."""
    whole = text.strip()
    is_whole = whole[:1] in {"{", "["} and value_end(whole, 0) == len(whole)
    yield from (call for call in _object(text) if is_whole or call.name in offered)


DIALECTS: tuple[Dialect, ...] = (
    _tags,
    _functions,
    _brackets,
    _python_tag,
    _harmony,
    _invoked,
    _deepseek,
    _action,
    _fenced,
    _bare,
    pythonic,
)
"""From the plainest marker to none at all."""
