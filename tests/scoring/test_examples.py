"""The guard inside FastAPI, an MCP server and the OpenAI Agents SDK, each run as a user would run it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from tests.scoring.examples.environment import python

HERE = Path(__file__).parent / "examples"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def interpreter() -> str:
    return str(python())


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "codes.txt").write_text("LATE_DELIVERY\nOTHER\n", encoding="utf-8")
    return {
        **os.environ,
        "CODES_FILE": str(tmp_path / "codes.txt"),
        "REFRESH_S": "0.05",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
    }


@pytest.fixture
def service(interpreter: str, settings: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """A FastAPI service on a free port of loopback."""
    command = [interpreter, "-m", "uvicorn", "fastapi_service:app", "--port", "0"]
    with (
        (tmp_path / "log").open("w+", encoding="utf-8") as log,
        subprocess.Popen(command, cwd=HERE, env=settings, stderr=log, stdout=log) as process,
    ):
        text = ""
        while "running on http://" not in text:
            assert process.poll() is None, text
            time.sleep(0.05)
            text = (tmp_path / "log").read_text(encoding="utf-8")
        yield text.split("running on ")[1].split()[0]
        process.terminate()


def refund(service: str, code: str) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"order_id": "1", "reason_code": code}).encode()
    request = Request(f"{service}/refunds", body, {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=20) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)
    except URLError as error:  # pragma: no cover - the service is up
        raise AssertionError from error


def test_a_fastapi_service_refuses_reads_its_codes_again_and_closes_when_they_are_gone(
    service: str, settings: dict[str, str]
) -> None:
    codes = Path(settings["CODES_FILE"])
    assert refund(service, "OTHER") == (200, {"refunded": "1", "for": "OTHER"})
    status, answer = refund(service, "late delivery")
    assert (status, answer["nearest"]) == (422, "LATE_DELIVERY")
    codes.write_text("LATE_DELIVERY\nOTHER\nNEW\n", encoding="utf-8")
    while refund(service, "NEW")[0] != 200:
        pass
    codes.unlink()
    while (answer := refund(service, "OTHER"))[0] == 200:
        pass
    assert answer[1]["reason"].startswith("the set codes was read ")
    codes.write_text("LATE_DELIVERY\nOTHER\n", encoding="utf-8")
    while refund(service, "OTHER")[0] != 200:
        pass


def test_an_mcp_server_answers_a_refusal_as_the_tools_error(interpreter: str, settings: dict[str, str]) -> None:
    code = (
        "import asyncio, json, os, sys\n"
        "from mcp import ClientSession, StdioServerParameters, stdio_client\n"
        "async def main():\n"
        "    server = StdioServerParameters(command=sys.executable, args=['mcp_server.py'], env=dict(os.environ))\n"
        "    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:\n"
        "        await session.initialize()\n"
        "        for code in ('OTHER', 'late delivery'):\n"
        "            found = await session.call_tool('refund_order', {'order_id': '1', 'reason_code': code})\n"
        "            print(found.model_dump_json(by_alias=True))\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [interpreter, "-c", code],
        cwd=HERE,
        env=settings,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    passed, refused = (json.loads(line) for line in done.stdout.splitlines())
    assert passed["content"][0]["text"] == "refunded 1 for OTHER"
    assert refused["isError"]
    assert 'nearest is "LATE_DELIVERY"' in refused["content"][0]["text"]


def test_a_tool_of_the_openai_agents_sdk_tells_the_model_why(interpreter: str, settings: dict[str, str]) -> None:
    calls = [{"order_id": "1", "reason_code": code} for code in ("OTHER", "late delivery")]
    done = subprocess.run(
        [interpreter, "agents_tools.py"],
        cwd=HERE,
        env=settings,
        input="\n".join(map(json.dumps, calls)),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    passed, refused = (json.loads(line) for line in done.stdout.splitlines())
    assert passed == "refunded 1 for OTHER"
    assert refused.startswith('refused: reason_code: "late delivery" is not among the 2 values of codes; nearest is')
