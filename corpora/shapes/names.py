"""A tool's name as it was meant: white space and channel markers round it are no part of it."""

from __future__ import annotations

import re

_MARKER = re.compile(r"<\|[^|<>]*\|>")


def meant(name: str | None) -> str:
    """The name without white space round it, and without a channel marker and what such a marker leads in.

    `schedule_window<|channel|>commentary` means schedule_window.
    """
    plain = (name or "").strip()
    if "<|" not in plain:
        return plain
    parts = [part.strip() for part in _MARKER.split(plain)]
    return next((part for part in parts if part), "")
