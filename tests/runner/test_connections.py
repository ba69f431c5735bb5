"""A run opens no connection but to its endpoint."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from corpora.corpus import bundled

SCRIPT = """
import json, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        seen.append([event, str(arguments[1])])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        seen.append([event, str(arguments[0])])
sys.addaudithook(watch)
from runner.cli import main
from runner.pipes import settle
settle()
status = main(sys.argv[1:])
print(json.dumps(seen))
sys.exit(status)
"""


@pytest.mark.parametrize("corpus", bundled())
@pytest.mark.timeout(60)
def test_a_run_connects_to_its_endpoint_and_to_nothing_else(corpus, endpoint, tmp_path):
    server = endpoint(corpora=[corpus])
    host, port = server.base_url.removeprefix("http://").removesuffix("/v1").split(":")
    run = ["run", corpus, "--base-url", server.base_url, "--model", "any", "--samples", "1", "--limit", "24", "--score"]
    command = [sys.executable, "-c", SCRIPT, *run, "-o", str(tmp_path / "out.jsonl"), "--quiet"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=50)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen
    allowed = {("socket.connect", str((host, int(port)))), ("socket.getaddrinfo", host)}
    assert {tuple(event) for event in seen} <= allowed
