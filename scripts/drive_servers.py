"""Asks servers that others wrote by every API they have, streamed and not, and says what was recorded."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent.parent
PROBE = HERE / ".venv/bin/assumeprobe"
FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ".servers").resolve()
FIXTURES = 6
KEY = "sk-any-key-0123456789"
"""The proxy does not start without one."""


class Way(NamedTuple):
    """One way of asking one server."""

    server: str
    base_url: str
    model: str
    api: str
    flags: tuple[str, ...] = ()


def main() -> int:
    """Start the servers, ask them, print the table."""
    with local_model() as llama, litellm(llama) as proxy, llmock(()) as mock, llmock(FAULTS) as faulty:
        print(f"{'server':<16} {'api':<19} {'flags':<22} ok err malformed calls  what was recorded")
        failed = [way for way in ways(llama, proxy, mock, faulty) if not ask(way)]
        report(faulty)
    return 1 if failed else 0


FAULTS = ("--error-rate", "429=0.1", "--error-rate", "503=0.1", "--stream-fault", "truncate=0.1")
APIS = ("openai-chat", "openai-responses", "anthropic-messages")


def ways(llama: dict[str, str], proxy: str, mock: str, faulty: str) -> Iterator[Way]:
    """Every server by every API that it has, at once and streamed."""
    required = ("--tool-choice", "required")
    for stream in ((), ("--stream",)):
        yield Way("llama.cpp", llama["base_url"], llama["model"], "openai-chat", (*required, *stream))
        for api in APIS:
            yield Way("LiteLLM", f"{proxy}/v1", "local", api, (*required, *stream))
        for api in APIS:
            place, model = ("/anthropic", "claude") if api == "anthropic-messages" else ("/v1", "gpt-4o-mini")
            yield Way("llmock", mock + place, model, api, stream)
        seed = "1000" if stream else "1"  # llmock tells one call from the next by its body
        yield Way(
            "llmock, faults", f"{faulty}/v1", "gpt-4o-mini", APIS[0], (*stream, "--samples", "20", "--seed", seed)
        )


def ask(way: Way) -> bool:
    """Run one way; whether every sample was recorded and none of them as an error."""
    name = "-".join([way.server, way.api, *way.flags]).replace(" ", "").replace("/", "-")
    output = FOLDER / f"{name}.jsonl"
    for old in FOLDER.glob(f"{name}.*"):
        old.unlink()
    command = [str(PROBE), "run", "maintenance", "--base-url", way.base_url, "--model", way.model, "--api", way.api]
    command += ["--samples", "1", "--limit", str(FIXTURES), "--max-tokens", "96", "--max-turns", "1", "-j", "2"]
    command += ["--api-key-env", "ANY_KEY", "-o", str(output), *way.flags]
    environ = {**os.environ, "ANY_KEY": KEY}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, check=False, env=environ)
    records = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()] if output.exists() else []
    says(way, records, done)
    return done.returncode == 0 and bool(records)


def says(way: Way, records: list[dict], done: subprocess.CompletedProcess[str]) -> None:
    """One line on what was recorded."""
    status = Counter(record["status"] for record in records)
    malformed = sum(bool(record["malformed"] or any(c["malformed"] for c in record["calls"])) for record in records)
    turns = [turn for record in records for turn in record["turns"]]
    facts = {
        "models": sorted({model for record in records for model in record["response_models"]}),
        "finish": dict(Counter(turn["finish_reason"] for turn in turns)),
        "usage": sum(record["usage"]["output_tokens"] is not None for record in records),
        "retried": sum(len(turn["attempts"]) for turn in turns),
        "first_call": sum(turn["first_call_s"] is not None for turn in turns),
        "flags": sorted({flag for record in records for flag in record["flags"]}),
    }
    calls = sum(len(record["calls"]) for record in records)
    shown = " ".join(flag.removeprefix("--") for flag in way.flags)
    counted = f"{status['ok']:>2} {status['error']:>3} {malformed:>9} {calls:>5}"
    print(f"{way.server:<16} {way.api:<19} {shown:<22} {counted}  {facts}", flush=True)
    if done.returncode:
        print(f"    exit {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")


def report(faulty: str) -> None:
    """What the faulty server says of its client."""
    with suppress(OSError):
        said = subprocess.run(
            [str(FOLDER / "bin/llmock"), "report", "--url", faulty],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        print(said.stdout or said.stderr)


@contextmanager
def local_model() -> Iterator[dict[str, str]]:
    """llama.cpp's server with the small real model."""
    with running([str(PROBE), "local-model", "serve", "--style", "direct"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())


@contextmanager
def litellm(llama: dict[str, str]) -> Iterator[str]:
    """A LiteLLM proxy in front of it."""
    config = FOLDER / "litellm.json"
    backend = {"model": f"openai/{llama['model']}", "api_base": llama["base_url"], "api_key": "none"}
    models = [{"model_name": "local", "litellm_params": backend}]
    config.write_text(json.dumps({"model_list": models, "general_settings": {"master_key": KEY}}), encoding="utf-8")
    port = free_port()
    command = [str(FOLDER / "bin/litellm"), "--config", str(config), "--port", str(port), "--host", "127.0.0.1"]
    with running(command, stdout=subprocess.DEVNULL):
        yield ready(f"http://127.0.0.1:{port}", "/health/liveliness")


@contextmanager
def llmock(flags: tuple[str, ...]) -> Iterator[str]:
    """llmock, with the faults that the flags name."""
    port = free_port()
    command = [str(FOLDER / "bin/llmock"), "serve", "--host", "127.0.0.1", "--port", str(port), *flags]
    with running(command, stdout=subprocess.DEVNULL):
        yield ready(f"http://127.0.0.1:{port}", "/")


@contextmanager
def running(command: list[str], stdout: int) -> Iterator[subprocess.Popen[str]]:
    """A child process that ends with the block."""
    with (FOLDER / f"{Path(command[0]).name}.log").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=stdout, stderr=log, encoding="utf-8")
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def ready(base: str, path: str) -> str:
    """The address, once something answers there."""
    for _ in range(600):
        try:
            urllib.request.urlopen(base + path, timeout=2).close()
        except urllib.error.HTTPError:
            return base
        except OSError:
            time.sleep(0.2)
        else:
            return base
    raise SystemExit(f"nothing answers at {base}")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
