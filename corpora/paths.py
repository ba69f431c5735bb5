"""Paths named by a corpus stay inside its folder."""

from __future__ import annotations

from pathlib import Path

from corpora.errors import BadInput


def inside(folder: Path, name: str, field: str) -> Path:
    """The file `name` of a folder; raises BadInput where it leads out of it, links followed."""
    root = folder.resolve()
    if "\0" in name:
        raise BadInput(f"the path {name!r} is none: it holds a null character", field=field)
    if not (root / name).resolve().is_relative_to(root):
        raise BadInput(f"the path {name!r} leaves the corpus's folder; keep the file beside corpus.toml", field=field)
    return folder / name
