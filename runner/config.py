"""A run's settings from corpus, flags and environment: frozen, checked, and with no secret in any repr.

Nothing is assumed: with no endpoint or model named there is no configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.manifests import Study
from corpora.sets import plain_url
from runner.addresses import address
from runner.flags import Api, RunFlags
from runner.requesting import check_study, dropped, headers, params
from runner.secrets import Secret
from runner.selection import select

T = TypeVar("T")

AUTO_AT_MOST = 64
"""The most in flight where their number is found out."""


class EndpointConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Where requests go, and how long one may take."""

    base_url: str
    """With userinfo and query, should it have any; `Study.base_url` is the one to write down."""
    api: Api
    model: str
    key: Secret | None = None
    key_env: str | None = None
    """The variable that holds the key: what travels where the key does not."""
    headers: dict[str, Secret] = {}
    """Sent with every request."""
    timeout_s: float = 120.0
    """For one attempt, from the connection to the last byte."""
    connect_timeout_s: float = 10.0
    first_byte_timeout_s: float | None = None
    """Until the answer begins; None where only the whole is bounded."""
    idle_timeout_s: float = 60.0
    """Between two pieces of an answer."""
    max_attempts: int = 5
    """Requests for one turn, the first one counted."""
    backoff_s: float = 0.5
    """The first wait before another attempt where the server asks for none; it doubles."""
    max_wait_s: float = 300.0
    """The longest wait that a server may ask for; above it the run stops and says so."""
    max_response_bytes: int = 64 * 1024 * 1024
    """Of a body, as it is sent and as it decompresses."""
    concurrency: int = 8
    """Requests in flight, the most where it adapts: the connection pool is as large."""
    adaptive: bool = False
    """Find out how many in flight the endpoint bears, up to `concurrency`."""
    rpm: float | None = None
    """Requests a minute, at most."""
    tpm: float | None = None
    """Tokens a minute, at most."""
    first_alone: bool = True
    """The first request goes alone, so that its answer tells the limits; the first of a preflight does."""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What is never written down: the key, and the values of the header fields that a flag names."""
        return (*([self.key] if self.key else []), *self.headers.values())


class RunConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a run does, decided before it starts."""

    study: Study
    endpoint: EndpointConfig
    concurrency: int
    """Samples in flight; 1 where serial."""
    serial: bool = False
    selected: tuple[str, ...] | None = None
    """Ids of the fixtures that filters chose, in the corpus's order; None where all."""
    preflight: bool = False
    """Ask the endpoint two questions about itself before the first sample."""
    notes: tuple[str, ...] = ()
    """What a person should know of how it was decided."""


def resolve(corpus: Corpus, flags: RunFlags, environ: Mapping[str, str]) -> RunConfig:
    """The settings of one run. Raises BadInput where no endpoint or model is named, or a flag cannot be used."""
    found = address(flags, environ)
    _check_tool_choice(corpus, flags.tool_choice)
    concurrency = 1 if flags.serial else AUTO_AT_MOST if flags.concurrency == "auto" else flags.concurrency
    model = flags.model or environ.get("MODEL")
    if not model:
        raise BadInput("no model is named: give --model NAME or set MODEL")
    return RunConfig(
        study=_study(corpus, flags, found.base_url, model),
        endpoint=EndpointConfig(
            base_url=found.base_url,
            api=flags.api,
            model=model,
            key=found.key,
            key_env=found.key_env,
            timeout_s=flags.timeout_s,
            max_attempts=flags.max_attempts,
            max_wait_s=flags.max_wait_s,
            max_response_bytes=flags.max_response_bytes,
            headers=headers(flags.headers, environ),
            concurrency=concurrency,
            adaptive=flags.concurrency == "auto" and not flags.serial,
            rpm=flags.rpm,
            tpm=flags.tpm,
            first_alone=flags.preflight,
        ),
        concurrency=concurrency,
        serial=flags.serial,
        selected=select(corpus, flags.strata, flags.fixtures, flags.limit),
        preflight=flags.preflight and flags.simulate is None,
        notes=(*found.notes, *_unpaced(flags)),
    )


def _unpaced(flags: RunFlags) -> tuple[str, ...]:
    """What a limit over time does not reach: a user's agent sends its requests itself."""
    if flags.agent is None or (flags.rpm is None and flags.tpm is None):
        return ()
    return (
        "--rpm and --tpm do not pace --agent, which sends its requests itself; -j limits how many samples it plays",
    )


def _check_tool_choice(corpus: Corpus, choice: str | None) -> None:
    known = ("auto", "required", "none", *(tool.name for tool in corpus.tools))
    if choice is not None and choice not in known:
        raise BadInput(f"{choice!r} is none of {', '.join(known)}", field="--tool-choice")


def _study(corpus: Corpus, flags: RunFlags, base_url: str, model: str) -> Study:
    defaults = corpus.run
    study = Study(
        model=model,
        api=flags.api,
        base_url=plain_url(base_url),
        temperature=_first(flags.temperature, defaults.temperature),
        samples=flags.samples or defaults.samples,
        seed=flags.seed,
        max_tokens=_first(flags.max_tokens, defaults.max_tokens),
        max_turns=flags.max_turns or defaults.max_turns,
        tool_choice=flags.tool_choice or defaults.tool_choice,
        order=flags.order,
        stub_errors=flags.stub_errors,
        agent=flags.agent,
        params=params(flags.params),
        same_seed=flags.same_seed,
        stream=flags.stream,
    )
    kept = dropped(study, flags.drop_params) if flags.drop_params else study
    check_study(kept)
    return kept


def _first(given: T | None, default: T | None) -> T | None:
    return default if given is None else given
