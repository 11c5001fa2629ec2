"""Whatever a model's server does, the hub comes back in time with claims or with a reason that holds no content."""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memoryhub import conf
from memoryhub.providers import chat_model, claim_model
from memoryhub.providers.claim_model import Endpoint, Heard, ModelClaim, ask
from tests.model_server import BAD, Behaviour, answer, hangs, model_server, proposes, says

BOX = 0.6  # seconds, for who never answers
PATIENCE = 20.0  # seconds, for who does, on a busy machine
TEXT = "Asun Porissa ja syön kalaa"


@pytest.fixture(autouse=True)
def _rested() -> Iterator[None]:
    claim_model.wake()
    yield
    claim_model.wake()


def heard(behaviour: Behaviour, *, seconds: float = PATIENCE, **options: Any) -> Heard:
    with model_server(behaviour) as server:
        began = time.monotonic()
        told = ask(TEXT, endpoint=Endpoint(server.url, "tiny", seconds=seconds, **options))
        assert time.monotonic() - began < seconds + PATIENCE
    return told


def test_the_model_is_asked_once_with_the_message_as_data_between_marks_it_cannot_know() -> None:
    with model_server(proposes(("Asun Porissa", "city", "Porissa"))) as server:
        endpoint = Endpoint(server.url, "tiny")
        told = ask(TEXT, endpoint=endpoint)
        ask(TEXT, endpoint=endpoint)
    assert told == Heard((ModelClaim("Asun Porissa", "city", "Porissa"),))
    first, second = server.asked
    assert server.requests[0].startswith(b"POST /v1/chat/completions HTTP/1.1\r\n")
    assert (first["model"], first["temperature"]) == ("tiny", 0)
    assert first["response_format"] == {"type": "json_object"}
    marks = []
    for asked in (first, second):
        mark, text, end = asked["messages"][1]["content"].split("\n")
        assert (text, mark) == (TEXT, end)
        assert TEXT not in asked["messages"][0]["content"]
        marks.append(mark)
    assert marks[0] != marks[1]


def test_what_is_not_in_the_form_of_a_claim_is_counted_and_left_out() -> None:
    told = heard(
        proposes(
            {"quote": "Asun", "key": "city", "value": "Pori"},
            {"quote": "Asun", "key": "floor", "value": 3, "about": "other"},
            {"quote": "Asun", "key": "city"},
            {"quote": ["Asun"], "key": "city", "value": "x"},
            {"quote": "Asun", "key": "city", "value": True},
        )
    )
    assert [claim.value for claim in told.claims] == ["Pori", "3"]
    assert [claim.about_other for claim in told.claims] == [False, True]
    assert told.formless == 3


def test_an_answer_in_a_fence_is_read_and_none_at_all_is_no_fault() -> None:
    assert heard(says('```json\n{"claims": []}\n```')) == Heard()
    assert heard(says('{"claims": ["x", 1, null]}')).formless == 3


@pytest.mark.parametrize("name", BAD)
def test_a_server_that_misbehaves_gives_a_reason_in_time(name: str) -> None:
    behaviour, reason = BAD[name]
    seconds = BOX if reason == claim_model.NOT_IN_TIME else PATIENCE
    assert heard(behaviour, seconds=seconds) == Heard(reason=reason)


def test_no_redirect_is_followed_not_even_to_the_same_place() -> None:
    with model_server(proposes(("Asun Porissa", "city", "Porissa"))) as other:
        redirect = answer(b"", status="307 Temporary Redirect", more=f"Location: {other.url}/chat/completions\r\n")
        assert heard(redirect) == Heard(reason="it redirects, which is not followed")
        assert other.requests == []
    assert heard(answer(b"", status="302 Found")).reason == "it redirects to nowhere"


def test_nobody_there_is_a_reason_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    assert (
        ask(TEXT, endpoint=Endpoint(f"http://127.0.0.1:{port}", "tiny")).reason == "the connection failed or broke off"
    )


def test_a_model_that_ran_out_of_time_rests_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, hour = [0.0], 3600.0
    monkeypatch.setattr(conf, "EXTRACTOR_REST", timedelta(seconds=hour))
    monkeypatch.setattr(chat_model, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    with model_server(hangs) as dead, model_server(says('{"claims": []}')) as live:
        endpoint = Endpoint(dead.url, "tiny", seconds=BOX)
        assert ask(TEXT, endpoint=endpoint).reason == claim_model.NOT_IN_TIME
        clock[0] = hour - 1
        assert ask(TEXT, endpoint=endpoint).reason == claim_model.RESTS
        assert len(dead.requests) <= 1
        assert ask(TEXT, endpoint=Endpoint(live.url, "tiny")) == Heard()
        clock[0] = hour + 1
        assert ask(TEXT, endpoint=endpoint).reason == claim_model.NOT_IN_TIME  # asked again


def test_only_so_many_wait_for_it_at_once() -> None:
    go = threading.Event()

    def held(connection: socket.socket) -> None:
        go.wait(PATIENCE)
        says('{"claims": []}')(connection)

    with model_server(held) as server:
        endpoint = Endpoint(server.url, "tiny", seconds=2 * PATIENCE)
        threads = [
            threading.Thread(target=ask, args=(TEXT,), kwargs={"endpoint": endpoint})
            for _ in range(conf.EXTRACTOR_CALLS)
        ]
        for thread in threads:
            thread.start()
        until = time.monotonic() + PATIENCE
        while len(server.requests) < conf.EXTRACTOR_CALLS and time.monotonic() < until:
            time.sleep(0.01)
        assert ask(TEXT, endpoint=endpoint).reason == claim_model.BUSY
        go.set()
        for thread in threads:
            thread.join()
        assert ask(TEXT, endpoint=endpoint) == Heard()


def test_the_key_travels_in_the_header_alone_and_is_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    key = "k-Marmalade-4471"
    file = tmp_path / "key"
    file.write_text(f"{key}\n")
    with caplog.at_level(logging.DEBUG), model_server(says('{"claims": []}')) as server:
        endpoint = Endpoint(server.url, "tiny", key_file=file)
        assert ask(TEXT, endpoint=endpoint) == Heard()
        head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert f"Authorization: Bearer {key}".encode() in head
    assert key.encode() not in body
    assert key not in caplog.text + repr(endpoint)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the key for it can't be sent"),
        (b"  \n", "the key for it can't be sent"),
        (b"k\r\nX-Other: 1", "the key for it can't be sent"),
        (b"k" * 9000, "the key for it can't be sent"),
        ("clé".encode(), "the key for it can't be read"),
        (None, "the key for it can't be read"),
    ],
)
def test_a_key_that_cannot_be_sent_is_a_reason_and_nobody_is_called(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    with model_server(says('{"claims": []}')) as server:
        assert ask(TEXT, endpoint=Endpoint(server.url, "tiny", key_file=file)).reason == reason
        assert server.requests == []


def test_what_a_model_said_is_not_printed_with_it() -> None:
    told = heard(proposes(("Asun Porissa", "city", "Porissa")))
    assert "Porissa" not in repr(told)
    assert json.dumps("Porissa") not in str(told)
