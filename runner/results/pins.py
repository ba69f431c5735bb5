"""What a run was measured with, by name: what a comparison of two runs looks at for what else moved."""

from __future__ import annotations

from urllib.parse import urlsplit

from corpora.jsonl import to_json
from corpora.lean import LeanRecord
from corpora.manifests import Manifest
from corpora.values import JsonObject
from runner.urls import is_loopback
from scoring.counting.compare import ANSWERED, ENDPOINT, FINGERPRINTS, MODEL
from scoring.counting.ledger import Ledger

_STUDY = ("temperature", "seed", "max_tokens", "max_turns", "tool_choice", "params", "stream", "stub_errors", "agent")
_SHORT = 12
"""Characters of a hash."""


def pins(record: LeanRecord, manifest: Manifest | None, ledger: Ledger) -> JsonObject:
    """The pins of one run, from its manifest where there is one, else from its first record."""
    found: JsonObject = {
        MODEL: record.request_model,
        ANSWERED: sorted(ledger.response_models),
        FINGERPRINTS: sorted(ledger.fingerprints),
        ENDPOINT: _endpoint(record.base_url),
        "api": record.api,
        "system text": record.system_sha256[:_SHORT],
        "tools": record.tools_sha256[:_SHORT],
        "temperature": record.temperature,
        "params": record.params,
    }
    found |= {f"set {name}": one.sha256[:_SHORT] for name, one in ledger.sets.items()}
    if manifest is not None:
        study = to_json(manifest.study)
        found |= {name: study[name] for name in _STUDY if name in study}
    return found


def _endpoint(base_url: str) -> str:
    """The host; on this machine one port is as good as another."""
    host = urlsplit(base_url).hostname or ""
    return "loopback" if is_loopback(host) else host
