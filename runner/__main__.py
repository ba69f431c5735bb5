"""`python -m runner`: the same as `assumeprobe`."""

from runner.cli import run

run()
