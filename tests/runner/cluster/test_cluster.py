"""The same run over a real cluster of two nodes: equal to the local one, and whole whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from corpora.jsonl import read_records, to_json
from corpora.records import Record
from runner.schedule.shares import most_in_hand
from tests.runner.cluster.conftest import KEY, RayCluster, Study

pytestmark = [pytest.mark.ray, pytest.mark.timeout(120)]

FIXTURES = 142
WIDTH = 40
SAMPLES = ("--samples", "5", "-j", str(WIDTH))
KEYS = FIXTURES * 5


def complete(study: Study, keys: int = KEYS) -> None:
    """Each key is there once, with an answer."""
    records = list(read_records(study.path))
    assert len(records) == len({(record.fixture_id, record.sample) for record in records}) == keys
    assert {record.status for record in records} == {"ok"}


def repeated(study: Study, keys: int = KEYS) -> int:
    assert study.server.stats().peak_in_flight <= WIDTH
    return study.server.stats().requests - keys


def measured(path: Path) -> list[dict]:
    """What was measured, without when and where."""

    def reduced(record: Record) -> dict:
        found = to_json(record)
        for name in ("site", "run_id", "started_at", "queued_s", "latency_s", "base_url", "turns"):
            del found[name]
        for call in found["calls"]:
            del call["id"]
        return found

    return [reduced(record) for record in read_records(path)]


def test_two_nodes_measure_what_one_process_measures(study: Callable[..., Study], tmp_path: Path) -> None:
    here = study(0.0)
    assert here.finish("--samples", "4", "-j", "40") == 0, here.said()
    complete(here, 4 * FIXTURES)
    local = tmp_path / "local.jsonl"
    command = [sys.executable, "-m", "runner", "run", "maintenance", "--base-url", here.server.base_url, "--model", "m"]
    command += [
        "--seed",
        "1",
        "--max-turns",
        "1",
        "--no-preflight",
        "--quiet",
        "-o",
        str(local),
        "--samples",
        "4",
        "-j",
        "40",
    ]
    subprocess.run(command, check=True, timeout=60)
    assert measured(here.path) == measured(local)
    sites = here.manifest()["sites"]
    assert [site["fate"] for site in sites] == ["released", "released"]
    assert sum(site["recorded"] for site in sites) == 4 * FIXTURES
    assert {site["concurrency"] for site in sites} == {20}
    assert here.cluster.sites() == []


def test_a_killed_actor_costs_at_most_its_hand(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        os.kill(here.site(0)["pid"], signal.SIGKILL)
        assert process.wait(timeout=60) == 0, here.said()
    complete(here)
    assert repeated(here) <= here.manifest()["paid_twice_at_most"] <= most_in_hand(WIDTH // 2)
    assert sorted(site["fate"] for site in here.manifest()["sites"]) == ["lost", "released"]


def test_a_killed_node_costs_at_most_its_hand(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        victim = here.site(0)
        here.cluster.kill(victim["node"])
        os.kill(victim["pid"], signal.SIGKILL)
        assert process.wait(timeout=60) == 0, here.said()
    complete(here)
    assert repeated(here) <= here.manifest()["paid_twice_at_most"] <= most_in_hand(WIDTH // 2)


def test_a_killed_coordinator_repeats_nothing(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        process.kill()
    with here.path.open("ab") as torn:
        torn.write(b'{"v":1,"corpus":"mainten')
    assert here.finish(*SAMPLES) == 0, here.said()
    complete(here)
    assert repeated(here) == 0
    sites = here.manifest()["sites"]
    assert len(sites) == 2
    assert sum(site["adopted"] for site in sites) > 0
    assert here.manifest()["paid_twice_at_most"] == 0


def test_a_frozen_actor_keeps_its_keys_and_nothing_is_repeated(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        frozen = here.site(0)["pid"]
        os.kill(frozen, signal.SIGSTOP)
        try:
            here.reach(KEYS - WIDTH, process)
        finally:
            os.kill(frozen, signal.SIGCONT)
        assert process.wait(timeout=60) == 0, here.said()
    complete(here)
    assert repeated(here) == 0


def test_with_no_site_left_the_run_ends_with_the_number_of_keys_and_is_resumed(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        for site in here.manifest()["sites"]:
            os.kill(site["pid"], signal.SIGKILL)
        assert process.wait(timeout=60) == 3
    left = KEYS - here.lines()
    assert "no site is left that could draw" in here.said()
    assert f"{left} are missing" in here.said()
    assert here.finish(*SAMPLES) == 0, here.said()
    complete(here)
    assert repeated(here) <= here.manifest()["paid_twice_at_most"] <= 2 * most_in_hand(WIDTH // 2)


def test_sites_that_died_with_their_coordinator_do_not_stand_in_the_way_of_a_resume_at_once(
    study: Callable[..., Study],
) -> None:
    """For a moment the cluster still names them."""
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(150, process)
        for pid in (process.pid, *(site["pid"] for site in here.manifest()["sites"])):
            os.kill(pid, signal.SIGKILL)
    assert here.finish(*SAMPLES) == 0, here.said()
    complete(here)
    assert repeated(here) <= here.manifest()["paid_twice_at_most"] <= 2 * most_in_hand(WIDTH // 2)


def test_living_sites_of_a_run_are_listed_and_released(study: Callable[..., Study]) -> None:
    here = study()
    with here.start(*SAMPLES) as process:
        here.reach(50, process)
        process.kill()
    found = here.cluster.sites()
    assert {site["run_id"] for site in found} == {here.manifest()["run_id"]}
    assert [site["answers"] for site in found] == [True, True]
    assert len(here.cluster.sites("--release", found[0]["run_id"][:8])) == 2
    assert here.finish(*SAMPLES) == 0, here.said()
    complete(here)
    assert [site["fate"] for site in here.manifest()["sites"]] == ["gone", "gone", "released", "released"]
    assert repeated(here) <= here.manifest()["paid_twice_at_most"] <= 2 * most_in_hand(WIDTH // 2)


def test_the_rate_is_one_over_all_sites(study: Callable[..., Study]) -> None:
    here = study(0.01)
    assert here.finish("--samples", "3", "-j", "40", "--rpm", "9000") == 0, here.said()
    begun = [datetime.fromisoformat(record.started_at).timestamp() for record in read_records(here.path)]
    sent = [at + record.queued_s for at, record in zip(begun, read_records(here.path), strict=True)]
    assert len(sent) <= 150 * (max(sent) - min(begun)) + 2  # each site sends its first at once
    assert {site["requests_per_s"] for site in here.manifest()["sites"]} == {75.0}


def test_a_key_travels_by_the_name_of_its_variable(study: Callable[..., Study]) -> None:
    here = study(0.0)
    assert here.finish("--samples", "1", "--api-key-env", "PLANTED_KEY", PLANTED_KEY=KEY) == 0, here.said()
    assert {seen.headers["authorization"] for seen in here.server.seen} == {f"Bearer {KEY}"}
    written = [*here.path.parent.rglob("*"), *here.cluster.folder.rglob("*")]
    for file in written:
        if file.is_file() and not file.is_symlink():
            assert KEY.encode() not in file.read_bytes(), file


def test_a_node_without_the_key_is_named(study: Callable[..., Study]) -> None:
    here = study(0.0)
    assert here.finish("--samples", "1", "--api-key-env", "ONLY_HERE", ONLY_HERE="sk-here") == 2
    assert "node 127.0.0.1 cannot take part: the environment has no ONLY_HERE" in here.said()


@pytest.fixture
def other_node(cluster: RayCluster, tmp_path: Path) -> Iterator[Callable[[Path], None]]:
    """Adds a node that alone takes sites, and in which a folder comes before what is installed."""
    added = []

    def add(first: Path) -> None:
        added.append(cluster.add(resources={"assumeprobe": 1}, env={"PYTHONPATH": str(first)}))

    yield add
    for node in added:
        cluster.remove(node)


def test_a_node_with_another_version_is_told_what_to_install(
    study: Callable[..., Study], other_node: Callable[[Path], None], tmp_path: Path
) -> None:
    info = tmp_path / "first" / "assumeprobe-0.0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: assumeprobe\nVersion: 0.0.1\n", encoding="utf-8")
    other_node(info.parent)
    here = study(0.0)
    assert here.finish("--samples", "1") == 2
    assert "has assumeprobe 0.0.1, this machine" in here.said()
    assert "install assumeprobe[ray]==" in here.said()


def test_a_node_without_the_package_is_told_what_to_install(
    study: Callable[..., Study], other_node: Callable[[Path], None], tmp_path: Path
) -> None:
    broken = tmp_path / "first" / "runner"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'runner'\", name='runner')\n", encoding="utf-8"
    )
    other_node(broken.parent)
    here = study(0.0)
    assert here.finish("--samples", "1") == 2
    assert "has no working assumeprobe (ModuleNotFoundError: No module named 'runner'); install" in here.said()


def test_another_token_is_refused(study: Callable[..., Study], tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("0" * 64, encoding="utf-8")
    here = study(0.0)
    assert here.finish("--samples", "1", RAY_AUTH_TOKEN_PATH=str(token)) == 2
    assert "Ray cannot join; has it another token?" in here.said()


def listening(pids: set[int]) -> set[str]:
    """Local addresses, in hexadecimal as the kernel shows them, at which processes listen."""
    inodes = set()
    for pid in pids:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = str(entry.readlink())
            except FileNotFoundError:
                continue
            inodes.add(target.removeprefix("socket:[").rstrip("]"))
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text(encoding="utf-8").splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(fields[1].partition(":")[0])
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs /proc")
def test_the_test_cluster_listens_on_loopback_alone(cluster: RayCluster) -> None:
    pids = {*cluster.head, *(pid for pids in cluster.nodes.values() for pid in pids)}
    loopback = {"0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"}
    found = listening(pids)
    assert found
    assert found <= loopback


def test_telemetry_is_off_and_a_token_is_asked_for_before_ray_is_imported(cluster: RayCluster) -> None:
    program = (
        "import runner.schedule.sites.ray, os; from ray._common.usage import usage_lib;"
        "print(usage_lib.usage_stats_enabled(), os.environ['RAY_AUTH_MODE'])"
    )
    environ = {name: value for name, value in cluster.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, timeout=60, check=True)
    assert done.stdout.split() == [b"False", b"token"]
