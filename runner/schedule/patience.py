"""How long a coordinator waits for sites that are elsewhere, and when it waits no longer. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Patience(NamedTuple):
    """How long a coordinator waits for sites that are elsewhere; None without end."""

    deadline_s: float | None = None
    """For one exchange; a site that needs longer counts as unreachable, and is asked again."""
    abandon_after_s: float | None = None
    """A site that is unreachable for so long counts as dead. Should it live, its calls are paid twice."""
    wait_s: float | None = None
    """The drive ends where none of the sites was reachable for so long."""
    empty_s: float | None = None
    """The drive ends where no site lived for so long, though more may come."""
    farewell_s: float = 20.0
    """Sites have so long to end what is in flight once what holds them together is gone."""
    ask_again_s: float = 0.25
    """After a failed exchange."""

    def gives_up(self, silent_s: float) -> bool:
        """Whether a site that is unreachable for so long counts as dead."""
        return self.abandon_after_s is not None and silent_s >= self.abandon_after_s

    def ends(self, all_silent_s: float) -> bool:
        """Whether the drive ends where none of the sites was reachable for so long."""
        return self.wait_s is not None and all_silent_s >= self.wait_s


HERE = Patience()
"""For sites in this process: they are never out of reach."""
