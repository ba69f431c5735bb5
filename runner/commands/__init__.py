"""One file per command: its flags, and a function that wires stages and holds no rule."""
