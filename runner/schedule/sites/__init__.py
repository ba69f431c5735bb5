"""Where samples are drawn: in this loop, or elsewhere behind the same two messages."""
