"""How fast results are scored, beside polars held to one thread and DuckDB, which do only the count, in the same run.

counting.py RECORDS PYTHON-WITH-POLARS-AND-DUCKDB [ROUNDS]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ASSUMEPROBE = Path(sys.executable).with_name("assumeprobe")
REFUNDS = ROOT / "results/refunds-simulated-careless.jsonl"
ONE_PROCESS = """
import sys
from runner.commands.score import score
from runner.results.basis import Leave
score([sys.argv[1]], corpus="refunds", leave=Leave(changed=True), form="json", worth_bytes=1 << 62)
"""
DECODE = "import sys, msgspec; d = msgspec.json.Decoder().decode; f = open(sys.argv[1], 'rb')\nfor line in f: d(line)"

POLARS = """
import sys, polars as pl
call = pl.Struct({"name": pl.String, "arguments": pl.String})
schema = {"stratum": pl.String, "status": pl.String, "calls": pl.List(call)}
code = pl.col("calls").struct.field("arguments").str.extract(r'"reason_code":\\s*"([^"]*)"')
rows = (pl.scan_ndjson(sys.argv[1], schema=schema).filter(pl.col("status") == "ok").select("stratum", "calls")
    .explode("calls").filter(pl.col("calls").struct.field("name") == "refund_order")
    .select("stratum", code.alias("code")).group_by("stratum", "code").len().collect(engine="streaming"))
print(rows["len"].sum())
"""
DUCKDB = """
import sys, duckdb
connection = duckdb.connect()
connection.execute("set threads = 2")
print(connection.execute('''select stratum, json_extract_string(c.arguments, '$.reason_code') code, count(*)
    from (select stratum, unnest(calls) c from read_ndjson(?, columns = {stratum: 'VARCHAR', status: 'VARCHAR',
        calls: 'STRUCT(name VARCHAR, arguments VARCHAR)[]'}) where status = 'ok')
    where c.name = 'refund_order' and json_valid(c.arguments) group by all''', [sys.argv[1]]).fetchall()[0])
"""


def cost(command: list[str], **environ: str) -> tuple[float, float, float]:
    """Wall time, CPU time, and peak memory in MiB of one process and its children."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environ})
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[:3]} failed with {status}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compared(contenders: dict[str, tuple[list[str], dict[str, str]]], records: int, rounds: int) -> None:
    """Run the contenders in turn and print the medians."""
    runs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (command, environ) in contenders.items():
            runs[name].append(cost(command, **environ))
    for name, found in runs.items():
        wall, cpu, memory = (median(column) for column in zip(*found, strict=True))
        print(f"  {name:38} {records / wall:>9,.0f}/s wall  {records / cpu:>9,.0f} per CPU s  {memory:6.0f} MiB")


def main(records: int, other: str, rounds: int) -> None:
    """Both comparisons."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/many.jsonl"
        subprocess.run([sys.executable, str(HERE / "many.py"), str(REFUNDS), str(records), file], check=True)
        size = Path(file).stat().st_size
        print(
            f"{records:,} records of refunds, one membership probe ({size / 2**20:,.0f} MiB), {rounds} rounds in turn"
        )
        score = ["score", file, "--corpus", "refunds", "--allow-changed", "--format", "json"]
        compared(
            {
                "score, one process": ([sys.executable, "-c", ONE_PROCESS, file], {}),
                "polars scan_ndjson, one thread": ([other, "-c", POLARS, file], {"POLARS_MAX_THREADS": "1"}),
                "score, a process a core": ([str(ASSUMEPROBE), *score], {}),
                "DuckDB, declared columns, two threads": ([other, "-c", DUCKDB, file], {}),
            },
            records,
            rounds,
        )
        few = f"{folder}/few.jsonl"
        run = ["run", "maintenance", "--simulate", "-o", few, "--quiet"]
        subprocess.run([str(ASSUMEPROBE), *run], check=True)
        subprocess.run([sys.executable, str(HERE / "many.py"), few, str(records // 5), file], check=True)
        print(f"{records // 5:,} records of maintenance, all closed-world probes, verdicts written")
        score = ["score", file, "--corpus", "maintenance", "--verdicts", f"{folder}/v.jsonl", "--format", "json"]
        compared(
            {
                "score --verdicts": ([str(ASSUMEPROBE), *score], {}),
                "a bare msgspec decode": ([sys.executable, "-c", DECODE, file], {}),
            },
            records // 5,
            rounds,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3)
