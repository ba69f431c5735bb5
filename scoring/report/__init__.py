"""A summary as text: for a terminal, for a program, for a page."""
