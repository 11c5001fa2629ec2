"""/healthz and /readyz."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from memoryhub import conf, jobs, readiness
from memoryhub.providers import embeddings
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.cast import Cast
from tests.factories.ground import make_ground


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

    monkeypatch.setattr(readiness, "connection", Gone())
    reply = cast.get("/readyz", by=None)
    assert (reply.status, reply.body["checks"]["database"]) == (503, "unreachable")
    assert cast.get("/healthz", by=None).status == 200


def test_a_change_of_the_embedding_model_is_told_and_takes_no_readiness_away(cast: Cast) -> None:
    jobs.beat(now=timezone.now())
    assert cast.get("/readyz", by=None).body["embeddings"] == "ok"
    ground = make_ground()
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        jobs.enqueue("reembed", organisation=ground.organisation.pk, now=timezone.now())
    reply = cast.get("/readyz", by=None)
    assert (reply.status, reply.body["embeddings"]) == (200, "changing")
    assert jobs.claim_next(now=timezone.now(), kinds=frozenset({"reembed"})) is not None
    assert cast.get("/readyz", by=None).body["embeddings"] == "changing", "while it runs, too"
