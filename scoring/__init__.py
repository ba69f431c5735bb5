"""Judges: pure functions from records to verdicts to tables. May import corpora, and nothing above it."""
