"""What the command line of a run may say, as one message."""

from __future__ import annotations

from typing import Literal

import msgspec

Api = Literal["openai-chat", "openai-responses", "anthropic-messages"]
Order = Literal["strata", "file"]
Profile = Literal["careless", "careful", "perfect"]


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
    max_wait_s: float = 300.0
    max_response_bytes: int = 64 * 1024 * 1024
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
