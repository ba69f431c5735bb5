"""Finds the fixture that a request carries, by its messages alone: a request never names it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from corpora.corpus import Corpus
from corpora.errors import BadInput, ProbeError
from corpora.fixtures import Fixture
from corpora.sets import needs_connection, read_set
from corpora.snapshots import AuthoritativeSet
from corpora.values import Json, JsonObject


class UnknownConversationError(ProbeError):
    """No fixture of the loaded corpora has these messages."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A fixture as a model meets it, with what the simulation may know of the services behind it."""

    corpus: Corpus
    fixture: Fixture
    sets: dict[str, AuthoritativeSet]
    system: str
    """The system text as the runner would send it."""
    spoken: tuple[str, ...]
    """What the user says, message by message."""
    shown: str
    """Everything a model is shown, in one text."""
    call_ids: frozenset[str]
    """Calls that stand in the stored conversation already."""


def text_of(content: Json) -> str:
    """The words of a message, whether its content is a string, a list of parts, or null."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    return ""


class Stage:
    """The scenes of some corpora, found by what the user says in them."""

    def __init__(self, corpora: Iterable[Corpus]) -> None:
        self.corpora = tuple(corpora)
        self.scenes = tuple(scene for corpus in self.corpora for scene in _scenes(corpus))
        self._by_words: dict[tuple[str, ...], list[Scene]] = {}
        for scene in self.scenes:
            self._by_words.setdefault(scene.spoken, []).append(scene)

    def find(self, messages: Sequence[JsonObject]) -> Scene:
        """The scene of these messages, also after further turns. Raises UnknownConversationError.

        What the user says decides. An agent may bring its own system text, add messages, or write a conversation into
        one message: then all that the user says must still stand in the request, in its order.
        """
        texts = [(message.get("role"), text_of(message.get("content")).strip()) for message in messages]
        spoken = tuple(text for role, text in texts if role == "user")
        everything = "\n".join(text for _, text in texts)
        found = self._by_words.get(spoken) or self._quoted(everything)
        if not found:
            raise UnknownConversationError(_unknown(spoken, self.corpora))
        return found[0] if len(found) == 1 else _closest(found, everything)

    def _quoted(self, everything: str) -> list[Scene]:
        """The scenes whose user is quoted whole; of several the ones that say most."""
        found = [scene for scene in self.scenes if _in_order(scene.spoken, everything)]
        longest = max((_length(scene) for scene in found), default=0)
        return [scene for scene in found if _length(scene) == longest]


def _length(scene: Scene) -> int:
    return sum(map(len, scene.spoken))


def _in_order(parts: Sequence[str], text: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def _closest(found: Sequence[Scene], everything: str) -> Scene:
    """One of several scenes with the same user: most of whose other words stand in the request, then the first."""

    def likeness(scene: Scene) -> tuple[bool, int]:
        """Whether its system text stands in the request, and how many characters of its words do."""
        texts = [text_of(message.content).strip() for message in scene.fixture.messages]
        return scene.system.strip() in everything, sum(len(text) for text in texts if text in everything)

    return max(found, key=likeness)


def _unknown(spoken: Sequence[str], corpora: Sequence[Corpus]) -> str:
    names = ", ".join(corpus.name for corpus in corpora)
    said = f"the user's last message begins {spoken[-1][:60]!r}" if spoken else "it has no user message"
    return f"this conversation stands in none of the loaded corpora ({names}): {said}; load its corpus with --corpus"


def _scenes(corpus: Corpus) -> Iterable[Scene]:
    sets = _known_sets(corpus)
    for fixture in corpus.fixtures:
        system = corpus.system_text(fixture)
        texts = [message.content or "" for message in fixture.messages]
        yield Scene(
            corpus=corpus,
            fixture=fixture,
            sets=sets,
            system=system,
            spoken=tuple((m.content or "").strip() for m in fixture.messages if m.role == "user"),
            shown="\n".join([system, *texts]),
            call_ids=frozenset(call.id for m in fixture.messages for call in m.tool_calls),
        )


def _known_sets(corpus: Corpus) -> dict[str, AuthoritativeSet]:
    """The sets that can be read from the folder; the simulation opens no connection and invents where it knows none."""
    found = {}
    for name, spec in corpus.set_specs.items():
        if not needs_connection(spec):
            try:
                found[name] = read_set(name, spec, Path(corpus.folder))
            except BadInput as error:
                place = error.path or f"{corpus.folder}/corpus.toml"
                raise BadInput(error.what, path=place, line=error.line, field=error.field) from error
    return found
