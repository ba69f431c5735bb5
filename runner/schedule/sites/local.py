"""The site in this process: the pump, in the coordinator's own loop."""

from __future__ import annotations

from runner.schedule.messages import Order, Receipt
from runner.schedule.pump import Pump


class LocalSite:
    """A pump in this loop. It is never lost nor unreachable."""

    id = "local"

    def __init__(self, pump: Pump) -> None:
        self._pump = pump

    async def exchange(self, order: Order) -> Receipt:
        """Pass the order to the pump."""
        return await self._pump.exchange(order)
