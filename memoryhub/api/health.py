"""Is it alive, and can it work? /healthz (the process) and /readyz (everything a request needs)."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memoryhub import readiness
from memoryhub.readiness import OK


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
    checks = readiness.of_hub(now=timezone.now())
    ready = all(state == OK for state in checks.values())
    return _answer(
        {
            "status": OK if ready else "unavailable",
            "checks": checks,
            "embeddings": readiness.embeddings_state() if checks["database"] == OK else readiness.UNKNOWN,
            "entailment": readiness.entailment_state(),
        },
        200 if ready else 503,
    )


def _answer(body: dict[str, object], status: int) -> JsonResponse:
    response = JsonResponse(body, status=status)
    response["Cache-Control"] = "no-store"
    return response
