"""Three hundred runs killed with SIGKILL at random moments and started again: the slow test, ten times as long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TEST = "tests/runner/test_survival.py"


def table(_: int) -> None:
    """Print what the test says."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-cov", TEST]
    root = Path(__file__).parent.parent.parent
    subprocess.run(command, check=True, cwd=root, env={**os.environ, "ASSUMEPROBE_KILLS": "300"})
