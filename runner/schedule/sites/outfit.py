"""What goes to a site elsewhere and comes back from it, as bytes. No secret is in it: variables are named."""

from __future__ import annotations

import msgspec

from corpora.corpus import Corpus
from corpora.manifests import Study
from corpora.snapshots import AuthoritativeSet
from corpora.values import JsonObject
from runner.flags import RunFlags
from runner.schedule.messages import Order, Receipt


class Outfit(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a site needs to draw samples of one run; the keys are in its own environment."""

    run_id: str
    site: str
    corpus: Corpus
    sets: dict[str, AuthoritativeSet]
    study: Study
    flags: RunFlags
    """With base URL, model and the name of the key's variable written out."""
    agent_config: JsonObject = {}
    hold_after_s: float = 30.0
    """Without a word of a coordinator no further request is sent after so long."""
    exit_after_s: float = 3600.0
    """And after so long the site ends."""


class Fence(msgspec.Struct, frozen=True, kw_only=True, tag="fence"):
    """A newer coordinator drives the site: the order was refused."""

    why: str


class Took(msgspec.Struct, frozen=True, kw_only=True, tag="took"):
    """The order was taken."""

    receipt: Receipt


pack = msgspec.msgpack.Encoder().encode
unpack_outfit = msgspec.msgpack.Decoder(Outfit).decode
unpack_order = msgspec.msgpack.Decoder(Order).decode
unpack_reply: msgspec.msgpack.Decoder[Took | Fence] = msgspec.msgpack.Decoder(Took | Fence)
