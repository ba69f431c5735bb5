"""A real small language model on this machine, behind llama.cpp's own OpenAI-compatible server.

    with LocalModel(style="direct") as local:
        local.base_url, local.model

The server is the wheel `xllamacpp` (extra `local-model`), in a process of its own, since its threads are not Python's.
One thread is faster than two on a shared two-core machine, and more than two slots only add latency. A model this small
exercises the product; it says nothing about models.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

from corpora.errors import BadInput
from corpora.jsonl import decode_value
from corpora.values import JsonObject
from runner.local.template import Style, chat_template
from runner.local.weights import Weights, find, sha256_of

SLOTS = 2
THREADS = 1
CONTEXT_TOKENS = 4096
"""For each slot."""


def serve(
    *, port: int, weights: str, style: Style, say: Callable[[JsonObject], None], with_parent: bool = False
) -> None:
    """Serve until SIGINT or SIGTERM, then end this process; `say` is given {base_url, model, pid, …} once it is ready.

    `with_parent` ends it when standard input does, too. Raises BadInput where the extra or the weights are missing.
    """
    library = _library()
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    if with_parent:
        threading.Thread(target=_wait_for_the_end_of_stdin, args=(stop,), daemon=True).start()
    with tempfile.TemporaryDirectory() as scratch:
        found = find(weights, Path(scratch))
        server = _started(library, found, port, style)
        say(_place(library, server.listening_address, found, style))
        stop.wait()
    os._exit(0)  # the server's threads are C++ and are not always joined


def _library() -> ModuleType:
    try:
        return import_module("xllamacpp")
    except ImportError as error:
        raise BadInput("the local model needs the extra local-model: pip install 'assumeprobe[local-model]'") from error


def _started(library: ModuleType, weights: Weights, port: int, style: Style) -> Any:  # noqa: ANN401  # not typed
    """The server, ready: it returns when the model is loaded."""
    try:
        return library.Server(_parameters(library, weights, port, style))
    except RuntimeError as error:
        raise BadInput(f"llama.cpp cannot serve {weights.path} on port {port}: {error}") from error


def _wait_for_the_end_of_stdin(stop: threading.Event) -> None:
    while os.read(0, 1 << 10):
        pass
    stop.set()


def _parameters(library: ModuleType, weights: Weights, port: int, style: Style) -> object:
    params = library.CommonParams()
    params.model.path = str(weights.path)
    params.model_alias = {weights.model}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_parallel = SLOTS
    params.n_ctx = CONTEXT_TOKENS * SLOTS  # the server divides it among the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    params.use_jinja = True
    params.chat_template = chat_template(style)
    params.cache_ram_mib = 0  # else gigabytes of old prompts are kept
    params.ui = False
    params.offline = True
    params.warmup = False
    params.verbosity = 1
    return params


def _place(library: ModuleType, address: str, weights: Weights, style: Style) -> JsonObject:
    return {
        "base_url": f"{address}/v1",
        "model": weights.model,
        "pid": os.getpid(),
        "style": style,
        "weights_sha256": sha256_of(weights.path),
        "server": f"xllamacpp {library.__version__}",
    }


class LocalModel:
    """The server as a child process on a free port, for the length of a with block. It never outlives its parent."""

    def __init__(self, weights: str = "smollm2", style: Style = "mixed", *, ready_within_s: float = 120.0) -> None:
        self._flags = ["--port", "0", "--weights", weights, "--style", style, "--with-parent"]
        self._ready_within_s = ready_within_s
        self._stack = ExitStack()
        self.base_url = ""
        self.model = ""
        self.place: JsonObject = {}
        """All that the server said of itself."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            log = stack.enter_context(tempfile.TemporaryFile())
            child = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "runner", "local-model", "serve", *self._flags],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
            stack.callback(_end, child)
            line = self._first_line(child)
            if not line:
                _end(child)
                log.seek(0)
                said = log.read()[-500:].decode(errors="replace").strip()
                raise BadInput(
                    f"the local model did not start: {said.removeprefix('assumeprobe: ') or 'no word of it'}"
                )
            self._stack = stack.pop_all()
        self.place = decode_value(line)
        self.base_url, self.model = self.place["base_url"], self.place["model"]
        return self

    def _first_line(self, child: subprocess.Popen[bytes]) -> bytes:
        assert child.stdout is not None  # noqa: S101  # it is a pipe
        ready, _, _ = select.select([child.stdout], [], [], self._ready_within_s)
        return child.stdout.readline() if ready else b""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


def _end(child: subprocess.Popen[bytes]) -> None:
    """Close its standard input, which ends it; kill it where that is not enough."""
    with child:  # closes the pipes at the end
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
