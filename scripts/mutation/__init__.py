"""What scripts/mutants runs: every small change that mutmut makes to scoring/, and whether a test sees it."""
