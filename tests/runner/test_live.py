"""Sets from where they live: a real HTTP server, a real PostgreSQL server, files of every kind."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from corpora.errors import BadInput
from corpora.sets import SetSpec
from runner.live import Named, fetcher, named, read_now, snapshot

CODES = {"codes": [{"id": "LATE"}, {"id": "OTHER"}]}


class Codes(BaseHTTPRequestHandler):
    """A service that publishes its codes, with an ETag, to whoever has the token."""

    def do_GET(self) -> None:
        server: Any = self.server
        server.seen.append(dict(self.headers))
        match self.path:
            case "/codes" if self.headers.get("If-None-Match") == server.etag:
                self._send(304, b"")
            case "/codes":
                self._send(200, json.dumps(server.codes).encode(), ETag=server.etag)
            case "/private" if self.headers.get("Authorization") != "Bearer s3cret":
                self._send(401, b"no")
            case "/private":
                self._send(200, json.dumps(server.codes).encode())
            case "/moved":
                self._send(302, b"", Location="/codes")
            case "/broken":
                self._send(200, b"<html>")
            case _:
                self._send(404, b"")

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Codes)
    server.codes, server.etag, server.seen = CODES, '"v1"', []
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def at(url: str, **spec: Any) -> Named:
    return Named("codes", SetSpec(url=url, pointer="/codes/*/id", **spec), Path())


def test_a_document_is_a_set_by_its_pointer(service) -> None:
    found = read_now(at(f"{service.url}/codes"), {}, live=True)
    assert (found.values, found.etag) == (("LATE", "OTHER"), '"v1"')
    assert found.source == f"url {service.url}/codes"


def test_a_connection_is_never_opened_unasked(service) -> None:
    with pytest.raises(BadInput, match="needs a connection: allow it with --live-sets"):
        read_now(at(f"{service.url}/codes"), {}, live=False)
    assert service.seen == []


def test_what_did_not_change_is_not_sent_again(service) -> None:
    first = read_now(at(f"{service.url}/codes"), {}, live=True)
    again = read_now(at(f"{service.url}/codes"), {}, live=True, since=first)
    assert (again.values, again.sha256, again.etag) == (first.values, first.sha256, '"v1"')
    assert service.seen[-1]["If-None-Match"] == '"v1"'
    service.codes, service.etag = {"codes": [{"id": "NEW"}]}, '"v2"'
    assert read_now(at(f"{service.url}/codes"), {}, live=True, since=first).values == ("NEW",)


def test_a_token_comes_from_the_environment(service) -> None:
    found = read_now(at(f"{service.url}/private", auth_env="TOKEN"), {"TOKEN": "s3cret"}, live=True)
    assert found.values == ("LATE", "OTHER")
    assert "s3cret" not in repr(found)
    assert list(fetcher({"TOKEN": "s3cret"})(at(f"{service.url}/private", auth_env="TOKEN").spec)) == ["LATE", "OTHER"]


@pytest.mark.parametrize(
    ("path", "spec", "sentence"),
    [
        pytest.param("/none", {}, "URL/none: answered with status 404; expected 200 and a document", id="not there"),
        pytest.param(
            "/private", {}, "URL/private: answered with status 401; expected 200 and a document", id="no token"
        ),
        pytest.param("/private", {"auth_env": "NO"}, "auth_env: the environment has no NO; set it", id="unset"),
        pytest.param("/moved", {}, "URL/moved: answered with status 302; expected 200 and a document", id="redirect"),
        pytest.param("/broken", {}, "URL/broken: this is no JSON: ", id="no JSON"),
        pytest.param(
            "/codes?k=secret", {"pointer": "/no"}, "URL/codes: answered with status 404", id="a query is secret"
        ),
    ],
)
def test_a_failed_read_is_an_error_and_never_an_empty_set(
    service, path: str, spec: dict[str, Any], sentence: str
) -> None:
    place = Named("codes", SetSpec(url=service.url + path, **{"pointer": "/codes/*/id"} | spec), Path())
    with pytest.raises(BadInput) as caught:
        read_now(place, {}, live=True)
    assert str(caught.value).startswith(sentence.replace("URL", service.url))


def test_a_pointer_that_leads_nowhere_and_an_empty_list_are_errors(service) -> None:
    with pytest.raises(BadInput, match="pointer: the pointer '/no' leads nowhere"):
        read_now(Named("codes", SetSpec(url=f"{service.url}/codes", pointer="/no"), Path()), {}, live=True)
    service.codes = {"codes": []}
    with pytest.raises(BadInput, match="leads nowhere"):
        read_now(at(f"{service.url}/codes"), {}, live=True)


def test_nobody_listens_is_an_error() -> None:
    with pytest.raises(BadInput, match=r"http://127\.0\.0\.1:9/codes: cannot be read: ConnectError"):
        read_now(at("http://127.0.0.1:9/codes"), {}, live=True)


SCHEMA = {"components": {"schemas": {
    "Code": {"type": "string", "enum": ["LATE", "OTHER", None]},
    "Kind": {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
    "Link": {"$ref": "#/components/schemas/Code"},
    "Free": {"type": "string"},
    "a/b": ["x"],
}}}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("api.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    Path("codes.csv").write_text("code;label\nLATE;a\nOTHER;b\n", encoding="utf-8")
    Path("one.txt").write_text("LATE\nOTHER\n", encoding="utf-8")
    Path("rows.jsonl").write_text('{"id": "LATE"}\n{"id": "OTHER"}\n', encoding="utf-8")
    Path("service.py").write_text('CODES = ["LATE", "OTHER"]\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "refunds:reason_codes",
            (
                "DAMAGED_ON_ARRIVAL",
                "WRONG_ITEM_SHIPPED",
                "LATE_DELIVERY",
                "NOT_AS_DESCRIBED",
                "DUPLICATE_CHARGE",
                "OTHER",
            ),
        ),
        ("codes.csv:code", ("LATE", "OTHER")),
        ("one.txt", ("LATE", "OTHER")),
        ("rows.jsonl:id", ("LATE", "OTHER")),
        ("service.py:CODES", ("LATE", "OTHER")),
        ("api.json#/components/schemas/Code", ("LATE", "OTHER")),
        ("api.json#/components/schemas/Code/enum", ("LATE", "OTHER")),
        ("api.json#/components/schemas/Kind", ("a", "b")),
        ("api.json#/components/schemas/a~1b", ("x",)),
    ],
)
def test_a_set_is_named_on_the_command_line(files: Path, text: str, values: tuple[str, ...]) -> None:
    assert snapshot(text, {}, live=False).values == values


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("refunds:nope", "refunds has no set 'nope'; it has reason_codes"),
        ("what:ever", "cannot tell which set 'what:ever' is; write CORPUS:NAME, FILE.txt, "),
        ("none.txt", "none.txt: cannot be read: No such file or directory"),
        (
            "api.json#/components/schemas/Link",
            "api.json: '/components/schemas/Link' refers to '#/components/schemas/Code'",
        ),
        (
            "api.json#/components/schemas/Free",
            "api.json: pointer: '/components/schemas/Free' is an object without enum",
        ),
        ("api.json#nowhere", "api.json: pointer: a pointer begins with a slash; found 'nowhere'"),
    ],
)
def test_a_name_that_leads_to_no_set_is_one_sentence(files: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        snapshot(text, {}, live=False)
    assert sentence in str(caught.value)


def test_a_corpus_folder_is_found_beside_a_file_of_that_name(files: Path) -> None:
    assert named("refunds:reason_codes").corpus is not None
    assert snapshot("refunds:reason_codes", {}, live=False).values[0] == "DAMAGED_ON_ARRIVAL"
    assert named("codes.csv:code").corpus is None
