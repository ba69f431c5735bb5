"""What an endpoint says that went wrong: the many layouts of an error object read into one."""

from __future__ import annotations

import msgspec

from corpora.shapes.nodes import ABSENT, Node


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """An error object, read."""

    message: str = ""
    code: str = ""
    """`code` as text, whatever kind of value it was."""
    type: str = ""
    param: str = ""
    generation: str | None = None
    """What the model emitted, where the error carries it."""

    @property
    def status(self) -> int | None:
        """The status that the error names, where its code is one."""
        return int(self.code) if self.code.isascii() and self.code.isdigit() and len(self.code) == 3 else None

    def names(self, *words: str) -> bool:
        """Whether the code or type holds one of these words."""
        said = f"{self.code} {self.type}".lower()
        return any(word in said for word in words)

    def says(self, *words: str) -> bool:
        """Whether the message holds one of these words."""
        said = self.message.lower()
        return any(word in said for word in words)


def fault_in(body: Node) -> Fault | None:
    """The error that an object carries, None where it carries none."""
    error = body.get("error")
    if error.is_string:
        return Fault(message=error.string() or "", type="plain-text")
    if error.is_object:
        return _read(error)
    if body.get("object").string() == "error" or (body.get("type").string() == "error" and error.is_null):
        return _read(body)
    return None


def loose_fault(body: Node) -> Fault:
    """The error of a body whose status says already that it is one."""
    return fault_in(body) or _read(body)


def _read(error: Node) -> Fault:
    fields = error.fields()
    generation = fields.get("failed_generation", ABSENT)
    words = [fields.get(name, ABSENT).string() for name in ("message", "detail", "error_description")]
    return Fault(
        message=next((word for word in words if word), ""),
        code=_scalar(fields.get("code", ABSENT)),
        type=_scalar(fields.get("type", ABSENT)),
        param=_scalar(fields.get("param", ABSENT)),
        generation=generation.string() if generation.is_string else None,
    )


def _scalar(node: Node) -> str:
    text = node.string()
    return text if text is not None else "" if node.is_null else node.exact()[:100]


def first_words(body: bytes) -> str:
    """The beginning of a body that is no JSON, on one line."""
    return " ".join(body[:300].decode("utf-8", "replace").split())[:120]
