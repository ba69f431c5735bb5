"""The command line."""


def run() -> None:
    """Start the command line."""
