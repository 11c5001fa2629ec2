"""What is withdrawn is in no answer any more, in whichever process the next question is asked (S20).

Two processes besides this one answer questions on the same database, each with its caches warm; they are asked as soon
as a withdrawal was answered, which is well before the second that S20 allows.
"""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.utils import timezone

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast
from tests.door import Door

ROOT = Path(__file__).resolve().parents[3]
PEOPLE = 2  # that each withdrawal is tried on

#: Answers a line (key, path, body) with what the API answers, until its input ends.
WORKER = """
import json, sys
import django
django.setup()
from django.test import Client
from memoryhub.providers.embeddings import HashingEmbedder, using
with using(HashingEmbedder()):
    for line in sys.stdin:
        key, path, body = json.loads(line)
        answer = Client().post(path, body, content_type="application/json", HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Bearer {key}")
        print(answer.content.decode(), flush=True)
"""


class Worker:
    """A process of its own that answers the API."""

    def __init__(self) -> None:
        env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "MEMORYHUB_TESTS_DATA": str(settings.DATA)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, key: str, path: str, body: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([key, path, body]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture
def workers(committed_db: None) -> Iterator[list[Worker]]:
    with using(HashingEmbedder()):
        both = [Worker(), Worker()]
        yield both
        for one in both:
            one.end()


def erase(cast: Cast, subject: str, entry: str) -> None:
    assert cast.delete(f"/memories/{entry}").status == 200


def erase_all(cast: Cast, subject: str, entry: str) -> None:
    assert cast.delete(f"/subjects/{subject}/memories").status == 200


def supersede(cast: Cast, subject: str, entry: str) -> None:
    assert cast.say("I moved to Oslo.", subject=subject).ops == ["UPDATE"]


def correct(cast: Cast, subject: str, entry: str) -> None:
    assert cast.patch(f"/memories/{entry}", {"text": "I live in Lima."}).ops == ["UPDATE"]


def pause(cast: Cast, subject: str, entry: str) -> None:
    assert cast.post(f"/subjects/{subject}/pause", {"paused": True, "use_existing": False}).status == 200


def expire(cast: Cast, subject: str, entry: str) -> None:
    time.sleep(2.1)  # it was kept for two seconds


WITHDRAWALS: Final = (erase, erase_all, supersede, correct, pause, expire)


def test_what_is_withdrawn_is_in_no_process_s_next_answer(workers: list[Worker]) -> None:
    cast, left = Cast(), []
    for withdraw, number in itertools.product(WITHDRAWALS, range(PEOPLE)):
        subject = f"{withdraw.__name__}-{number}"
        wishes = {}
        if withdraw is expire:
            wishes["expires_at"] = (timezone.now() + timedelta(seconds=2)).isoformat()
        entry = cast.say("I live in Pune.", subject=subject, **wishes).entry["id"]
        if withdraw is not expire:  # everybody's caches are warm
            before = given(cast, workers, subject)
            assert [entry in found for found in before] == [True] * len(before)
        withdraw(cast, subject, entry)
        left += [subject for found in given(cast, workers, subject) if entry in found]
    assert left == []


def given(cast: Cast, workers: list[Worker], subject: str) -> list[str]:
    """What each process answers to a question about the subject, here and in the others."""
    asked = {"subject": subject, "query": "where do they live", "min_relevance": 0}
    built = {"subject": subject, "query": "where do they live", "session_id": f"{subject}-s"}
    arguments = {"subject": subject, "query": "where do they live, in which city"}
    tool = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search_memory", "arguments": arguments},
    }
    questions = [("/api/v1/recall", asked), ("/api/v1/context", built), ("/mcp", tool)]
    answers = [worker.ask(cast.key("bot"), path, body) for worker in workers for path, body in questions]
    answers += [cast.post(path, body).body for path, body in questions[:2]]
    answers.append(Door(cast).send(tool).body)
    assert all("recall_id" in json.dumps(answer) for answer in answers), answers
    return [json.dumps(answer.get("memories", answer)) for answer in answers]
