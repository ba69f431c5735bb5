"""The append-only results file: one owner, nothing lost, each key once; and the manifest beside it."""
