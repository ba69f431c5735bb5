"""What could carry httpx's requests, with and without its client; what is not installed or does not run is left out."""

from __future__ import annotations

from statistics import median
from subprocess import CalledProcessError

from measure import Server, measured, serving
from speed import loop_of, rises

CARRIERS = (
    "carrier", "aiohttp", "httpx_aiohttp", "httpx_aiohttp_client", "pyqwest", "pyqwest_client", "pyreqwest",
    "pyreqwest_client", "httpx_shards", "raw",
)  # fmt: skip
ROWS = {"transports-16": (0.0, 16, 240), "transports-256": (0.0, 256, 480), "transports-200ms": (0.2, 256, 256)}
"""Latency, how many in flight, and the smaller of two N."""
MORE = 2304


def table(name: str, runs: int) -> None:
    """CPU a request, start-up excluded by the difference of two N; requests a second, or efficiency."""
    latency_s, width, few = ROWS[name]
    many = few + MORE
    with serving(latency_s) as server:
        commands = {one: loop_of(one) for one in CARRIERS if _runs(one, server)}
        found = rises(server, commands, few, many, width, runs)
    for one, (costs, large) in found.items():
        window_s = median(run.window_s for run in large)
        reached = many / width * latency_s / window_s if latency_s else many / window_s
        rss = median(run.rss_mib for run in large)
        print(
            f"{latency_s:4} s {width:5} in flight  {one:22} {median(costs) * 1e6:7.0f} us/request"
            f" {reached:10.3f} {'efficiency' if latency_s else 'requests/s'} {rss:6.1f} MiB",
            flush=True,
        )


def _runs(name: str, server: Server) -> bool:
    """Whether a few requests come through; the reason is said where they do not."""
    try:
        measured(loop_of(name)(server, 16, 16), server)
    except CalledProcessError as error:
        print(f"left out: {name}: {(error.stderr.strip() or 'it fails').splitlines()[-1]}")
        return False
    return True
