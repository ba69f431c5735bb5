"""A streamed chat completion put together into the body that would have come at once.

Source: https://platform.openai.com/docs/api-reference/chat-streaming
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.shapes.nodes import ABSENT, Node
from corpora.shapes.places import Places
from corpora.shapes.sse import DONE, Assembled, Event, Pieces, node, write_array, write_object

_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")
_TOP = ("id", "object", "created", "model", "system_fingerprint")


class _Call:
    """One call whose arguments arrive in pieces."""

    def __init__(self) -> None:
        self.id: Node = ABSENT
        self.name = Pieces()
        self.arguments = Pieces()
        self.object: Node = ABSENT

    def add(self, delta: Node) -> None:
        """Take a piece of the call."""
        self.id = self.id or delta.get("id")
        function = delta.get("function")
        if not self.name.are(function.get("name")):  # some servers say it again with every piece
            self.name.add(function.get("name"))
        arguments = function.get("arguments")
        self.arguments.add(arguments)
        if arguments.is_object:
            self.object = arguments

    def raw(self) -> bytes:
        """The call so far, as it would stand in a whole answer."""
        arguments = self.arguments.raw() if self.arguments else self.object
        function = write_object([("name", self.name.raw()), ("arguments", arguments)])
        return write_object([("id", self.id), ("type", b'"function"'), ("function", function)])


class Whole:
    """Everything of the first choice so far."""

    def __init__(self) -> None:
        self.top: dict[str, Node] = {}
        self.texts = {name: Pieces() for name in _TEXTS}
        self.calls: list[_Call] = []
        self.places = Places()
        self.legacy: _Call | None = None
        self.finish: Node = ABSENT
        self.usage: Node = ABSENT
        self.error: Node = ABSENT
        self.done = self.choices = False

    @property
    def is_complete(self) -> bool:
        """Whether the end of it came."""
        return bool(self.done or self.finish or not self.error.is_null)

    def add(self, event: Node) -> bool:
        """Take one event in; whether it carried a piece of a call."""
        for name in _TOP:
            if name not in self.top and not event.get(name).is_null:
                self.top[name] = event.get(name)
        self.usage = event.get("usage") if event.get("usage").is_object else self.usage
        self.error = event.get("error") if self.error.is_null else self.error
        choice = next((c for c in event.get("choices").items() if c.get("index").integer() in {0, None}), None)
        return self.add_choice(choice) if choice is not None else False

    def add_choice(self, choice: Node) -> bool:
        """Take a piece of the choice in; whether it carried a piece of a call."""
        self.choices = True
        reason = choice.get("finish_reason")
        self.finish = self.finish if reason.is_null else reason
        delta = choice.get("delta") if choice.get("delta").is_object else choice.get("message")
        for name, pieces in self.texts.items():
            pieces.add(delta.get(name))
        calls = delta.get("tool_calls").items()
        self.places.next_delta()
        for call in calls:
            self._call(call).add(call)
        legacy = delta.get("function_call")
        if legacy.is_object:
            self.legacy = self.legacy or _Call()
            self.legacy.add(Node(write_object([("function", legacy)])))
        return bool(calls) or legacy.is_object

    def _call(self, delta: Node) -> _Call:
        """The call that a piece belongs to."""
        function = delta.get("function")
        at = self.places.of(
            delta.get("index").integer(),
            delta.get("id").string(),
            function.get("name").string(),
            arguments=function.get("arguments").raw not in {b"", b'""', b"null"},
        )
        if at == len(self.calls):
            self.calls.append(_Call())
        return self.calls[at]

    def body(self) -> bytes:
        """The answer so far, as a server would have given it whole."""
        message = [("role", b'"assistant"'), *((name, pieces.raw()) for name, pieces in self.texts.items() if pieces)]
        if self.calls:
            message.append(("tool_calls", write_array(call.raw() for call in self.places.ordered(self.calls))))
        if self.legacy is not None:
            message.append(("function_call", Node(self.legacy.raw()).get("function").raw))
        choice = write_object([("index", b"0"), ("message", write_object(message)), ("finish_reason", self.finish)])
        choices = write_array([choice] if self.choices else [])
        last = (
            [("error", self.error)] if not self.error.is_null else [("choices", Node(choices)), ("usage", self.usage)]
        )
        return write_object([*self.top.items(), *last])


def assemble(stream: Iterable[Event]) -> Assembled:
    """The body of a stream. Raises what `nodes.Unreadable` names where an event is no JSON."""
    whole = Whole()
    first_call = None
    for event in stream:
        if event.data.strip() == DONE:
            whole.done = True
        elif event.data.strip() and whole.add(node(event)) and first_call is None:
            first_call = event.start
    return Assembled(whole.body(), whole.is_complete, first_call)
