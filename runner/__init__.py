"""Does things: the command line, the plan, the endpoints, the journal. May import scoring and corpora."""
