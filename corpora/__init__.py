"""Says what the lines are: fixture, set, record; and holds the bundled corpora. Imports none of ours."""
