"""What is withdrawn is in no answer any more, in whichever process the next question is asked (S20); and a key that ended
opens no door of any (S24).

Two processes besides this one answer questions on the same database, each with its caches warm; they are asked as soon
as a withdrawal was answered, which is well before the second that S20 and S24 allow.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.keys import lookup_of
from accounts.models import Key
from memoryhub.governance import access, audit
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast
from tests.door import Door

ROOT = Path(__file__).resolve().parents[3]

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
        print(json.dumps([answer.status_code, answer.content.decode()]), flush=True)
"""


class Worker:
    """A process of its own that answers the API."""

    def __init__(self) -> None:
        env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "MEMORYHUB_TESTS_DATA": str(settings.DATA)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, key: str, path: str, body: dict[str, Any]) -> Any:
        """What it answers."""
        return json.loads(self.call(key, path, body)[1])

    def call(self, key: str, path: str, body: dict[str, Any]) -> tuple[int, str]:
        """The status of its answer, and the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([key, path, body]) + "\n")
        self._process.stdin.flush()
        status, content = json.loads(self._process.stdout.readline())
        return status, content

    def end(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture(scope="module")
def processes(django_db_setup: None) -> Iterator[list[Worker]]:
    both = [Worker(), Worker()]
    yield both
    for one in both:
        one.end()


@pytest.fixture
def workers(committed_db: None, processes: list[Worker]) -> Iterator[list[Worker]]:
    with using(HashingEmbedder()):
        yield processes


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


def on_their_page(verb: str, said: str, **form: str) -> Callable[[Cast, str, str], None]:
    """The person does it themselves, signed in on their own page."""

    def withdraw(cast: Cast, subject: str, entry: str) -> None:
        person = access.create_user(
            organisation=cast.slug, email=f"{subject}@{cast.slug}.example", password="a quiet harbour", role="customer",
            subject=subject, now=timezone.now(),
        )  # fmt: skip
        client = Client()
        client.force_login(person)
        path = f"/me/memories/{entry}/{verb}/" if verb else "/me/pause/"
        assert said in client.post(path, form, follow=True).content.decode()

    withdraw.__name__ = verb or "paused"
    return withdraw


WITHDRAWALS: Final = (
    erase, erase_all, supersede, correct, pause, expire,
    on_their_page("forget", "Forgotten."),
    on_their_page("never", "is not remembered from now on"),
    on_their_page("correct", "It is corrected", text="I live in Lima."),
    on_their_page("not-any-more", "From now on it is not used any more."),
    on_their_page("", "Paused", paused="yes", use_existing="no"),
)  # fmt: skip


def test_what_is_withdrawn_is_in_no_process_s_next_answer(workers: list[Worker]) -> None:
    cast, left = Cast(), []
    for number, withdraw in enumerate(WITHDRAWALS):
        subject = f"{number}-{withdraw.__name__}"
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
    tool = called("search_memory", arguments)
    questions = [("/api/v1/recall", asked), ("/api/v1/context", built), ("/mcp", tool)]
    answers = [worker.ask(cast.key("bot"), path, body) for worker in workers for path, body in questions]
    answers += [cast.post(path, body).body for path, body in questions[:2]]
    answers.append(Door(cast).send(tool).body)
    assert all("recall_id" in json.dumps(answer) for answer in answers), answers
    return [json.dumps(answer.get("memories", answer)) for answer in answers]


def called(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def revoked(cast: Cast, text: str) -> None:
    access.revoke_key(prefix=text[:12], now=timezone.now())


def lapsed(cast: Cast, text: str) -> None:
    hub = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):  # audited, or the database keeps its end as it is
        row, now = Key.objects.get(lookup=lookup_of(text)), timezone.now()
        Key.objects.filter(pk=row.pk).update(expires_at=now)
        audit.record(by=hub, now=now, action="key.revoke", object_kind="key", object_id=row.pk)


@pytest.mark.parametrize("end", [revoked, lapsed])
def test_a_key_that_ended_or_is_for_something_else_opens_nothing_in_any_process(
    workers: list[Worker], end: Callable[[Cast, str], None]
) -> None:
    cast = Cast()
    cast.say("I live in Pune.")
    key = cast.issue(name=f"agent-{end.__name__}", roles=("agent", "customer_relay"))
    asked = {"subject": "nora", "query": "where do they live"}
    calls = [("/api/v1/recall", asked), ("/api/v1/context", {**asked, "session_id": "s"})]
    calls += [("/api/v1/memories", {"subject": "nora", "text": "I like tea.", "channel": "user_message"})]

    def statuses(key: str) -> set[int]:
        return {worker.call(key, *call)[0] for worker in workers for call in calls}

    assert statuses(key) <= {200, 201}
    end(cast, key)
    assert statuses(key) == {401}
    assert statuses(cast.key("kurt")) == {403}, "an auditor's key gives no memories and takes none"
    for worker in workers:
        assert worker.call(key, "/mcp", called("search_memory", asked))[0] == 401
        assert "Pune" not in worker.call(cast.key("kurt"), "/mcp", called("search_memory", asked))[1]
