"""Drives agents of real frameworks, each in an environment of its own, and tells what each does to arguments.

scripts/frameworks [NAME...] [--real]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from corpora.jsonl import read_records
from corpora.records import Record
from tests.runner.agents.frameworks.scripted import EMITTED, scripted

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
HOME = ROOT / ".frameworks"


class Framework(NamedTuple):
    title: str
    module: str
    needs: tuple[str, ...]


FRAMEWORKS = {
    "openai": Framework("plain loop, OpenAI SDK", "with_openai", ("openai==3.57.0",)),
    "openai-agents": Framework("OpenAI Agents SDK", "with_openai_agents", ("openai-agents==0.24.0",)),
    "pydantic-ai": Framework("PydanticAI", "with_pydantic_ai", ("pydantic-ai-slim[openai]==2.68.0",)),
    "langgraph": Framework(
        "LangGraph", "with_langgraph", ("langgraph==1.2.24", "langchain==1.5.2", "langchain-openai==1.7.4")
    ),
    "smolagents": Framework("smolagents", "with_smolagents", ("smolagents[openai]==1.26.0",)),
}


def environment(name: str) -> Path:
    """The interpreter of a framework's environment, made where it is not there yet."""
    folder = HOME / name
    python = folder / "bin" / "python"
    stamp = folder / "installed"
    needs = FRAMEWORKS[name].needs
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != repr(needs):
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--editable", str(ROOT), *needs], check=True)
        stamp.write_text(repr(needs), encoding="utf-8")
    return python


def run(name: str, output: Path, *flags: str, timeout: float = 280) -> list[Record]:
    """The records of one run of a framework's agent, with the wire recorded."""
    command = [str(environment(name)), "-m", "runner", "run", *flags, "--record-wire", "--quiet", "-o", str(output)]
    command += ["--agent", f"{FRAMEWORKS[name].module}:agent", "--samples", "1"]
    quiet = {"OPENAI_AGENTS_DISABLE_TRACING": "1", "LANGSMITH_TRACING": "false", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command,
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=timeout,
        env={**os.environ, **quiet},
    )
    if done.returncode not in {0, 3}:
        raise SystemExit(f"{name}: exit {done.returncode}\n{done.stderr}")
    return list(read_records(output))


def as_sent(records: Sequence[Record]) -> int:
    """How many calls there are; each holds what the endpoint sent, character for character."""
    count = 0
    for record in records:
        for call in record.calls:
            if call.source == "agent":
                raise SystemExit(f"{record.fixture_id}: a call that the endpoint did not send: {call}")
            body = json.loads(record.turns[call.turn].response or "")
            sent = body["choices"][0]["message"]["tool_calls"][call.index]["function"]["arguments"]
            if call.arguments != sent:
                raise SystemExit(f"{record.fixture_id}: recorded {call.arguments!r}, sent {sent!r}")
            count += 1
    return count


def made_of(record: Record) -> str:
    """What a framework made of the case's arguments."""
    requests = len(record.turns)
    if record.effects:
        given = record.effects[0].given
        return "as sent" if given is None else f"tool gets `{given}`"
    if record.error is not None:
        return f"raises {record.error.message.splitlines()[-1].split(':')[0].rsplit('.', 1)[-1]}"
    return "rejects, asks again" if requests > 1 else "ends without the tool"


def cases(name: str, folder: Path) -> dict[str, str]:
    """For each case what came of it."""
    with scripted() as base_url:
        place = ["--base-url", base_url, "--model", "scripted", "-j", "4", "--max-turns", "6"]
        records = run(name, folder / f"{name}-cases.jsonl", "cases", *place)
    return dict(zip(EMITTED, map(made_of, sorted(records, key=lambda record: record.fixture_id)), strict=True))


def simulated(name: str, folder: Path) -> str:
    records = run(
        name, folder / f"{name}-simulated.jsonl", "refunds", "--simulate", "--limit", "24", "--max-turns", "6"
    )
    errors = [record.error for record in records if record.error]
    return f"{len(records)} fixtures, {as_sent(records)} calls as sent, {len(errors)} errors"


def real(name: str, folder: Path) -> str:
    """On a model that calls, asks or only talks; one that always calls would never let an agent end."""
    from runner.local_model import LocalModel

    with LocalModel(style="direct" if name == "smolagents" else "mixed") as local:
        place = ["--base-url", local.base_url, "--model", local.model, "-j", "2"]
        how = ["--max-tokens", "64", "--limit", "6", "--max-turns", "3"]
        records = run(name, folder / f"{name}-real.jsonl", "refunds", *place, *how, timeout=590)
    errors = [record.error.message.splitlines()[-1][:80] for record in records if record.error]
    return f"{len(records)} fixtures, {as_sent(records)} calls as sent, errors: {'; '.join(errors) or 'none'}"


def table(found: dict[str, dict[str, str]]) -> str:
    titles = [FRAMEWORKS[name].title for name in found]
    rows = [["the model sends", *titles], ["---"] * (len(titles) + 1)]
    rows += [[f"{case}: `{text}`", *(found[name][case] for name in found)] for case, text in EMITTED.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FRAMEWORKS))
    parser.add_argument("--real", action="store_true", help="six fixtures on the real local model too")
    given = parser.parse_args()
    names = given.names or list(FRAMEWORKS)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            say(f"{name}: simulated: {simulated(name, Path(folder))}")
            if given.real:
                say(f"{name}: real: {real(name, Path(folder))}")
        say(table({name: cases(name, Path(folder)) for name in names}))


if __name__ == "__main__":
    main()
