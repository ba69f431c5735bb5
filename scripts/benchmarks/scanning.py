"""What it costs to scan a million chat logs of 2 KB, beside decoding the same file line by line with msgspec alone.

Bound: no slower than half the speed of the bare decode, and memory that does not grow with the file. Both are processes
of their own, taken in turn; the file is made anew, 2 GB for a million lines.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import ASSUMEPROBE

LINES = 1_000_000
LINE_BYTES = 2_000
BOUND = 0.5

BARE = """
import sys, msgspec
decode = msgspec.json.Decoder().decode
with open(sys.argv[1], "rb") as stream:
    for line in stream:
        decode(line)
"""
CODES = (
    "DAMAGED_ON_ARRIVAL",
    "WRONG_ITEM_SHIPPED",
    "LATE_DELIVERY",
    "OTHER",
    "CUSTOMER_UNHAPPY",
    " damaged on arrival",
)
WORDS = ("the", "parcel", "came", "late", "and", "the", "box", "was", "open", "so", "I", "want", "my", "money", "back")


def log_line(number: int, chance: random.Random) -> bytes:
    """A request with its response, as a proxy logs it."""
    arguments = {"order_id": str(number), "reason_code": chance.choice(CODES), "amount_cents": chance.randrange(50_000)}
    function = {"name": "refund_order", "arguments": json.dumps(arguments)}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}],
    }
    body = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_780_000_000 + 7 * number,
        "model": "model-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 300, "completion_tokens": 40, "total_tokens": 340},
    }
    said = [{"role": "system", "content": "You refund orders."}, {"role": "user", "content": ""}]
    record = {"request": {"model": "model-1", "messages": said}, "response": body}
    room = LINE_BYTES - len(json.dumps(record)) - 1
    said[1]["content"] = " ".join(chance.choices(WORDS, k=room // 4))[:room].ljust(room, ".")
    return json.dumps(record).encode() + b"\n"


def write_log(path: Path, count: int) -> None:
    """Some thousand different lines, repeated, each with numbers of its own."""
    chance = random.Random(8)
    with path.open("wb") as stream:
        for number in range(count):
            if number % 1000 == 0:
                pattern = [log_line(n, chance) for n in range(number, min(count, number + 20))]
            stream.write(pattern[number % len(pattern)])


def taken(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak MiB of a process."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def table(runs: int) -> None:
    """The figures, for the whole file and for a tenth of it."""
    with tempfile.TemporaryDirectory() as folder:
        path, tenth = Path(folder, "log.jsonl"), Path(folder, "tenth.jsonl")
        write_log(path, LINES)
        write_log(tenth, LINES // 10)
        scan = [str(ASSUMEPROBE), "scan", "{}", "--set", "refunds:reason_codes", "--format", "json"]
        bare = [sys.executable, "-c", BARE, str(path)]
        whole = [part.format(path) for part in scan]
        rounds = [(taken(bare), taken(whole)) for _ in range(max(1, runs // 2))]
        alone, ours = (statistics.median(pair[side][0] for pair in rounds) for side in (0, 1))
        cpu = statistics.median(pair[0][1] / pair[1][1] for pair in rounds)
        ratio = statistics.median(pair[0][0] / pair[1][0] for pair in rounds)
        peak, small = max(pair[1][2] for pair in rounds), taken([part.format(tenth) for part in scan])[2]
        print(f"{LINES} lines of {LINE_BYTES} bytes: scan {ours:.1f} s, msgspec alone {alone:.1f} s")
        print(f"speed {ratio:.2f} x of the bare decode by the clock, {cpu:.2f} x by CPU time (bound {BOUND})")
        print(f"peak memory {peak:.0f} MiB, of a tenth of the file {small:.0f} MiB")
