"""Who is told how sites come and go: for the log and the manifest, and what may have been paid twice."""

from __future__ import annotations

from typing import Protocol

from runner.schedule.messages import Share


class Witness(Protocol):
    """Told by a coordinator, which waits for nothing that is done with it."""

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


class Nobody:
    """Takes no note."""

    def joined(self, site: str, adopted: int) -> None:
        """Nothing."""

    def shared(self, site: str, share: Share, most: int) -> None:
        """Nothing."""

    def wrote(self, site: str, lines: int) -> None:
        """Nothing."""

    def silent(self, site: str, keys: int) -> None:
        """Nothing."""

    def heard(self, site: str) -> None:
        """Nothing."""

    def lost(self, site: str, keys: int, why: str) -> None:
        """Nothing."""


NOBODY = Nobody()
