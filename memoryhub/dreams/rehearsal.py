"""What would become of these words, if they came in? The gate and a finished turn tried out, and nothing kept (R92).

The same calls as `POST /memories` and `POST /turns` with `dry_run`, in a transaction that is undone whole: somebody
named here for the first time is not known afterwards, and nobody can tell from any table that it was tried, unless it
showed the words of memories that are there.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from accounts.ids import new_id
from accounts.models import Agent
from memoryhub.dreams import inbox
from memoryhub.errors import NotFound
from memoryhub.governance import intake, subjects
from memoryhub.governance.policy_versions import in_force_for
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.screening import screen
from memoryhub.models import Entry, Subject
from memoryhub.permissions import SPEAKS, check_may
from memoryhub.recall import read_log
from memoryhub.recall.filters import readers
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, KeyRole
from memoryhub.working.redaction import redact


@dataclass(frozen=True)
class Scene:
    """Who would send it about whom: external ids of the subject and the speaker, the agent whose policy holds."""

    subject: str
    channel: Channel = Channel.USER_MESSAGE
    agent: Agent | None = None
    speaker: str = ""
    said_at: datetime | None = None


@dataclass(frozen=True)
class Rehearsed:
    """What would become of it. `text`: what of the words would pass the screen; `is_new`: nobody knows the subject yet;
    `known`: what is there already and was touched, by id, as far as the one who tries it may see it.

    Of a turn: `event` is written, withheld or duplicate, and `note` says why it is withheld.
    """

    results: tuple[intake.Result, ...]
    text: str = field(repr=False)
    is_new: bool
    known: Mapping[uuid.UUID, Entry] = field(default_factory=dict, repr=False)
    event: str = ""
    note: str = ""


class _Undone(Exception):
    """Takes what was found out of the transaction that is rolled back."""

    def __init__(self, found: Rehearsed) -> None:
        self.found = found


def say(
    *, scene: Scene, text: str, by: Principal, now: datetime, key: str = "", value: str = "", ref: str = ""
) -> Rehearsed:
    """A text at the gate. Raises NotGranted unless `by` may try things out, Invalid and TooLarge as the gate does."""
    acting = _acting(by, scene)

    def attempt(subject: Subject, speaker: Subject | None) -> Rehearsed:
        _, role = SPEAKS[scene.channel]
        proposal = intake.Proposal(
            subject=subject, text=text, channel=scene.channel, role=role, speaker=speaker, said_at=scene.said_at,
            source=intake.Source(ref=ref), key=key or None, value=value or None,
        )  # fmt: skip
        outcome = intake.propose(proposal=proposal, by=acting, now=now, dry_run=True)
        screened = screen(text, channel=scene.channel, role=role, treatments=in_force_for(acting).treatments)
        return Rehearsed(outcome.results, screened.text, is_new=False)

    return _rehearse(attempt, scene, acting, by=by, now=now)


def finish_turn(*, scene: Scene, turn: inbox.FinishedTurn, by: Principal, now: datetime) -> Rehearsed:
    """A finished turn of the scene's agent. Raises NotGranted unless `by` may try things out, and as
    inbox.receive_turn does.
    """
    acting = replace(_acting(by, scene), roles=frozenset({KeyRole.AGENT, KeyRole.CUSTOMER_RELAY}))
    agent = scene.agent
    if agent is None:
        raise NotFound

    def attempt(subject: Subject, speaker: Subject | None) -> Rehearsed:
        received = inbox.receive_turn(
            turn=turn, agent=agent, subject=subject, speaker=speaker, by=acting, now=now, dry_run=True
        )
        text = "" if received.event == "withheld" else redact(turn.user_input).text
        return Rehearsed(received.results, text, is_new=False, event=received.event, note=received.note)

    return _rehearse(attempt, scene, acting, by=by, now=now)


def new_name() -> str:
    """An id for a session or an event that nobody else has."""
    return f"playground-{new_id().hex[-12:]}"


def _acting(by: Principal, scene: Scene) -> Principal:
    """Whoever would send it: the role its channel needs, and nothing more. A curator speaks as themselves."""
    check_may(by, "try_out")
    needed, _ = SPEAKS[scene.channel]
    return replace(
        by, roles=frozenset({needed}), agent=scene.agent.pk if scene.agent else None,
        user=by.user if needed == KeyRole.CURATOR else None,
    )  # fmt: skip


def _rehearse(
    attempt: Callable[[Subject, Subject | None], Rehearsed], scene: Scene, acting: Principal, *,
    by: Principal, now: datetime,
) -> Rehearsed:  # fmt: skip
    """Try it as `acting`, undo all of it, then look up as `by` what it touched of what is there."""
    try:
        with acting_for(acting, subjects=ALL_SUBJECTS):
            is_new = not Subject.objects.filter(organisation_id=by.organisation, external_id=scene.subject).exists()
            subject = subjects.ensure(external_id=scene.subject, by=acting, now=now)
            lock(subject)  # before a new speaker is put on record: api/calls.py, speaking
            speaker = subjects.ensure(external_id=scene.speaker, by=acting, now=now) if scene.speaker else None
            with acting_for(acting, subjects=readers([subject]), savepoint=False):
                found = attempt(subject, speaker)
            raise _Undone(replace(found, is_new=is_new))
    except _Undone as undone:
        return replace(undone.found, known=_shown(_touched(undone.found.results), by=by, now=now))


def _touched(results: Iterable[intake.Result]) -> set[uuid.UUID]:
    entries = (entry for result in results for entry in (result.entry, result.against, *result.replaces))
    return {entry.pk for entry in entries if entry is not None}


def _shown(ids: set[uuid.UUID], *, by: Principal, now: datetime) -> dict[uuid.UUID, Entry]:
    """Those of these entries that are there; what only would have been written is not. Their words are shown to whoever
    tries it, so that is a read of theirs, as a question to recall is (R37)."""
    if not ids:
        return {}
    with acting_for(by, subjects=ALL_SUBJECTS):
        rows = Entry.objects.filter(organisation_id=by.organisation, pk__in=ids).defer("embedding", "search")
        known = {entry.pk: entry for entry in rows.select_related("subject", "provenance__speaker")}
        if known:
            about = {entry.subject_id: entry.subject for entry in known.values()}
            read_log.write(
                by=by, now=now, purpose=read_log.TRIED, subjects=list(about.values()), query="",
                items=[{"id": str(pk), "score": 1.0} for pk in known],
            )  # fmt: skip
    return known
