"""What did a dream do, as `GET /dreams/{id}` answers it? (R76)"""

from memoryhub import conf
from memoryhub.models import Dream, DreamOperation, Subject
from memoryhub.vocabulary import Op, Store


def report(dream: Dream, *, about: Subject | None = None) -> dict[str, object]:
    """Progress, and what it did to each store.

    `about` narrows what it did to one subject; what was learned from several people's sessions is then left out.
    """
    shown = ("store", "op", "reason", "session_ref", "entry_id", "skill_id")
    done = DreamOperation.objects.filter(dream=dream)
    if about is not None:
        done = done.filter(subject=about)
    operations = list(done.order_by("id").values(*shown))
    counts: dict[str, dict[str, int]] = {store.value: {op.value: 0 for op in Op} for store in Store}
    for operation in operations:
        counts[operation["store"]][operation["op"]] += 1
    return {
        "id": str(dream.pk),
        "status": dream.status,
        "agent": str(dream.agent_id) if dream.agent_id else None,
        "requested_by": dream.requested_by,
        "created_at": dream.created_at,
        "started_at": dream.started_at,
        "finished_at": dream.finished_at,
        "failure": dream.failure,
        "progress": {"sessions_done": dream.sessions_done, "sessions_total": dream.sessions_total},
        "report": {
            "events": dream.events,
            "sessions": dream.sessions_done,
            **counts,
            "operations": [_line(operation) for operation in operations[: conf.REPORT_LINES]],
        },
    }


def _line(operation: dict[str, object]) -> dict[str, object]:
    about = "skill" if operation["store"] == Store.PROCEDURAL else "entry"
    target = operation[f"{about}_id"]
    return {
        "store": operation["store"],
        "op": operation["op"],
        "reason": operation["reason"],
        "session_id": operation["session_ref"],
        about: str(target) if target else None,
    }
