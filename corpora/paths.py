"""Paths named by a corpus stay inside its folder."""

from __future__ import annotations

from pathlib import Path

from corpora.errors import BadInput


def inside(folder: Path, name: str, field: str | None = None) -> Path:
    """The file `name` of a folder, as it is spelled; it need not be there.

    Raises BadInput where it leads out of the folder, links followed, or is no plain file: a pipe would be waited for.
    """
    root = folder.resolve()
    if "\0" in name:
        raise BadInput(f"the path {name!r} is none: it holds a null character", field=field)
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        raise BadInput(f"the path {name!r} leaves the corpus's folder; keep the file beside corpus.toml", field=field)
    if path.exists() and not path.is_file():
        raise BadInput(f"the path {name!r} is no plain file; keep a file of that name beside corpus.toml", field=field)
    return folder / name


def own(folder: Path, name: str) -> Path:
    """A file that every corpus has by that name, as it is spelled. Raises BadInput as `inside` does."""
    try:
        return inside(folder, name)
    except BadInput as error:
        raise BadInput(error.what, path=str(folder / name)) from error
