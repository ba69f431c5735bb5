"""Results read and judged: each study with the corpus and the sets that it was run with; and two held together."""
