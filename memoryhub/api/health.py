"""Is it alive, and can it work? /healthz (the process) and /readyz (everything a request needs)."""

from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memoryhub import jobs
from memoryhub.providers import embeddings, entailment

OK: Final = "ok"


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return _answer({"status": OK}, 200)


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Database, migrations, worker and model; 503 with what is missing. News, and no condition: `embeddings` (while
    they change to another model, what has not changed yet is found by its words) and `entailment` (without that check
    the summaries of a dream tell outcomes alone).
    """
    checks = {"database": _database(), "migrations": "unknown", "worker": "unknown", "model": _model()}
    if checks["database"] == OK:
        checks |= {"migrations": _or_failed(_migrations), "worker": _or_failed(_worker)}
    embeddings_are = _or_failed(_embeddings) if checks["database"] == OK else "unknown"
    ready = all(state == OK for state in checks.values())
    return _answer(
        {
            "status": OK if ready else "unavailable",
            "checks": checks,
            "embeddings": embeddings_are,
            "entailment": entailment.checker().state(),
        },
        200 if ready else 503,
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return OK


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    return "pending" if executor.migration_plan(executor.loader.graph.leaf_nodes()) else OK


def _worker() -> str:
    return "silent" if jobs.worker_silent(now=timezone.now()) else OK


def _model() -> str:
    return OK if embeddings.ready() else "loading"


def _embeddings() -> str:
    return "changing" if jobs.any_unfinished("reembed") else OK


def _or_failed(check: Callable[[], str]) -> str:
    try:
        return check()
    except DatabaseError:
        return "failed"


def _answer(body: dict[str, object], status: int) -> JsonResponse:
    response = JsonResponse(body, status=status)
    response["Cache-Control"] = "no-store"
    return response
