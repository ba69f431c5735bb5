"""A site: a place that draws samples. One method and two errors are all that a coordinator knows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from corpora.errors import ProbeError
from runner.schedule.messages import Key, Line, Order, Receipt


class SiteLost(ProbeError):
    """The site is dead, and that is known: its hand goes back to the plan."""


class SiteUnreachable(ProbeError):
    """Nothing was heard; the site may well be working: it keeps its hand and its share, and is asked again."""


class EngineLost(ProbeError):
    """What holds the sites together is gone: they will end soon, and none can be found again."""


class Site(Protocol):
    """A place that draws samples and keeps each line until it is acknowledged."""

    @property
    def id(self) -> str:
        """Its name, the same for as long as it lives."""
        ...

    async def exchange(self, order: Order) -> Receipt:
        """Hand over new work and acknowledgements, and take what is finished; raises SiteLost or SiteUnreachable.

        The same order may be sent again: a key that is in hand already is not drawn twice.
        """
        ...

    def abandon(self) -> None:
        """Its keys are drawn elsewhere: should it still live, it is to end, as soon as it can be told."""
        ...


@runtime_checkable
class NearSite(Site, Protocol):
    """A site in the coordinator's own loop: it may settle each line where it ends, without an exchange."""

    def attach(self, settle: Callable[[Line], Key | None]) -> None:
        """Hand every finished line to `settle`, and draw the key that it gives next, if it gives one."""
        ...
