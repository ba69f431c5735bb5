"""The class of the actor: a thin shell that travels by value, so that it answers also where our package is missing.

It uses the standard library alone; everything that matters is in `hosted`, which it imports when it is opened.
"""

from __future__ import annotations

from typing import Any

UNOPENED_S = 120.0
"""An actor that nobody opens ends by itself."""


def shell() -> type:  # noqa: C901 - its methods are counted
    """A new class each time: one that is made in a function is not looked up by its name on the other side."""
    unopened_s = UNOPENED_S

    class Site:
        """One site on one node."""

        def __init__(self) -> None:
            import os
            import threading

            self._hosted: Any = None
            self._timer = threading.Timer(unopened_s, os._exit, (0,))
            self._timer.daemon = True
            self._timer.start()

        async def about(self) -> dict[str, Any]:
            """What is installed here; `fault` says why our package cannot be used."""
            import importlib
            import importlib.metadata
            import os
            import platform

            facts = {"python": platform.python_version(), "host": platform.node(), "pid": os.getpid()}
            try:
                importlib.import_module("runner.schedule.sites.hosted")
                facts["version"] = importlib.metadata.version("assumeprobe")
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told
                facts["fault"] = f"{type(error).__name__}: {error}"
            return {**facts, **(self._hosted.about() if self._hosted else {})}

        async def open(self, outfit: bytes) -> str | None:
            """Begin to work; a sentence where that cannot be."""
            from runner.schedule.sites.hosted import Hosted

            if self._hosted is None:
                hosted = Hosted(outfit)
                fault = await hosted.start()
                if fault is not None:
                    return fault
                self._hosted = hosted
                self._timer.cancel()
            return None

        async def exchange(self, order: bytes) -> bytes:
            """One order, one receipt."""
            if self._hosted is None:
                raise RuntimeError("this site was never opened")
            reply: bytes = await self._hosted.exchange(order)
            return reply

        async def beat(self) -> None:
            """A coordinator lives that has no work for this site at present."""
            if self._hosted is not None:
                self._hosted.heard()

        async def account(self) -> dict[str, Any]:
            """What the endpoint showed of itself here."""
            account: dict[str, Any] = self._hosted.account()
            return account

    return Site
