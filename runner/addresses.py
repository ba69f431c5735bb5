"""Which endpoint a run asks, and which key goes there.

No endpoint is assumed. A key from the environment goes to a base URL of its own family (`BASE_URL` and `API_KEY`,
`OPENAI_BASE_URL` and `OPENAI_API_KEY`), or where a flag names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from corpora.errors import BadInput
from runner.flags import Api, RunFlags
from runner.secrets import Secret

FAMILIES: dict[Api, tuple[tuple[str, str], ...]] = {
    "openai-chat": (("BASE_URL", "API_KEY"), ("OPENAI_BASE_URL", "OPENAI_API_KEY")),
    "openai-responses": (("BASE_URL", "API_KEY"), ("OPENAI_BASE_URL", "OPENAI_API_KEY")),
    "anthropic-messages": (("BASE_URL", "API_KEY"), ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")),
}
"""For each API, the names of a base URL and of the key that belongs to it, in the order in which they are tried."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_IN_NO_URL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\\]")
"""Control characters and the backslash; tabs and line ends are left out of a URL by whatever reads it."""

HOW_TO_NAME_AN_ENDPOINT = (
    "no endpoint is named: give --base-url URL and --model NAME, or set BASE_URL and MODEL, "
    "or use --simulate for the embedded simulated model"
)


class Address(NamedTuple):
    """A base URL and the key that goes there."""

    base_url: str
    key: Secret | None
    key_env: str | None
    """The variable that holds the key."""
    notes: tuple[str, ...]
    """Keys that are set and stay at home."""


def address(flags: RunFlags, environ: Mapping[str, str]) -> Address:
    """What flags and environment name. Raises BadInput where that is no endpoint, or no key that a header can carry."""
    families = FAMILIES[flags.api]
    base_url = flags.base_url or next((environ[url] for url, _ in families if environ.get(url)), None)
    if not base_url:
        raise BadInput(HOW_TO_NAME_AN_ENDPOINT)
    _check_url(base_url)
    if flags.api_key_env is not None:
        return Address(base_url, _key(flags.api_key_env, environ), flags.api_key_env, ())
    own = [key for url, key in families if _same_url(environ.get(url), base_url)]
    for name in own:
        if environ.get(name):
            return Address(base_url, _key(name, environ), name, ())
    strangers = [name for _, name in families if environ.get(name) and name not in own]
    notes = tuple(
        f"{name} is set and not sent: it belongs to another base URL; --api-key-env {name} sends it"
        for name in strangers
        if flags.simulate is None
    )
    return Address(base_url, None, None, notes)


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
    """Raises BadInput where no request can go there; of the URL only its scheme is said, the rest may be secret."""
    found = _unusable(base_url)
    if found is not None:
        raise BadInput(f"expected http://HOST[:PORT]/PATH or https://…, found {found}", field="--base-url")


def _unusable(url: str) -> str | None:
    """What is wrong with a URL; None where it can be asked."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "a host or port that is none"
    if _IN_NO_URL.search(url):
        return "a character that stands in no URL"
    if parts.scheme not in {"http", "https"}:
        return f"the scheme {parts.scheme!r}" if parts.scheme else "no scheme"
    if not parts.hostname:
        return "no host"
    return "port 0" if port == 0 else None


def _same_url(one: str | None, other: str) -> bool:
    return one is not None and one.rstrip("/") == other.rstrip("/")
