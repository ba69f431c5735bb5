"""Three hosts that are real to the network: namespaces with addresses of their own, one of them cut off and healed.

`python partition.py 12 70` cuts for 12 and for 70 seconds. After about a minute Ray calls a node dead; with
RAY_health_check_failure_threshold=30 in the environment it waits longer. It needs root and iproute2; all that it makes
is its own.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
HUB, HOSTS = "aphub", ("aphost1", "aphost2", "aphost3")
ADDRESS = "10.77.0.{}"
PORT = 6379
SAMPLES, WIDTH, FIXTURES = 35, 60, 142
STORE_BYTES = 80_000_000
LIFE_S = 280


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, timeout=10)


@contextmanager
def hosts() -> Iterator[None]:
    """A bridge in a namespace of its own, and three namespaces at it."""
    made = []
    try:
        for name in (HUB, *HOSTS):
            ip("netns", "add", name)
            made.append(name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", HUB, "link", "add", "br0", "type", "bridge")
        ip("-n", HUB, "link", "set", "br0", "up")
        for number, name in enumerate(HOSTS, 1):
            ip("-n", HUB, "link", "add", f"port{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("-n", HUB, "link", "set", f"port{number}", "master", "br0", "up")
            ip("-n", name, "address", "add", f"{ADDRESS.format(number)}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
        yield
    finally:
        for name in reversed(made):
            found = subprocess.run(
                ["ip", "netns", "pids", name], capture_output=True, encoding="utf-8", timeout=10, check=False
            )
            for pid in found.stdout.split():
                os.kill(int(pid), 9)
            subprocess.run(["ip", "netns", "del", name], timeout=10, check=False)


class Hosts:
    """Processes in the namespaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        token = folder / "token"
        token.write_text(secrets.token_hex(32), encoding="utf-8")
        token.chmod(0o600)
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            **{name: value for name, value in os.environ.items() if name.startswith("RAY_health_check_")},
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(token),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_TMPDIR": str(folder),
            "PYTHONUNBUFFERED": "1",
        }

    def start(self, host: int, *command: str, log: str) -> subprocess.Popen[bytes]:
        with (self.folder / log).open("ab") as out:
            return subprocess.Popen(
                ["ip", "netns", "exec", HOSTS[host - 1], "timeout", str(LIFE_S), *command],
                env=self.environ, cwd=self.folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
            )  # fmt: skip

    def ray(self, host: int) -> None:
        at = ADDRESS.format(host)
        command = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--disable-usage-stats"]
        command += [f"--node-ip-address={at}", f"--object-store-memory={STORE_BYTES}"]
        if host == 1:
            command += ["--head", f"--port={PORT}", "--num-cpus=0", "--include-dashboard=false"]
        else:
            command += [f"--address={ADDRESS.format(1)}:{PORT}", "--num-cpus=1"]
        log = self.folder / f"ray{host}.log"
        for _ in range(3):  # two nodes that share a machine may get in each other's way
            process = self.start(host, *command, log=log.name)
            end = time.monotonic() + 40
            while process.poll() is None and time.monotonic() < end:
                if "Ray runtime started" in log.read_text(encoding="utf-8"):
                    return
                time.sleep(0.2)
            process.kill()
        raise RuntimeError(f"host {host} did not start: {log.read_text(encoding='utf-8')[-500:]}")


def cut(seconds: float) -> None:
    """One run, with host 3 cut off for a while."""
    with hosts(), tempfile.TemporaryDirectory(prefix="ap", dir="/tmp", ignore_cleanup_errors=True) as name:
        here = Hosts(Path(name))
        for host in (1, 2, 3):
            here.ray(host)
        serve = [sys.executable, str(ROOT / "scripts/benchmarks/stub_on.py"), ADDRESS.format(1), "0.1"]
        here.start(1, *serve, log="serve.log")
        run = [
            sys.executable,
            "-m",
            "runner",
            "run",
            "maintenance",
            "--base-url",
            f"http://{ADDRESS.format(1)}:8099/v1",
        ]
        run += ["--model", "m", "--seed", "1", "--max-turns", "1", "--no-preflight", "--quiet", "-o", "out.jsonl"]
        run += ["--samples", str(SAMPLES), "-j", str(WIDTH), "--log-format", "json"]
        run += ["--engine", "ray", "--ray-address", f"{ADDRESS.format(1)}:{PORT}"]
        for _ in range(6):  # the nodes may still be starting
            process = here.start(1, *run, log="run.log")
            time.sleep(8)
            if process.poll() != 2:
                break
        try:
            _reach(here.folder / "out.jsonl", 800, process)
            ip("-n", HUB, "link", "set", "port3", "down")
            time.sleep(seconds)
            print(
                f"  cut for {seconds:g} s: {_lines(here.folder / 'out.jsonl')} lines; {_fates(here.folder)}", flush=True
            )
            ip("-n", HUB, "link", "set", "port3", "up")
            status = process.wait(timeout=150)
            _tell(here.folder, status)
        except (subprocess.TimeoutExpired, RuntimeError) as error:
            print(f"  FAILED: {error}")
        finally:
            print(
                "  " + "\n  ".join((here.folder / "run.log").read_text(encoding="utf-8").splitlines()[-8:]), flush=True
            )
            shutil.copy(here.folder / "run.log", "/tmp/partition-run.log")
            for host in (1, 2, 3):
                shutil.copy(here.folder / f"ray{host}.log", f"/tmp/partition-ray{host}.log")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _reach(path: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while _lines(path) < lines:
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"only {_lines(path)} lines")
        time.sleep(0.01)


def _fates(folder: Path) -> list[Any]:
    return [(site["id"], site["fate"]) for site in json.loads((folder / "out.manifest.json").read_bytes())["sites"]]


def _tell(folder: Path, status: int) -> None:
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_bytes().splitlines()]
    found = Counter((line["fixture_id"], line["sample"]) for line in lines)
    calls = json.loads((folder / "stub.json").read_bytes())
    bound = json.loads((folder / "out.manifest.json").read_bytes())["paid_twice_at_most"]
    errors = sum(line["status"] != "ok" for line in lines)
    print(
        f"  exit {status}, keys {len(found)}/{FIXTURES * SAMPLES}, recorded twice {len(lines) - len(found)}, "
        f"errors {errors}, calls {calls['requests']} (repeated {calls['requests'] - len(found)}, may be {bound}); "
        f"{_fates(folder)}",
        flush=True,
    )


if __name__ == "__main__":
    for given in sys.argv[1:]:
        cut(float(given))
