"""Finished turns as an agent posts them, and nights over them."""

from datetime import datetime, timedelta
from typing import Any

from accounts.ids import new_id
from memoryhub.dreams import dreamer, inbox
from memoryhub.models import Dream, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.ground import NOW, Ground


def action(tool: str, *, ok: bool = True, result: str = "ok", detail: str = "", **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments, "result": result, "detail": detail, "ok": ok}


def signal(value: str, *, kind: str = "refused", scope: str = "intent:MOVE_BOOKING") -> dict[str, Any]:
    return {"kind": kind, "value": value, "scope": scope}


def post(
    ground: Ground,
    subject: Subject,
    said: str = "",
    *,
    session: str = "visit",
    event: str = "",
    now: datetime = NOW,
    dry_run: bool = False,
    speaker: Subject | None = None,
    minutes: int = 0,
    **fields: Any,
) -> inbox.Received:
    """One turn, received as the API does it: acting for the agent, able to see this subject."""
    turn = inbox.FinishedTurn(
        event_id=event or f"e-{new_id().hex}",
        session_id=session,
        user_input=said,
        occurred_at=now - timedelta(hours=1) + timedelta(minutes=minutes),
        **fields,
    )
    with acting_for(ground.as_agent, subjects=[subject.pk, *([speaker.pk] if speaker else [])]):
        return inbox.receive_turn(
            turn=turn,
            agent=ground.agent,
            subject=subject,
            speaker=speaker,
            by=ground.as_agent,
            now=now,
            dry_run=dry_run,
        )


def refused_in(ground: Ground, *sessions: str, value: str = "Booking {n} has begun", **fields: Any) -> None:
    """One turn in each of these sessions, each about a person of its own, with the same finding but for its number."""
    for number, session in enumerate(sessions):
        finding = signal(value.replace("{n}", str(4100 + 7 * number)), **fields)
        post(ground, ground.subject(f"guest-of-{session}"), session=session, signals=[finding])


def night(ground: Ground) -> Dream:
    """One dream over everything pending, in this process."""
    return dreamer.dream_now(organisation=ground.organisation.pk, now=NOW)


def all_of(ground: Ground) -> Any:
    """A scope that sees every row of the organisation."""
    return acting_for(ground.as_hub, subjects=ALL_SUBJECTS)
