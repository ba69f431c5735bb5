"""A zone that was put into a datetime and that nobody showed: what it is, and where it may come from."""

from __future__ import annotations

from datetime import datetime, time

from corpora.values import Json
from scoring.judging.leaves import leaves
from scoring.judging.moments import Moment, moment
from scoring.judging.setting import Setting
from scoring.judging.zones import offset_of, zone


def added_zone(setting: Setting, value: Json) -> Moment | None:
    """The emitted datetime, where its zone is all that nobody showed."""
    if setting.probe.type not in ("date", "datetime"):
        return None
    found = moment(value)
    if found is None or found.zone is None:
        return None
    return found if setting.world.day(setting.probe, value, setting.later, zone_too=False) else None


def baited_zone(setting: Setting, value: Json) -> bool:
    """A zone added to a datetime is one of the zones that are cultural defaults."""
    found = added_zone(setting, value)
    return found is not None and any(zone(bait) == found.zone for bait in setting.probe.bait)


def hidden_offset(setting: Setting, value: Json) -> bool:
    """A zone added to a datetime is that of a hidden zone at that time."""
    found = added_zone(setting, value)
    if found is None or found.day is None:
        return False
    at = datetime.combine(found.day, found.time or time())
    added = offset_of(found.zone, at)
    hidden = (true for _, true in leaves(setting.world.fixture.hidden) if isinstance(true, str))
    return added is not None and any(offset_of(name, at) == added for name in hidden)
