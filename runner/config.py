"""A run's settings from corpus, flags and environment: frozen, checked, and with no secret in any repr.

Nothing is assumed: with no endpoint or model named there is no configuration. A key from the environment goes to a
base URL of its own family (`BASE_URL` and `API_KEY`, `OPENAI_BASE_URL` and `OPENAI_API_KEY`), or where a flag names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec

from corpora.corpus import Corpus
from corpora.errors import BadInput
from corpora.records import Study
from runner.requesting import check_study, dropped, headers, params
from runner.secrets import Secret
from runner.selection import select

T = TypeVar("T")

Api = Literal["openai-chat", "openai-responses", "anthropic-messages"]
Order = Literal["strata", "file"]
Profile = Literal["careless", "careful", "perfect"]

FAMILIES: dict[Api, tuple[tuple[str, str], ...]] = {
    "openai-chat": (("BASE_URL", "API_KEY"), ("OPENAI_BASE_URL", "OPENAI_API_KEY")),
    "openai-responses": (("BASE_URL", "API_KEY"), ("OPENAI_BASE_URL", "OPENAI_API_KEY")),
    "anthropic-messages": (("BASE_URL", "API_KEY"), ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")),
}
"""For each API, the names of a base URL and of the key that belongs to it, in the order in which they are tried."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

AUTO_AT_MOST = 64
"""The most in flight where their number is found out."""

HOW_TO_NAME_AN_ENDPOINT = (
    "no endpoint is named: give --base-url URL and --model NAME, or set BASE_URL and MODEL, "
    "or use --simulate for the embedded simulated model"
)


class RunFlags(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line said; None where it said nothing."""

    base_url: str | None = None
    model: str | None = None
    api: Api = "openai-chat"
    api_key_env: str | None = None
    """Name of the variable that holds the key."""
    temperature: float | None = None
    samples: int | None = None
    seed: int | None = None
    max_tokens: int | None = None
    tool_choice: str | None = None
    max_turns: int | None = None
    concurrency: int | Literal["auto"] = 8
    serial: bool = False
    same_seed: bool = False
    stream: bool = False
    params: tuple[str, ...] = ()
    """NAME=VALUE, put into every request."""
    drop_params: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    """NAME=env:VARIABLE."""
    rpm: float | None = None
    tpm: float | None = None
    preflight: bool = True
    order: Order = "strata"
    timeout_s: float = 120.0
    max_attempts: int = 5
    strata: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    limit: int | None = None
    """At most so many fixtures, drawn from the strata in turn."""
    simulate: Profile | None = None
    agent: str | None = None
    """MODULE:NAME of a user's agent; None for the own loop. After it was imported: with a hash of its configuration."""
    agent_config: str | None = None
    stubs: str | None = None
    record_wire: bool = False
    stub_errors: float = 0.0
    """Share of the calls that the stub refuses."""


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
    found = _endpoint(flags, environ)
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
        notes=found.notes,
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
        base_url=recorded_url(base_url),
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


class _Found(NamedTuple):
    base_url: str
    key: Secret | None
    key_env: str | None
    notes: tuple[str, ...]


def _endpoint(flags: RunFlags, environ: Mapping[str, str]) -> _Found:
    families = FAMILIES[flags.api]
    base_url = flags.base_url or next((environ[url] for url, _ in families if environ.get(url)), None)
    if not base_url:
        raise BadInput(HOW_TO_NAME_AN_ENDPOINT)
    _check_url(base_url)
    if flags.api_key_env is not None:
        return _Found(base_url, _key(flags.api_key_env, environ), flags.api_key_env, ())
    own = [key for url, key in families if _same_url(environ.get(url), base_url)]
    for name in own:
        if environ.get(name):
            return _Found(base_url, _key(name, environ), name, ())
    strangers = [name for _, name in families if environ.get(name) and name not in own]
    notes = tuple(
        f"{name} is set and not sent: it belongs to another base URL; --api-key-env {name} sends it"
        for name in strangers
        if flags.simulate is None
    )
    return _Found(base_url, None, None, notes)


def _key(name: str, environ: Mapping[str, str]) -> Secret:
    if not _VARIABLE.fullmatch(name):  # it may be the key itself: it is not repeated
        raise BadInput("expected the name of a variable that holds the key, not the key", field="--api-key-env")
    value = environ.get(name, "").strip()
    if not value:
        raise BadInput(f"the environment has no {name}; set it to the key, or name another by --api-key-env")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise BadInput(f"the value of {name} is no key: it holds characters that no header can carry")
    return Secret(value)


def _check_url(base_url: str) -> None:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise BadInput("the base URL is none: expected http://HOST[:PORT]/PATH or https://…", field="--base-url")


def _same_url(one: str | None, other: str) -> bool:
    return one is not None and one.rstrip("/") == other.rstrip("/")


def recorded_url(url: str) -> str:
    """A URL as it may be written down: without userinfo, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
