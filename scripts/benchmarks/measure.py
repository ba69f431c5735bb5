"""One contender, one run: started as a process, its CPU and memory from the kernel, its window from the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

HERE = Path(__file__).parent
ASSUMEPROBE = Path(sys.executable).with_name("assumeprobe")
FIXTURES = 240
"""Of the corpus that our runner draws."""


class Run(NamedTuple):
    """What one run cost."""

    wall_s: float
    cpu_s: float
    """User and system time of the process and its children."""
    rss_mib: float
    requests: int
    peak: int
    """Most requests in flight that the server saw."""
    window_s: float
    """From the first request to the last answer, by the server's clock."""


class Server:
    """The loopback endpoint in a process of its own."""

    def __init__(self, port: int, pid: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.pid = pid
        self.last_first_s = 0.0
        """When the first request of the last run came, by the system's monotonic clock."""
        self._stats = f"http://127.0.0.1:{port}/stats"

    def stats(self) -> dict[str, float]:
        """Counts since the last call."""
        with urlopen(self._stats, timeout=10) as response:
            found: dict[str, float] = json.load(response)
        self.last_first_s = found["first_s"]
        return found


@contextmanager
def serving(latency_s: float) -> Iterator[Server]:
    """The endpoint, answering after `latency_s`."""
    command = [sys.executable, str(HERE / "server.py"), str(latency_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield Server(json.loads(process.stdout.readline())["port"], process.pid)
        finally:
            process.kill()


def loop(name: str, server: Server, count: int, width: int) -> list[str]:
    """The command of one loop of loops.py; its file is put in place of {file}."""
    return [sys.executable, str(HERE / "loops.py"), name, server.base_url, str(count), str(width), "{file}"]


def runner(server: Server, count: int, width: int, *flags: str) -> list[str]:
    """Our own command. `count` is a multiple of the corpus's fixtures, or fewer than those."""
    fixtures = min(FIXTURES, count)
    return [
        str(ASSUMEPROBE), "run", "refunds", "--base-url", server.base_url, "--model", "loopback-stub",
        "--quiet", "--no-preflight", "--limit", str(fixtures), "--samples", str(count // fixtures),
        "-j", str(width), "-o", "{file}", *flags,
    ]  # fmt: skip


def measured(command: Sequence[str], server: Server, timeout_s: float = 300) -> Run:
    """Run a command to its end. Raises CalledProcessError where it fails, and says what it wrote."""
    server.stats()
    with tempfile.TemporaryDirectory() as folder, Path(folder, "errors").open("w+b") as errors:
        arguments = [part.replace("{file}", f"{folder}/out.jsonl") for part in command]
        begun = time.perf_counter()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors, stdin=subprocess.DEVNULL)
        status, usage = _wait(process, timeout_s)
        wall_s = time.perf_counter() - begun
        if status:
            errors.seek(0)
            raise subprocess.CalledProcessError(status, arguments, stderr=errors.read().decode()[-2000:])
    seen = server.stats()
    return Run(
        wall_s=wall_s,
        cpu_s=usage.ru_utime + usage.ru_stime,
        rss_mib=usage.ru_maxrss / 1024,
        requests=int(seen["requests"]),
        peak=int(seen["peak_in_flight"]),
        window_s=seen["window_s"],
    )


def _wait(process: subprocess.Popen[bytes], timeout_s: float) -> tuple[int, os.struct_rusage]:
    """wait4 with a deadline."""
    end = time.perf_counter() + timeout_s
    while time.perf_counter() < end:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        time.sleep(0.002)
    process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = -9
    return -9, usage
