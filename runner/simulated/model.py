"""The simulated chat model: a request's body in, a reply's body out. Pure, and seeded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from corpora.corpus import Corpus
from corpora.errors import ProbeError
from corpora.values import Json, JsonObject
from runner.simulated.conduct import decide
from runner.simulated.draw import Draw, Offer, Progress
from runner.simulated.profiles import profile_named
from runner.simulated.scenes import Scene, Stage, text_of
from runner.simulated.writing import body, emit, number_in


class BadRequestError(ProbeError):
    """The request is none that the chat completions API would take."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was understood: its scene, and how far the running sample has come."""

    scene: Scene
    offer: Offer
    turn: int
    """Model turns of this sample so far."""
    number: int | None
    """The sample's number where the request says it: by its seed, or by the calls it carries."""
    results: str
    """What the tools returned in this sample."""
    done: bool
    """The fixture's tool was called in this sample, and did not refuse."""
    prompt: int
    """Characters read."""


class SimulatedModel:
    """A model of one profile that knows some corpora."""

    def __init__(self, corpora: Iterable[Corpus], profile: str = "careless", seed: int = 0) -> None:
        """Raises BadInput for an unknown profile or a set that cannot be read."""
        self.profile = profile_named(profile)
        self.seed = seed
        self.stage = Stage(corpora)

    @property
    def name(self) -> str:
        """What the model reports as its name, whatever was asked for."""
        return f"simulated/{self.profile.name}"

    def read(self, request: Json) -> Asked:
        """Understand a request. Raises BadRequestError or UnknownConversationError."""
        messages = _messages(request)
        scene = self.stage.find(messages)
        own = _own(messages, scene)
        answered = {call.get("id") for m in own for call in m.get("tool_calls") or ()}
        results = [text_of(m.get("content")) for m in messages if m.get("tool_call_id") in answered]
        return Asked(
            scene=scene,
            offer=_offer(request),
            turn=len(own),
            number=_number(request, own),
            results="\n".join(results),
            done=_names(own, scene.corpus.must_call(scene.fixture)) and not _refused(results),
            prompt=sum(len(text_of(m.get("content"))) for m in messages),
        )

    def reply(self, asked: Asked, number: int, *, response_id: str, created: int) -> JsonObject:
        """The body of the reply in sample `number` of the scene."""
        draw = Draw(asked.scene, self.profile, self.seed, number)
        decision = decide(draw, asked.offer, Progress(turn=asked.turn, results=asked.results, done=asked.done))
        emitted = emit(decision, draw, asked.turn, number)
        return body(emitted, model=self.name, response_id=response_id, created=created, prompt=asked.prompt)


def answer(
    request: Json, corpora: Iterable[Corpus], profile: str = "careless", seed: int = 0, *, number: int = 0
) -> JsonObject:
    """The reply to one request, as `SimulatedModel` gives it; `number` counts the samples of a conversation."""
    model = SimulatedModel(corpora, profile, seed)
    asked = model.read(request)
    sample = number if asked.number is None else asked.number
    return model.reply(asked, sample, response_id=f"chatcmpl-{sample:08x}", created=0)


def _messages(request: Json) -> list[JsonObject]:
    if not isinstance(request, dict):
        raise BadRequestError("expected a JSON object")
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(m, dict) for m in messages):
        raise BadRequestError("'messages' must be a list of at least one message")
    return messages


def _own(messages: Sequence[JsonObject], scene: Scene) -> list[JsonObject]:
    """The model's turns of the running sample: those that do not stand in the stored conversation."""
    known = {text_of(message.content).strip() for message in scene.fixture.messages}
    turns = [message for message in messages if message.get("role") == "assistant"]
    return [m for m in turns if not _is_stored(m.get("tool_calls"), text_of(m.get("content")).strip(), known, scene)]


def _is_stored(calls: Json, words: str, known: set[str], scene: Scene) -> bool:
    if isinstance(calls, list) and calls:
        return any(call.get("id") in scene.call_ids for call in calls)
    return words in known


def _names(own: Sequence[JsonObject], tool: str) -> bool:
    """Whether a turn calls a tool, also where an agent wrote its calls into words."""
    return any(tool in str((message.get("tool_calls"), message.get("content"))) for message in own)


def _refused(results: Sequence[str]) -> bool:
    """Whether the last answer of a tool is an error."""
    return bool(results) and '"error"' in results[-1]


def _number(request: JsonObject, own: Sequence[JsonObject]) -> int | None:
    for message in own:
        found = number_in(str(message["tool_calls"][0].get("id"))) if message.get("tool_calls") else None
        if found is not None:
            return found
    seed = request.get("seed")
    return abs(seed) % (1 << 32) if isinstance(seed, int) else None


def _offer(request: JsonObject) -> Offer:
    tools = request.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise BadRequestError("'tools' must be a list of objects")
    named = {str(function.get("name")): function for function in (tool.get("function", tool) for tool in tools)}
    choice = request.get("tool_choice") or "auto"
    if isinstance(choice, dict):
        choice = choice.get("function", choice).get("name", "auto")
    return Offer(
        tools={name: function.get("parameters") or {} for name, function in named.items()},
        choice=str(choice),
        parallel=request.get("parallel_tool_calls") is not False,
    )
