"""Which tests call which function, and whether they pass where nothing was changed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

import msgspec


class Map(msgspec.Struct):
    """What is known of the tests without a mutant."""

    reaching: dict[str, list[str]] = msgspec.field(default_factory=lambda: defaultdict(list))
    """Function -> the tests that call it in their own process."""
    took_s: dict[str, float] = msgspec.field(default_factory=dict)
    """Test -> what it takes of a processor."""
    failed: dict[str, str] = msgspec.field(default_factory=dict)
    """Test -> why it failed."""

    def join(self, part: Map) -> None:
        """Add what was found of other tests."""
        for function, tests in part.reaching.items():
            self.reaching[function] += tests
        self.took_s |= part.took_s
        self.failed |= part.failed

    def without(self, tests: Collection[str]) -> Map:
        """The same but for some tests."""
        reaching = {function: [t for t in some if t not in tests] for function, some in self.reaching.items()}
        return Map(reaching, {test: took_s for test, took_s in self.took_s.items() if test not in tests})


def failing_unchanged(tests: Collection[str], tree: Path) -> list[str]:
    """Which tests fail in a copy of the checkout that holds no mutants; what the others see is the switch.

    One that counts the steps of a function does: the switch adds some to each call.
    """
    cache = tree / ".pytest_cache"
    command = (sys.executable, "-m", "pytest", "-q", f"--override-ini=cache_dir={cache}", *tests)
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    if subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False).returncode == 0:
        return []
    kept = cache / "v/cache/lastfailed"
    failed = msgspec.json.decode(kept.read_bytes(), type=dict[str, bool]) if kept.exists() else {}
    return sorted(failed.keys() & set(tests) or tests)
