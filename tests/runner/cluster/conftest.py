"""One small Ray cluster on loopback for the session: a head and two nodes, started in a process of its own."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from runner.simulated.server import SimulatedServer

KEY = f"sk-planted-{secrets.token_hex(12)}"
LIFE_S = 400


class RayCluster:
    """The cluster, seen from a test: commands run against it as processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        token = folder / "token"
        token.write_text(secrets.token_hex(32), encoding="utf-8")
        token.chmod(0o600)
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(token),
            "RAY_TMPDIR": str(folder),
            "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            "PLANTED_KEY": KEY,
        }
        self.log = (folder / "nodes.log").open("w+b")
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("nodes.py")), str(LIFE_S), "2"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=self.environ,
            cwd=folder,
        )
        found = self._answer()
        self.address: str = found["address"]
        self.head: list[int] = found["head"]
        self.nodes: dict[str, list[int]] = found["nodes"]

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            pytest.fail(f"the cluster did not start: {self.log.read()[-2000:].decode()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _ask(self, **what: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self.process.stdin.flush()
        return self._answer()

    def add(self, **how: Any) -> str:
        """Another node: its id."""
        found = self._ask(add=how)
        self.nodes[found["node"]] = found["pids"]
        return str(found["node"])

    def remove(self, node: str) -> None:
        self._ask(remove=node)
        del self.nodes[node]

    def kill(self, node: str) -> None:
        """A node's daemons, as a host that loses its power."""
        for pid in self.nodes.pop(node):
            os.kill(pid, signal.SIGKILL)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "runner", *arguments, "--ray-address", self.address]

    def sites(self, *flags: str) -> list[dict[str, Any]]:
        """What `assumeprobe sites` prints."""
        done = subprocess.run(
            self.command("sites", "--format", "json", *flags),
            env=self.environ,
            cwd=self.folder,
            capture_output=True,
            timeout=60,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            for pid in [*self.head, *(pid for pids in self.nodes.values() for pid in pids)]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def session_cluster() -> Iterator[RayCluster]:
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: scripts/install --ray installs it where it has a wheel for this Python")
    shm = shutil.disk_usage("/dev/shm").free if Path("/dev/shm").exists() else 0
    if shm < 3 * 80_000_000:
        pytest.skip(f"/dev/shm has {shm} bytes free, too few for the stores of three nodes")
    cluster = RayCluster(Path(tempfile.mkdtemp(prefix="ap", dir="/tmp")))  # socket paths must be short
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def cluster(session_cluster: RayCluster) -> RayCluster:
    """The cluster with two living nodes; the runs of a test end with no site left."""
    while len(session_cluster.nodes) < 2:
        session_cluster.add()
    return session_cluster


class Study:
    """One study over the cluster: its results, its endpoint, and the processes that drive it."""

    def __init__(self, cluster: RayCluster, folder: Path, server: SimulatedServer) -> None:
        self.cluster = cluster
        self.path = folder / "study.jsonl"
        self.server = server
        self.log = folder / "log"

    def command(self, *flags: str) -> list[str]:
        return self.cluster.command(
            *("run", "maintenance", "--engine", "ray", "--base-url", self.server.base_url, "--model", "m"),
            *("--seed", "1", "--max-turns", "1", "--no-preflight", "--quiet", "-o", str(self.path), *flags),
        )

    def start(self, *flags: str, **environ: str) -> subprocess.Popen[bytes]:
        environ = {**self.cluster.environ, **environ}
        with self.log.open("ab") as log:
            return subprocess.Popen(self.command(*flags), env=environ, cwd=self.path.parent, stderr=log, stdout=log)

    def finish(self, *flags: str, **environ: str) -> int:
        with self.start(*flags, **environ) as process:
            try:
                return process.wait(timeout=90)
            finally:
                process.kill()

    def lines(self) -> int:
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0

    def reach(self, lines: int, process: subprocess.Popen[bytes]) -> None:
        """Wait until so many lines are there."""
        end = time.monotonic() + 60
        while self.lines() < lines:
            assert process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.005)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def site(self, number: int) -> dict[str, Any]:
        """A site of the run, as its manifest names it."""
        found: dict[str, Any] = self.manifest()["sites"][number]
        return found

    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path.with_name("study.manifest.json").read_bytes())
        return found


@pytest.fixture
def study(cluster: RayCluster, tmp_path: Path, endpoint: Callable[..., SimulatedServer]) -> Callable[..., Study]:
    def start(latency_s: float = 0.1) -> Study:
        server = endpoint(corpora=["maintenance"], latency_s=latency_s, profile="perfect", keep=20)
        return Study(cluster, tmp_path, server)

    return start
