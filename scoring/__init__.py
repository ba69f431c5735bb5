"""Judges: pure functions from records to verdicts to tables. May import corpora, and nothing above it."""

from scoring.judging.verdicts import Verdict, judge

__all__ = ["Verdict", "judge"]
