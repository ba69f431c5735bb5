"""One sample: a key to a finished line. The unit of work that every back end runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from corpora.corpus import Corpus
from corpora.fixtures import Fixture
from corpora.jsonl import changed, encode
from corpora.manifests import Study
from corpora.records import Failure, Record, Usage
from corpora.values import JsonObject
from runner.agents.loop import Agent, Played, Settings
from runner.endpoints.base import KEY_ECHOED, Endpoint, Reply
from runner.log import logger
from runner.schedule.messages import Key, Line
from runner.schedule.pins import Pins
from runner.schedule.unread import is_unread


class Sampler:
    """Draws samples of one study. Whatever an endpoint does comes back as a line; only a cancel or a bug gets out."""

    def __init__(
        self,
        corpus: Corpus,
        study: Study,
        endpoint: Endpoint,
        agent: Agent,
        *,
        run_id: str,
        site: str = "local",
        marks: tuple[str, ...] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._corpus = corpus
        self._study = study
        self._endpoint = endpoint
        self._agent = agent
        self._run_id = run_id
        self._site = site
        self._now = now
        self._fixtures = corpus.by_id()
        self._params = settings_sent(study)
        self._marks = marks
        self.pins = Pins()
        """What answered so far."""

    async def draw(self, key: Key) -> Line:
        """The sample of one key, as a line that is encoded once and whole."""
        fixture = self._fixtures[key.fixture_id]
        started_at = self._now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        started = time.perf_counter()
        settings = Settings(study=self._study, seed=seed_of(self._study, key.sample), sample=key.sample)
        try:
            played = await self._agent(self._endpoint, fixture, settings)
        except Exception as error:  # noqa: BLE001 - a fault of our own costs one sample, not the run
            logger().exception("a sample failed", fixture=key.fixture_id, sample=key.sample)
            played = Played(failure=Failure(kind="internal", message=f"{type(error).__name__}: {error}"))
        record = self._record(fixture, key, played, settings.seed, started_at, time.perf_counter() - started)
        return Line(
            key=key,
            data=self._written(record),
            ok=record.error is None,
            malformed=is_unread(record, self._corpus.must_call(fixture)),
            fatal=played.fatal,
        )

    def _written(self, record: Record) -> bytes:
        """The line. A secret that came in pieces, or escaped, is seen only where it is put together."""
        data = encode(record)
        clean = self._endpoint.clean(data)
        if clean is data or KEY_ECHOED in record.flags:
            return clean
        return self._endpoint.clean(encode(changed(record, flags=(*record.flags, KEY_ECHOED))))

    def _record(
        self, fixture: Fixture, key: Key, played: Played, seed: int | None, started_at: str, latency_s: float
    ) -> Record:
        corpus, study, replies = self._corpus, self._study, played.replies
        return Record(
            corpus=corpus.name,
            corpus_sha256=corpus.corpus_sha256,
            fixture_id=fixture.id,
            fixture_sha256=fixture.sha256,
            stratum=fixture.stratum,
            sample=key.sample,
            status="error" if played.failure else "ok",
            malformed=played.malformed,
            text=played.text,
            calls=played.calls,
            effects=played.effects,
            flags=_once((*played.flags, *self.pins.add(fixture.id, replies), *self._marks)),
            error=played.failure,
            request_model=study.model,
            response_models=_once(reply.answer.model for reply in replies if reply.answer),
            system_fingerprints=_once(reply.answer.fingerprint for reply in replies if reply.answer),
            api=study.api,
            base_url=study.base_url,
            system_sha256=corpus.system_sha256,
            tools_sha256=corpus.tools_sha256,
            temperature=study.temperature,
            seed=seed,
            params=self._params,
            usage=_usage(replies),
            turns=played.turns,
            run_id=self._run_id,
            site=self._site,
            started_at=started_at,
            queued_s=round(sum(reply.queued_s for reply in replies), 6),
            latency_s=latency_s,
        )


def seed_of(study: Study, sample: int) -> int | None:
    """None, or the base and the number of the sample: one seed for all would draw one sample many times."""
    if study.seed is None:
        return None
    return study.seed if study.same_seed else study.seed + sample


def settings_sent(study: Study) -> JsonObject:
    """What was set beside temperature and seed, as sent."""
    named = {"max_tokens": study.max_tokens, "tool_choice": study.tool_choice, "stream": study.stream or None}
    return {**{name: value for name, value in named.items() if value is not None}, **study.params}


def _once(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


def _usage(replies: tuple[Reply, ...]) -> Usage:
    """Tokens over the turns; None where a turn did not report them: a partial sum would look like a whole one."""
    answers = [reply.answer for reply in replies if reply.answer]
    return Usage(
        input_tokens=_sum(answer.input_tokens for answer in answers),
        output_tokens=_sum(answer.output_tokens for answer in answers),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = list(counts)
    return sum(count for count in known if count is not None) if known and None not in known else None
