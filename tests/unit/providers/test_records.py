"""Whatever a record's server does, the hub comes back in time with a value, with none, or with a reason.

The servers are real ones on this machine, listed as trusted; names are resolved by a stand-in.
"""

import gzip
import json
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoryhub.providers import records
from memoryhub.providers.records import FileSource, Header, HttpSource, Reach, Reading, fetch, one_value
from memoryhub.vocabulary import ReadingState
from tests.raw_server import Behaviour, RawServer

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
BOX = 0.6  # seconds, for who never answers
PATIENCE = 20.0  # seconds, for who does, on a busy machine


@pytest.fixture
def serve() -> Iterator[Callable[[Behaviour], RawServer]]:
    servers: list[RawServer] = []

    def start(behaviour: Behaviour) -> RawServer:
        servers.append(RawServer(behaviour))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(autouse=True)
def _rested() -> Iterator[None]:
    records.wake()
    yield
    records.wake()


def answer(body: bytes, *, kind: str = "application/json", status: str = "200 OK", more: str = "") -> Behaviour:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode()
    return lambda connection, _: connection.sendall(head + body)


def said(document: Any) -> Behaviour:
    return answer(json.dumps(document).encode())


def ask(server: RawServer, *, path: str = "/sites/{subject}", pointer: str = "/contact", **options: Any) -> Reading:
    reach = Reach(hosts=frozenset({"127.0.0.1"}), seconds=options.pop("seconds", PATIENCE))
    source = HttpSource(f"http://127.0.0.1:{server.port}{path}", pointer, **options)
    began = time.monotonic()
    reading = fetch(source, "dock 7/north", now=NOW, reach=reach)
    assert time.monotonic() - began < reach.seconds + PATIENCE
    return reading


def test_a_value_is_read_and_the_subject_is_one_encoded_step(serve: Any) -> None:
    server = serve(said({"contact": "Ines Falk"}))
    assert ask(server) == Reading(ReadingState.VALUE, NOW, "Ines Falk")
    assert server.requests[0].startswith(b"GET /sites/dock%207%2Fnorth HTTP/1.1\r\n")
    assert b"accept-encoding: identity" in server.requests[0].lower()


@pytest.mark.parametrize(
    ("document", "state", "value"),
    [
        ({"contact": 12}, "value", "12"),
        ({"contact": 1.5}, "value", "1.5"),
        ({"contact": True}, "value", "true"),
        ({"contact": "  two\n words "}, "value", "two words"),
        ({"contact": None}, "absent", ""),
        ({"contact": ""}, "absent", ""),
        ({}, "absent", ""),
        ([], "absent", ""),
        ("text", "absent", ""),
        ({"contact": []}, "unreachable", ""),
        ({"contact": {"name": "x"}}, "unreachable", ""),
        ({"contact": "x" * 2001}, "unreachable", ""),
        ({"contact": "bell\u0007"}, "unreachable", ""),
    ],
)
def test_one_value_or_none_or_a_reason(serve: Any, document: Any, state: str, value: str) -> None:
    reading = ask(serve(said(document)))
    assert (reading.state, reading.value) == (state, value)
    assert bool(reading.reason) == (state != "value")


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_a_record_that_is_not_there_is_absent(serve: Any, status: str) -> None:
    assert ask(serve(answer(b"<html>", kind="text/html", status=status))).state == "absent"


def hang(connection: socket.socket, _: bytes) -> None:
    time.sleep(3 * PATIENCE)


