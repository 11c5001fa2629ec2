"""/healthz and /readyz."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.api import health
from memoryhub.providers import embeddings
from tests.cast import Cast


def test_the_process_says_that_it_lives(cast: Cast) -> None:
    assert cast.get("/healthz", by=None).body == {"status": "ok"}


def test_it_is_ready_when_everything_is(cast: Cast) -> None:
    jobs.beat(now=timezone.now())
    reply = cast.get("/readyz", by=None)
    assert (reply.status, set(reply.body["checks"].values())) == (200, {"ok"})


def test_a_silent_worker_is_said(cast: Cast) -> None:
    jobs.beat(now=timezone.now() - conf.WORKER_SILENT_AFTER - timedelta(seconds=1))
    reply = cast.get("/readyz", by=None)
    assert (reply.status, reply.body["checks"]["worker"]) == (503, "silent")


def test_a_model_that_loads_is_said(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "ready", lambda: False)
    reply = cast.get("/readyz", by=None)
    assert (reply.status, reply.body["checks"]["model"]) == (503, "loading")


def test_an_unreachable_database_is_said(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def cursor(self) -> None:
            raise OperationalError

    monkeypatch.setattr(health, "connection", Gone())
    reply = cast.get("/readyz", by=None)
    assert (reply.status, reply.body["checks"]["database"]) == (503, "unreachable")
    assert cast.get("/healthz", by=None).status == 200
