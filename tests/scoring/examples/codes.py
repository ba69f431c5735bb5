"""What the three examples share: the refund service's own codes, read again from its own table."""

from __future__ import annotations

import os
from pathlib import Path

from corpora.corpus import Probe
from scoring.guard import Guard

CODES = Path(os.environ["CODES_FILE"])
"""One code a line; in a real service a query on the table that it branches on."""


def read_codes() -> list[str]:
    """The codes as they are now."""
    return CODES.read_text(encoding="utf-8").split()


guard = Guard(
    [Probe(tool="refund_order", argument="reason_code", measure="membership", set="codes")], {"codes": read_codes}
)
