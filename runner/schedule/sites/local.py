"""The site in this process: the pump, in the coordinator's own loop."""

from __future__ import annotations

from runner.schedule.messages import Order, Receipt
from runner.schedule.pump import Pump, Settle


class LocalSite:
    """A pump in this loop. It is never lost nor unreachable."""

    id = "local"

    def __init__(self, pump: Pump) -> None:
        self._pump = pump

    def attach(self, settle: Settle) -> None:
        """Settle lines where they end."""
        self._pump.attach(settle)

    def abandon(self) -> None:
        """Nothing: it is never out of reach."""

    async def exchange(self, order: Order) -> Receipt:
        """Pass the order to the pump."""
        return await self._pump.exchange(order)
