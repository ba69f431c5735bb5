"""From a record to verdicts: what was emitted, was it visible, was it asked for, is it in the set."""
