"""The name of a tool as it was emitted, against the tools that were offered."""

from __future__ import annotations

import re

_MARKERS = re.compile(r"<\|[^|<>]*\|>.*$|^(?:functions?|tools?)[.:]", re.DOTALL)


def plain_name(name: str | None) -> str:
    """A name without the white space and channel markers that some servers leave round it."""
    if name is not None and name.isidentifier():  # nearly every name: nothing stands round it
        return name
    return _MARKERS.sub("", (name or "").strip()).strip()
