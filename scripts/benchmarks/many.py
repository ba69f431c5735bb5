"""Many records out of few: the lines of a real results file again and again, each with its own sample number and ids.

many.py SOURCE COUNT OUTPUT
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def write(source: Path, count: int, output: Path) -> None:
    """Write `count` records. Every key stands once; every answer has a response id of its own."""
    lines = source.read_bytes().splitlines()
    records = [json.loads(line) for line in lines]
    samples = 1 + max(record["sample"] for record in records)
    written = 0
    with output.open("wb") as stream:
        for round_ in range(count // len(lines) + 1):
            for line, record in zip(lines, records, strict=True):
                if written == count:
                    return
                number = record["sample"]
                fresh = line.replace(b'"sample":%d,' % number, b'"sample":%d,' % (number + samples * round_), 1)
                for turn in record["turns"]:
                    fresh = fresh.replace(turn["response_id"].encode(), b"chatcmpl-%024x" % written)
                stream.write(fresh + b"\n")
                written += 1


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
