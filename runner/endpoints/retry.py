"""What is tried again and when. Loaded at the first failure: building a retry costs more than a good request."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import anyio
import msgspec
import tenacity

from corpora.jsonl import text_or_base64
from corpora.records import Attempt
from runner.endpoints.tried import Tried


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How often, and how long between."""

    max_attempts: int
    backoff_s: float
    """The first wait where the server asks for none; it doubles."""
    backoff_max_s: float = 60.0


def failed(tried: Tried, wait_s: float = 0.0) -> Attempt:
    """An attempt as it stands in the record: nothing received is lost."""
    text, base64 = text_or_base64(tried.received.body)
    failure = tried.outcome.failure
    return Attempt(
        status=tried.received.status,
        error=f"{failure.kind}: {failure.message}" if failure else tried.outcome.action,
        response=text,
        response_base64=base64,
        wait_s=wait_s,
        latency_s=tried.received.latency_s,
    )


async def until_settled(
    first: Tried,
    attempt: Callable[[], Awaitable[Tried]],
    policy: Policy,
    *,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> tuple[Tried, list[Attempt]]:
    """The last attempt and the failed ones before it: tried again until one is no retry, or none is left."""
    before: list[Attempt] = []
    pending = [first]

    async def step() -> Tried:
        """The first attempt, which was made already, then new ones."""
        return pending.pop() if pending else await attempt()

    def note(state: tenacity.RetryCallState) -> None:
        """Keep a failed attempt, with how long is waited after it."""
        if state.outcome and state.next_action:
            before.append(failed(state.outcome.result(), state.next_action.sleep))

    retrying = tenacity.AsyncRetrying(
        stop=tenacity.stop_after_attempt(policy.max_attempts),
        wait=_wait(policy),
        retry=tenacity.retry_if_result(lambda tried: tried.outcome.action == "retry"),
        before_sleep=note,
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
        sleep=sleep,
    )
    return await retrying(step), before


def _wait(policy: Policy) -> Callable[[tenacity.RetryCallState], float]:
    """What the server asks for and a little more, so that no two return in one instant; else a doubling wait."""
    backoff = tenacity.wait_exponential(multiplier=policy.backoff_s, max=policy.backoff_max_s) + tenacity.wait_random(
        0, policy.backoff_s
    )

    def wait(state: tenacity.RetryCallState) -> float:
        """How long in seconds: what the server asked for and a little more, else the backoff."""
        asked = state.outcome.result().wait_s if state.outcome else None
        if not asked:  # none is also what is left of a second that was rounded down
            return backoff(state)
        return float(asked + random.uniform(0, 0.1 + asked / 8))  # noqa: S311  # no secret depends on it

    return wait
