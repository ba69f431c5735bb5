"""Where requests to a base URL go, and by which proxy."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit

from corpora.errors import BadInput


def joined(base_url: str, path: str) -> str:
    """The address of one API below a base URL, whose query stays. A base URL may end in the path's own beginning."""
    parts = urlsplit(base_url)
    base = parts.path.rstrip("/")
    steps = path.strip("/").split("/")
    shared = next(n for n in range(len(steps), -1, -1) if base.endswith("/".join(["", *steps[:n]])))
    whole = "/".join([base, *steps[shared:]])
    return urlunsplit((parts.scheme, parts.netloc, whole, parts.query, ""))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def endpoint_of(base_url: str) -> tuple[str, str, str]:
    """What tells one endpoint from another: scheme, host with port, path.

    On this machine a server may come up on another port, and is the same one still.
    """
    parts = urlsplit(base_url)
    here = is_loopback(parts.hostname or "")
    return parts.scheme, "loopback" if here else parts.netloc, parts.path.rstrip("/")


def proxy_for(base_url: str) -> str | None:
    """The proxy that the environment names for an address; none for this machine, whatever NO_PROXY says.

    Raises BadInput where it is none that can be used.
    """
    import urllib.request  # loaded where something is sent

    parts = urlsplit(base_url)
    host = parts.hostname or ""
    if is_loopback(host) or urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    return _usable(proxy) if proxy else None


def _usable(proxy: str) -> str:
    """A proxy with its scheme, which many leave out."""
    whole = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(whole)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:  # it may hold a password: it is not repeated
        scheme = whole.partition("://")[0]
        raise BadInput(
            f"the proxy that the environment names ({scheme}://…) cannot be used: expected http://HOST:PORT or https://…"
        )
    return whole
