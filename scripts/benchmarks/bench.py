"""What `scripts/bench` runs: the chosen tables, one after another."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import cluster
import engine_cost
import guard
import kills
import loading
import local
import scanning
import speed
import transports

EFFICIENCY = {f"efficiency-{name}": partial(speed.efficiency, name) for name in speed.WANTED}
SPEED = {f"speed-{name}": partial(speed.speed, name) for name in speed.ROWS}
TRANSPORTS = {name: partial(transports.table, name) for name in transports.ROWS}
GROUPS = {"efficiency": EFFICIENCY, "speed": SPEED, "transports": TRANSPORTS, "guard": guard.ROWS}
"""Each row can be asked for alone, or all of a group by its name."""
TABLES = {
    **SPEED,
    "whole": speed.whole_command,
    "cpu": speed.cpu,
    "serial": speed.serial,
    **TRANSPORTS,
    "start": local.start,
    "memory": local.memory,
    "resume": local.resume,
    "scoring": local.scoring,
    "loading": loading.table,
    "scanning": scanning.table,
    "kills": kills.table,
    **guard.ROWS,
    "coordinator": engine_cost.simulation,
}
CLUSTERED = {
    "engine": engine_cost.cost,
    "cluster": cluster.throughput,
    "heavy": cluster.heavy,
    "cluster-kills": cluster.kills,
}
"""They need Ray (scripts/install --ray), and are run where they are named."""
ALL = {**TABLES, **EFFICIENCY, **CLUSTERED}
ROWS = {row for group in GROUPS.values() for row in group}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "tables",
        nargs="*",
        metavar="TABLE",
        help=f"some of: {' '.join((*GROUPS, *(name for name in ALL if name not in ROWS)))}; or one row: "
        f"{' '.join(name for name in ALL if name in ROWS)}; default: all but {' '.join(CLUSTERED)} and efficiency, "
        "whose rows are in speed too",
    )
    parser.add_argument("--runs", type=int, default=5, help="of each contender, in turn (default 5)")
    chosen = parser.parse_args()
    strangers = [name for name in chosen.tables if name not in ALL and name not in GROUPS]
    if strangers:
        parser.error(f"there is no table {strangers[0]!r}; choose from {' '.join((*GROUPS, *ALL))}")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"# {platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    print(f"# {', '.join(f'{name} {_version(name)}' for name in ('aiohttp', 'httpx', 'httpx-aiohttp', 'uvloop'))}")
    for name in [row for table in chosen.tables or TABLES for row in GROUPS.get(table, (table,))]:
        print(f"\n## {name}", flush=True)
        ALL[name](chosen.runs)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


if __name__ == "__main__":
    sys.exit(main())
