"""A run of pytest that collects the tests once, maps them to functions, and tries each mutant in a fork of itself."""

from __future__ import annotations

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import mutmut.mutation.trampoline as switch
import pytest
from mutmut.state import state

from scripts.mutation.forks import Job, allow, each
from scripts.mutation.lines import Mutant, Unsound
from scripts.mutation.ordering import Likely, ordered
from scripts.mutation.reach import Map, failing_unchanged
from scripts.mutation.trials import Queue, Trial, settled

TIMED = (
    "tests/scoring/test_guard.py::test_hostile_arguments_get_a_verdict_in_bounded_time",
    "tests/scoring/test_near.py::test_a_set_of_a_hundred_thousand_members_answers_at_once",
)
"""Held to seconds that a loaded machine and the switch between mutants may take: what they fail proves nothing here."""

LEAST_S, ANY_S = 5.0, 30.0
"""Of processor time: what a test may take at least, and what one is taken to need of which that is not known yet."""

OPTIONS = (
    *(
        "--override-ini=addopts=--strict-markers --import-mode=importlib",
        "--rootdir=.",
        "--capture=no",
        "--assert=plain",
    ),
    *("-pno:terminal", "-pno:cacheprovider", "-pno:timeout", "-pno:pytest_cov", "-pno:faulthandler"),
    *("-m", "not slow and not ray and not real_model", "--hypothesis-seed=1"),
    *("tests/scoring", "tests/test_vectors.py"),
    *(f"--deselect={test}" for test in TIMED),
)


