"""What the calls of a tool look like, learned from those that came, so that the next one is decoded as what it is.

A decoder that knows the names and which of their values are texts makes fewer objects than one of anything; and it
proves with one count that no key stands twice. Each of n names has to be there, and each text is one: so there are at
least 2 (n + texts) quotes that begin or end something. Exactly so many: no other name stands there, none stands twice,
and no text holds a quote.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec

from corpora.values import Json, JsonObject

Decode = Callable[[str], object]

_MOST_NAMES = 24
_MOST_SHAPES = 16
"""So many shapes of one tool are learned: what a model makes up must not fill the memory."""
_MOST_LOOKS = 1_000
"""So many calls are looked at: to look costs as much as to decide."""
_NO_TEXT = int | float | bool | None
_SCALARS = frozenset({str, int, float, bool, type(None)})


class Shapes:
    """Decoders by how many quotes a call has. `wanted`: the names that are decided on; theirs have to be texts."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self.by_quotes: dict[int, Decode] = {}
        self._wanted = wanted
        self._once: tuple[object, ...] | None = None
        self._made = 0
        self._looks = 0

    def fields(self) -> tuple[str, ...]:
        """Where a decoded call holds the values of the wanted names."""
        return tuple(f"f{number}" for number in range(len(self._wanted)))

    def learn(self, value: JsonObject) -> None:
        """Look at a call that was decoded as anything; two alike in a row make a shape."""
        if self._looks >= _MOST_LOOKS or self._made >= _MOST_SHAPES:
            return
        self._looks += 1
        if not _SCALARS.issuperset(map(type, value.values())):
            return
        texts = [name for name, item in value.items() if type(item) is str]
        if len(value) > _MOST_NAMES or not set(texts).issuperset(self._wanted):
            return
        seen = (frozenset(value), frozenset(texts))
        if seen != self._once:
            self._once = seen
            return
        self._made += 1
        names = (*self._wanted, *(name for name in value if name not in self._wanted))
        with suppress(ValueError):  # a name that no Struct can have
            self.by_quotes[2 * (len(value) + len(texts))] = _decoder(names, texts)


def _decoder(names: tuple[str, ...], texts: list[str]) -> Decode:
    """A strict decoder of these names, each of which has to be there."""
    fields = [(f"f{number}", str if name in texts else _NO_TEXT) for number, name in enumerate(names)]
    called = {f"f{number}": name for number, name in enumerate(names)}
    kind = msgspec.defstruct("Call", fields, rename=called, gc=False)
    return msgspec.json.Decoder(kind).decode


def decode_unique(text: str) -> Json:
    """Any JSON value; raises KeyError where a key may stand twice in an object.

    Each key has a colon behind it, and what is written again has the same colons in its strings: so many colons are
    there, or more were and their keys are gone.
    """
    value = _decode(text)
    colons = text.count(":")
    if isinstance(value, dict) and (
        colons == len(value) or ("\\u003" not in text and colons == _encode(value).count(b":"))
    ):
        return value
    raise KeyError(text[:80])


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
