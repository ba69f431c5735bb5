"""Writes a decision down as the model emits it: argument text, slips included, and the body of the chat API."""

from __future__ import annotations

import hashlib
import json

import msgspec

from corpora.values import JsonObject
from runner.simulated.draw import Decision, Draw, Wish


class Emitted(msgspec.Struct, frozen=True, kw_only=True):
    """What the model emitted in one turn, character for character."""

    text: str | None
    calls: tuple[JsonObject, ...]
    """In the shape of the chat API."""
    finish_reason: str


SLIPS = ("truncated", "trailing", "brace", "python", "fenced", "doubled", "key twice", "nothing", "in text")


def emit(decision: Decision, draw: Draw, turn: int, number: int) -> Emitted:
    """The decision as text; a careless model slips now and then in the last step."""
    slip = draw.pick("slip kind", dict.fromkeys(SLIPS, 1)) if draw.happens(f"slip/{turn}", draw.profile.slips) else None
    if decision.calls and slip == "in text":
        return Emitted(text=_in_text(decision.calls[0]), calls=(), finish_reason="stop")
    texts = [_arguments(wish, slip) for wish in decision.calls]
    names = [_name(wish.tool, draw, turn) for wish in decision.calls]
    calls = tuple(
        {"id": call_id(draw, number, turn, index), "type": "function", "function": {"name": name, "arguments": text}}
        for index, (name, text) in enumerate(zip(names, texts, strict=True))
    )
    finish = "length" if slip == "truncated" and calls else "tool_calls" if calls else "stop"
    return Emitted(text=decision.text, calls=calls, finish_reason=finish)


def call_id(draw: Draw, number: int, turn: int, index: int) -> str:
    """An id that the model knows again: it holds the sample's number, so later turns go on with the same sample."""
    digest = hashlib.sha256(f"{draw.scene.fixture.sha256}/{draw.profile.name}/{number}/{turn}/{index}".encode())
    return f"call_{digest.hexdigest()[:10]}{number:08x}"


def number_in(identifier: str) -> int | None:
    """The number of the sample in a call's id; None in an id that is not ours."""
    digits = identifier.removeprefix("call_")
    if len(digits) != 18 or digits == identifier:  # ten of digest, eight of number
        return None
    try:
        return int(digits[10:], 16)
    except ValueError:
        return None


def _name(tool: str, draw: Draw, turn: int) -> str:
    return f"{tool}_v2" if draw.happens(f"stray/{turn}", draw.profile.strays) else tool


def _in_text(wish: Wish) -> str:
    body = json.dumps({"name": wish.tool, "arguments": wish.arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


def _arguments(wish: Wish, slip: str | None) -> str:
    text = json.dumps(wish.arguments, ensure_ascii=False)
    match slip:
        case "truncated":
            return text[: max(1, len(text) * 2 // 3)]
        case "trailing":
            return f"{text} Done."
        case "brace":
            return text[:-1]
        case "python":
            return repr(wish.arguments)
        case "fenced":
            return f"```json\n{text}\n```"
        case "doubled":
            return json.dumps(text)
        case "key twice":
            name = next(iter(wish.arguments), "note")
            return f'{{"{name}": "", {text[1:]}'
        case "nothing":
            return ""
    return text


def body(emitted: Emitted, *, model: str, response_id: str, created: int, prompt: int) -> JsonObject:
    """The reply of the chat completions API; `prompt` is the length in characters of what was read."""
    message: JsonObject = {"role": "assistant", "content": emitted.text}
    if emitted.calls:
        message["tool_calls"] = list(emitted.calls)
    written = len(emitted.text or "") + sum(len(call["function"]["arguments"]) for call in emitted.calls)
    usage = {"prompt_tokens": 1 + prompt // 4, "completion_tokens": 1 + written // 4}
    return {
        "id": response_id,
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": emitted.finish_reason, "logprobs": None}],
        "usage": {**usage, "total_tokens": sum(usage.values())},
        "system_fingerprint": "fp_simulated",
    }