class Session:
    """The plugin: `mutants` in the order given; `tell(mutant, killer, seconds)` hears of each.

    `place`: a copy without mutants is in it, as `plain`.
    """

    def __init__(
        self,
        mutants: list[Mutant],
        likely: Likely,
        place: Path,
        workers: int,
        longest_s: float,
        tell: Callable[[Mutant, str | None, float], None],
        say: Callable[[str], None],
    ) -> None:
        self.mutants = mutants
        self.likely = likely
        self.scratch = place / "scratch"
        self.plain = place / "plain"
        self.workers = workers
        self.longest_s = longest_s
        self.tell = tell
        self.say = say
        self.map = Map()
        self.interrupted = False
        self.timed: set[str] = set()
        self.left_out: list[str] = []
        """What sees the switch between mutants, not what is changed."""
        self.broken: list[str] = []
        """What fails although nothing was changed, or cannot be collected: nothing else counts then."""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.tbstyle = "no"  # pages of traceback, which nobody reads, take longer than most tests
        config.addinivalue_line("markers", "timeout(seconds): held to by the forks' own limits here")
        config.addinivalue_line("filterwarnings", "ignore:Unknown config option. timeout")

    def pytest_sessionstart(self) -> None:
        from hypothesis import HealthCheck, Phase, settings

        phases = [Phase.explicit, Phase.generate]  # that it fails is enough: no smaller example is looked for
        settings.register_profile(
            "mutants", phases=phases, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        settings.load_profile("mutants")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid} cannot be collected: {report.longrepr}")

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.timed |= {test for test in TIMED for item in items if item.nodeid.startswith(test)}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.map.failed[report.nodeid] = str(report.longrepr)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        if not self.broken:
            gc.collect()
            gc.freeze()  # or each fork would copy all memory to count who uses it
            try:
                self._map()
                if not self.broken:
                    self._try()
            except KeyboardInterrupt:
                self.interrupted = True
        return True

    def _map(self) -> None:
        """Run each file's tests in a fork, with mutmut's own list of the functions that were called."""
        files: dict[Path, list[str]] = defaultdict(list)
        for test, item in self.items.items():
            files[item.path].append(test)
        whole = Map()
        jobs = (Job(file, partial(self._mapped, tests), 900) for file, tests in files.items())
        with closing(each(partial(next, jobs, None), self.workers, self.scratch)) as ends:
            for number, (file, end) in enumerate(ends, 1):
                self.say(f"looking what the tests call: {number} of {len(files)} files")
                if end.cut:
                    self.broken.append(f"{file}, with no mutant: {end.cut}")
                else:
                    whole.join(msgspec.convert(end.answer, Map))
        if whole.failed:
            self.broken += [f"{test} fails with no mutant" for test in failing_unchanged(whole.failed, self.plain)]
        self.left_out, self.map = sorted(whole.failed), whole.without(whole.failed)

    def _mapped(self, tests: list[str]) -> object:
        switch.get_mutant_under_test = lambda: "stats"  # not by the environment: processes that a test starts are left
        called = state()._stats
        begun = time.process_time()
        for test in self._run(tests):
            now = time.process_time()
            self.map.took_s[test], begun = now - begun, now
            for function in called:
                self.map.reaching[function].append(test)
            called.clear()
        return msgspec.to_builtins(self.map)

    def _run(self, tests: list[str]) -> Iterator[str]:
        """The tests one after the other, each given when it is over."""
        items = [self.items[test] for test in tests]
        for item, after in zip(items, [*items[1:], None], strict=True):
            allow(LEAST_S + 10 * self.map.took_s.get(item.nodeid, ANY_S))
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            yield item.nodeid

    def _try(self) -> None:
        queue = Queue(self._trials())
        with closing(each(lambda: self._job(queue.take()), self.workers, self.scratch)) as ends:
            for trial, end in ends:
                match settled(trial, end):
                    case Trial() as following:
                        queue.put(following)
                    case killer, seconds if not trial.asleep:
                        if killer and not end.cut:
                            self.likely.learn(trial.mutant.key, killer)
                        self.tell(trial.mutant, killer, seconds)
                    case str() as killer, _:
                        self.broken.append(f"{killer} fails with no mutant, like the tests of {trial.mutant.function}")
                        return

    def _trials(self) -> Iterator[Trial]:
        """Each mutant; before the first of a module, the same tests in the same way without it."""
        seen = set()
        for mutant in self.mutants:
            reaching, first = self.map.reaching.get(mutant.key, ()), self.likely.first(mutant)
            tests = ordered(reaching, self.map.took_s, first, self.longest_s)
            if mutant.module not in seen:
                seen.add(mutant.module)
                yield Trial(mutant, tests, asleep=True)
            yield Trial(mutant, tests)

    def _job(self, trial: Trial | None) -> Job[Trial] | None:
        if trial is None:
            return None
        active = "" if trial.asleep else trial.mutant.name
        took_s = sum(self.map.took_s[test] for test in trial.tests)
        return Job(trial, partial(self._killer, active, trial.tests), 60 + 10 * took_s)

    def _killer(self, active: str, tests: list[str]) -> str | None:
        """The first test that fails with this mutant, in a fork."""
        switch.set_mutant_under_test(active)  # for processes that a test starts
        switch.get_mutant_under_test = lambda: active
        self.map.failed.clear()
        over = iter(tests)
        try:
            for _test in self._run(tests):
                if self.map.failed:
                    return next(iter(self.map.failed))
                next(over)
        except BaseException:  # noqa: BLE001 - pytest hands on what asks to end all tests: this mutant did
            return next(over)
        return None


def tried(session: Session) -> bool:
    """Run it; whether it was interrupted. Raises Unsound where unchanged code fails, or a test named here is gone."""
    session.scratch.mkdir()
    status = pytest.main(list(OPTIONS), plugins=[session])
    if status in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
        raise Unsound(f"pytest ended with status {status:d}: see above")
    if session.broken:
        raise Unsound("\n".join(session.broken))
    if gone := set(TIMED) - session.timed:
        raise Unsound(f"no such test any more, in scripts/mutation/session.py: {', '.join(sorted(gone))}")
    for test in session.left_out:
        print(f"left out: {test} fails where the switch between mutants stands, not where nothing was changed")
    return session.interrupted
