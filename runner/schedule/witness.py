"""Who is told how sites come and go: for the log and the manifest, and what may have been paid twice."""

from __future__ import annotations

from runner.schedule.messages import Share


class Witness:
    """Told by a coordinator, which waits for nothing that is done with it. This one takes no note."""

    def joined(self, site: str, adopted: int) -> None:
        """A site works from now on; so many keys were in its hand already."""

    def shared(self, site: str, share: Share, most: int) -> None:
        """A site gets another part of the limits, and with it so many keys at most."""

    def wrote(self, site: str, lines: int) -> None:
        """Lines of a site are in the journal."""

    def silent(self, site: str, keys: int) -> None:
        """A site cannot be reached; its keys wait for it."""

    def heard(self, site: str) -> None:
        """A site that was silent has answered."""

    def lost(self, site: str, keys: int, why: str) -> None:
        """A site is dead, or given up; what became of its keys is not known, and they are drawn again."""


NOBODY = Witness()
