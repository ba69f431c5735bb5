"""The manifest beside a results file, always whole on disk: written anew and put in place in one step."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from stat import S_ISREG

from corpora.errors import BadInput
from corpora.jsonl import convert, decode_value, encode
from corpora.manifests import Manifest
from runner.errors import Fatal


def manifest_path(results: Path) -> Path:
    """Where the manifest of a results file lies: `NAME.manifest.json`."""
    return results.with_name(f"{results.name.removesuffix('.jsonl')}.manifest.json")


def read_manifest(path: Path) -> Manifest | None:
    """The manifest, None where there is none; raises BadInput where it cannot be read as one."""
    try:
        if not S_ISREG(path.stat().st_mode):  # a device has no end, and a pipe is waited for
            raise BadInput("is no plain file, as a manifest is", path=str(path))
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=str(path)) from error
    try:
        return convert(decode_value(data), Manifest)
    except BadInput as error:
        raise BadInput(
            f"is no manifest: {error.what}; move it away to score the results without it",
            path=str(path),
            field=error.field,
        ) from error


def require_manifest(path: Path) -> None:
    """Raises BadInput where a file stands there that is none: writing a manifest would replace it."""
    try:
        read_manifest(path)
    except BadInput as error:
        raise BadInput(
            "is there already and is no manifest; name another", path=str(path), field="--manifest"
        ) from error


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Replace the manifest as a whole; raises Fatal where that fails, and then the old one stands."""
    replace(path, encode(manifest))


def replace(path: Path, data: bytes) -> None:
    """Put a file in place in one step, safe on disk before the old one goes."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise Fatal(f"{path}: cannot be written: {error.strerror}") from error


def sync_folder(folder: Path) -> None:
    """Make a renaming durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