def trickle(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n")
    for _number in range(400):
        connection.sendall(b" ")
        time.sleep(0.1)


def trickle_head(connection: socket.socket, _: bytes) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" * 9:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def interim_for_ever(connection: socket.socket, _: bytes) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(0.02)


def endless_head(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"y" * 1000 + b"\r\n")


def endless_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
    while True:
        connection.sendall(b" " * 65536)


def chunks_for_ever(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"4000\r\n" + b" " * 0x4000 + b"\r\n")


def says_more_than_it_sends(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"contact": 1}')


def says_less_than_it_sends(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{"contact": 1}')


def garbage(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"\x16\x03\x01\x00\x00 SSH-2.0\r\n\r\n")


def gone(connection: socket.socket, _: bytes) -> None:
    connection.close()


TEN_MEGABYTES = b'{"contact": "' + b"x" * 10_000_000 + b'"}'
BOMB = gzip.compress(b'{"contact": "' + b"x" * 5_000_000 + b'"}')
HOSTILE: dict[str, Behaviour] = {
    "hangs before its headers": hang,
    "sends a byte at a time": trickle,
    "sends its headers a byte at a time": trickle_head,
    "sends interim answers for ever": interim_for_ever,
    "sends headers for ever": endless_head,
    "sends a body for ever": endless_body,
    "sends chunks for ever": chunks_for_ever,
    "announces more than it sends": says_more_than_it_sends,
    "announces less than it sends": says_less_than_it_sends,
    "speaks another protocol": garbage,
    "closes at once": gone,
    "sends ten megabytes": answer(TEN_MEGABYTES),
    "sends a gzip bomb": answer(BOMB, more="Content-Encoding: gzip\r\n"),
    "sends a gzip bomb and does not say so": answer(BOMB),
    "sends HTML": answer(b"<html>1</html>", kind="text/html"),
    "sends HTML and calls it JSON": answer(b"<html>1</html>"),
    "sends JSON and calls it text": answer(b'{"contact": "x"}', kind="text/plain"),
    "sends half a document": answer(b'{"contact": "x'),
    "sends two documents": answer(b'{"contact": "x"}{"contact": "y"}'),
    "nests ten thousand deep": answer(b'{"contact":' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
    "nests so deep that nothing can read it": answer(b"[" * 120_000 + b"]" * 120_000),
    "sends another encoding": answer('{"contact": "é"}'.encode("latin-1")),
    "sends UTF-16": answer('{"contact": "x"}'.encode("utf-16")),
    "sends a number of 200,000 digits": answer(b'{"contact": ' + b"9" * 200_000 + b"}"),
    "sends what is no number": answer(b'{"contact": NaN}'),
    "sends nothing": answer(b""),
    "answers with an error": answer(b'{"contact": "x"}', status="500 Oops"),
    "answers with nothing to say": answer(b"", status="204 No Content"),
    "wants a login": answer(b'{"contact": "x"}', status="401 Unauthorized"),
    "redirects to nowhere": answer(b"", status="302 Found"),
    "redirects to an inner address": answer(b"", status="302 Found", more="Location: http://169.254.169.254/key\r\n"),
    "redirects to another port": answer(b"", status="307 Temporary", more="Location: http://127.0.0.1:9/x\r\n"),
    "redirects to a file": answer(b"", status="302 Found", more="Location: file:///etc/passwd\r\n"),
    "redirects to another scheme": answer(b"", status="302 Found", more="Location: gopher://127.0.0.1/x\r\n"),
    "redirects to a login in the address": answer(b"", status="302 Found", more="Location: http://a:b@127.0.0.1/\r\n"),
    "redirects to itself": answer(b"", status="301 Moved", more="Location: /sites/again\r\n"),
}


@pytest.mark.parametrize("how", sorted(HOSTILE))
def test_a_server_that_means_harm_is_only_unreachable(serve: Any, how: str) -> None:
    reading = ask(serve(HOSTILE[how]), seconds=BOX)
    assert (reading.state, reading.value) == (ReadingState.UNREACHABLE, "")
    assert reading.reason
    assert "x" * 50 not in reading.reason


def test_a_redirect_on_the_same_server_is_followed(serve: Any) -> None:
    def moved(connection: socket.socket, request: bytes) -> None:
        where = (
            answer(b"", status="308 Moved", more="Location: ../v2/site\r\n")
            if b"/sites/" in request
            else said({"contact": "Ole"})
        )
        where(connection, request)

    server = serve(moved)
    assert ask(server).value == "Ole"
    assert server.requests[1].startswith(b"GET /v2/site ")


def test_a_source_that_ran_out_of_time_rests_and_others_do_not(serve: Any) -> None:
    slow, quick = serve(hang), serve(said({"contact": "Ole"}))
    assert ask(slow, seconds=BOX).reason == records.NOT_IN_TIME
    asked = len(slow.requests)
    assert ask(slow).reason == records.NOT_IN_TIME  # at once, though there would be time enough
    assert len(slow.requests) == asked
    assert ask(quick).value == "Ole"


@pytest.mark.parametrize(
    "leads_to", ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
)
def test_a_name_that_leads_inside_is_refused_before_anything_is_sent(
    serve: Any, monkeypatch: pytest.MonkeyPatch, leads_to: str
) -> None:
    server = serve(said({"contact": "secret"}))
    family = socket.AF_INET6 if ":" in leads_to else socket.AF_INET
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, port, **__: [(family, 1, 6, "", (leads_to, port))])
    reading = fetch(HttpSource(f"http://records.example:{server.port}/x", "/contact"), "a", now=NOW, reach=Reach())
    assert reading.state == "unreachable"
    assert "inner network" in reading.reason
    assert server.requests == []


def test_the_address_that_was_judged_is_the_one_connected_to(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(said({"contact": "Ole"}))
    asked: list[str] = []
    genuine = socket.getaddrinfo

    def once_then_elsewhere(host: str, port: int, *rest: Any, **more: Any) -> list[Any]:
        if host != "crm.inner":
            return genuine(host, port, *rest, **more)
        asked.append(host)
        return [(socket.AF_INET, 1, 6, "", ("127.0.0.1" if len(asked) == 1 else "10.9.9.9", port))]

    monkeypatch.setattr(socket, "getaddrinfo", once_then_elsewhere)
    reach = Reach(hosts=frozenset({"crm.inner"}), seconds=PATIENCE)
    reading = fetch(HttpSource(f"http://crm.inner:{server.port}/x", "/contact"), "a", now=NOW, reach=reach)
    assert (reading.value, asked) == ("Ole", ["crm.inner"])
    assert f"Host: crm.inner:{server.port}".lower().encode() in server.requests[0].lower()


@pytest.mark.parametrize(
    "url", ["http://2130706433/", "http://0x7f.1/", "http://127.1/", "http://localhost/", "http://[::1]/"]
)
def test_no_spelling_of_this_machine_is_called(url: str) -> None:
    reading = fetch(HttpSource(url, "/x"), "a", now=NOW, reach=Reach(seconds=BOX))
    assert reading.state == "unreachable"
    assert "network" in reading.reason or "no address" in reading.reason


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.org/x", "http:///x", "http://a:b@example.org/", "//x", "http://x:99999/"],
)
def test_only_plain_http_addresses_are_called(url: str) -> None:
    assert fetch(HttpSource(url, "/x"), "a", now=NOW, reach=Reach(seconds=BOX)).state == "unreachable"


@pytest.mark.parametrize("subject", ["..", "../admin", "a/../../b", "a\\..\\b", "./x"])
def test_an_id_that_climbs_is_never_put_in_an_address_or_a_path(serve: Any, tmp_path: Path, subject: str) -> None:
    server = serve(said({"contact": "Ole"}))
    reach = Reach(hosts=frozenset({"127.0.0.1"}), roots=(tmp_path,), seconds=BOX)
    url = HttpSource(f"http://127.0.0.1:{server.port}/sites/{{subject}}", "/contact")
    assert fetch(url, subject, now=NOW, reach=reach).state == "unreachable"
    assert server.requests == []
    assert fetch(FileSource("{subject}/x", "(a)"), subject, now=NOW, reach=reach).state == "unreachable"


def test_a_secret_is_read_when_it_is_needed_and_kept_nowhere(
    serve: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = serve(said({"contact": "Ole"}))
    (tmp_path / "token").write_text("from-a-file\n")
    monkeypatch.setenv("SITE_TOKEN", "from-the-environment")
    for header in (
        Header("Authorization", "Bearer ", environment="SITE_TOKEN"),
        Header("X-Key", file=str(tmp_path / "token")),
    ):
        reading = ask(server, header=header)
        assert reading.value == "Ole"
        assert "from-" not in repr(header)
    assert b"\r\nAuthorization: Bearer from-the-environment\r\n" in server.requests[0]
    assert b"\r\nX-Key: from-a-file\r\n" in server.requests[1]


@pytest.mark.parametrize("secret", ["", "  ", "two\r\nX-Evil: 1", "nul\x00", "pässword"])
def test_a_secret_that_can_t_be_sent_stops_the_request(
    serve: Any, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    server = serve(said({"contact": "Ole"}))
    monkeypatch.setattr(records.os, "environ", {"SITE_TOKEN": secret})
    reading = ask(server, header=Header("Authorization", environment="SITE_TOKEN"))
    assert reading.state == "unreachable"
    assert secret.strip() == "" or secret not in reading.reason
    assert server.requests == []


def test_a_missing_secret_stops_the_request(serve: Any, tmp_path: Path) -> None:
    server = serve(said({"contact": "Ole"}))
    for header in (Header("X", environment="NO_SUCH_NAME_HERE"), Header("X", file=str(tmp_path / "none"))):
        assert ask(server, header=header).reason == "the secret for it can't be read"
    assert server.requests == []


def test_a_file_source_is_read_by_its_pattern(tmp_path: Path) -> None:
    (tmp_path / "shop.toml").write_text('engine = "mariadb"')
    reach = Reach(roots=(tmp_path,))
    assert fetch(FileSource("{subject}.toml", r'engine = "(\w+)"'), "shop", now=NOW, reach=reach).value == "mariadb"
    assert fetch(FileSource("{subject}.toml", r"port = (\d+)"), "shop", now=NOW, reach=reach).state == "absent"
    assert fetch(FileSource("{subject}.toml", "("), "shop", now=NOW, reach=reach).state == "unreachable"
    assert fetch(FileSource("{subject}.toml", "(a)"), "a/b", now=NOW, reach=reach).state == "unreachable"


def test_a_bad_pointer_is_a_reason_and_no_error(serve: Any) -> None:
    assert ask(serve(said({"contact": "Ole"})), pointer="contact").reason == "its pointer can't be used"


def test_numbers_read_as_they_are_written() -> None:
    assert (one_value(0), one_value(False), one_value(None)) == ("0", "false", None)
