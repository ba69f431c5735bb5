"""The parts of the call-time guard: what it reads, what it decides, and what keeps its sets fresh."""
