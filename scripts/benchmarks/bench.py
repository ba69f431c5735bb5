"""What `scripts/bench` runs: the chosen tables, one after another."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import cluster
import engine_cost
import guard
import kills
import loading
import local
import scanning
import speed

TABLES = {
    "speed": speed.efficiency,
    "whole": speed.whole_command,
    "cpu": speed.cpu,
    "serial": speed.serial,
    "transports": speed.transports,
    "start": local.start,
    "memory": local.memory,
    "resume": local.resume,
    "scoring": local.scoring,
    "loading": loading.table,
    "scanning": scanning.table,
    "kills": kills.table,
    "guard": guard.table,
    "coordinator": engine_cost.simulation,
}
CLUSTERED = {
    "engine": engine_cost.cost,
    "cluster": cluster.throughput,
    "heavy": cluster.heavy,
    "cluster-kills": cluster.kills,
}
"""They need Ray (scripts/install --ray), and are run where they are named."""
ALL = {**TABLES, **CLUSTERED}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help=f"some of: {' '.join(ALL)}; default: all but the last four"
    )
    parser.add_argument("--runs", type=int, default=5, help="of each contender, in turn (default 5)")
    chosen = parser.parse_args()
    strangers = [name for name in chosen.tables if name not in ALL]
    if strangers:
        parser.error(f"there is no table {strangers[0]!r}; choose from {' '.join(ALL)}")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"# {platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    print(f"# {', '.join(f'{name} {_version(name)}' for name in ('aiohttp', 'httpx', 'httpx-aiohttp', 'uvloop'))}")
    for name in chosen.tables or TABLES:
        print(f"\n## {name}", flush=True)
        ALL[name](chosen.runs)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


if __name__ == "__main__":
    sys.exit(main())
