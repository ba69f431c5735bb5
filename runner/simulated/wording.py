"""The sentences that the simulated models say."""

from __future__ import annotations

import random
from collections.abc import Sequence

from corpora.corpus import Probe

_DRIFT = (
    "Of course, I am happy to help with that.",
    "Thank you, that is all taken care of.",
    "I understand. Let me look into this and come back to you.",
    "What day would suit you best?",
)
_BESIDE = (
    "I am taking care of that now.",
    "One moment, I am putting this through.",
    "Thanks for the details.",
)
_CLOSING = ("That is done.", "Done, thank you for your patience.")
_CHAT = ("Hello! How can I help?", "Thank you for your message.")


def drift(chance: random.Random) -> str:
    """Words that neither do what was asked nor ask for anything measured."""
    return chance.choice(_DRIFT)


def beside_a_call(chance: random.Random) -> str:
    """Words that stand beside a call."""
    return chance.choice(_BESIDE)


def closing(chance: random.Random) -> str:
    """Words after the tool that mattered was called."""
    return chance.choice(_CLOSING)


def chat(chance: random.Random) -> str:
    """Words where no tool was offered."""
    return chance.choice(_CHAT)


def question(probes: Sequence[Probe], chance: random.Random) -> str:
    """A question for every one of these fields by its name."""
    names = [f"the {probe.ask[0] if probe.ask else probe.argument.replace('_', ' ')}" for probe in probes]
    wanted = " and ".join(names)
    openings = ("Before I go on:", "One thing is missing.", "I can do that.")
    return f"{chance.choice(openings)} Could you tell me {wanted}, please?"
