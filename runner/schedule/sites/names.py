"""The name of a site's actor: it tells the next coordinator whose it is and where it sits. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Name(NamedTuple):
    """Whose a site is, where it sits, and what it is called."""

    run_id: str
    node: str
    slot: int
    site: str

    def text(self) -> str:
        """As the cluster knows it."""
        return "|".join((self.run_id, self.node, str(self.slot), self.site))


def parsed(text: str) -> Name:
    """The parts of a name."""
    run_id, node, slot, site = text.split("|", 3)
    return Name(run_id, node, int(slot), site)
