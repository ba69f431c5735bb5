"""Words for a person or a log collector, on standard error: structlog, pretty on a terminal, JSON elsewhere.

structlog is loaded when something is logged or set up, so that commands without a word to say start without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Literal, TextIO

from runner.secrets import MARK, SHORTEST

if TYPE_CHECKING:
    import structlog

Format = Literal["console", "json"]


def configure(
    fmt: Format | None = None, secrets: Iterable[str] = (), stream: TextIO | None = None, *, quiet: bool = False
) -> None:
    """Set up logging for this process: `fmt`, or by whether standard error is a terminal; quiet is warnings only.

    No line will hold one of `secrets`, nor a character that a terminal obeys.
    """
    import structlog

    target = sys.stderr if stream is None else stream
    json = fmt == "json" or (fmt is None and not target.isatty())
    last: Any = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=_colours(target))
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _Clean(tuple(secrets)),
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger("warning" if quiet else "info"),
        logger_factory=structlog.PrintLoggerFactory(target),
        cache_logger_on_first_use=False,
    )


def _colours(stream: TextIO) -> bool:
    """Whether to colour: a terminal that can, unless `NO_COLOR` (no-color.org) is set to anything."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def logger(**facts: object) -> structlog.typing.FilteringBoundLogger:
    """A logger with facts bound to it: what every other module takes instead of structlog."""
    import structlog

    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger(**facts)
    return bound


def printable(text: str) -> str:
    """A text of one line that a terminal shows and does not obey: what is not printable becomes an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class _Clean:
    """The processor that takes secrets and control characters out of every string."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = tuple(secret for secret in secrets if len(secret) >= SHORTEST)

    def __call__(self, _: object, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
        return {key: self._trace(value) if key == "exception" else self._value(value) for key, value in event.items()}

    def _trace(self, value: object) -> object:
        """A traceback keeps its lines."""
        return "\n".join(str(self._value(line)) for line in str(value).split("\n"))

    def _value(self, value: object) -> object:
        match value:
            case bool() | int() | float() | None:
                return value
            case dict():
                return {str(key): self._value(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self._value(inner) for inner in value]
        text = str(value)
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return printable(text)
