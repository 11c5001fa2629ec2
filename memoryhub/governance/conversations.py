"""Which facts came from a conversation, and how is a conversation forgotten, with them or without? (R90, R91)"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from memoryhub.errors import Invalid
from memoryhub.governance import erasure
from memoryhub.models import Entry, Event, Offload, Session, Turn
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Kind, Status

LIVING = (Status.ACCEPTED, Status.PROPOSED, Status.DISPUTED)


def facts_of(summaries: Sequence[Entry], *, now: datetime) -> Mapping[uuid.UUID, Sequence[Entry]]:
    """For each summary the facts that came from the same conversation and are kept now, in one query."""
    refs = {_conversation(summary) for summary in summaries} - {None}
    rows = Entry.objects.filter(
        subject__in={summary.subject_id for summary in summaries}, kind=Kind.SEMANTIC, status__in=LIVING,
        expires_at__gt=now, provenance__session_ref__in={ref for _, ref in filter(None, refs)},
    )  # fmt: skip
    found = defaultdict(list)
    for fact in rows.select_related("provenance").defer("embedding", "search").order_by("recorded_at", "id"):
        found[_conversation(fact)].append(fact)
    return {summary.pk: found[_conversation(summary)] for summary in summaries if _conversation(summary) in found}


@transaction.atomic
def forget(*, summary: Entry, with_facts: bool, by: Principal, now: datetime) -> dict[str, int]:
    """Forget a conversation: its summary, its turns, and, `with_facts`, every fact that came from it in all its
    versions. What was removed, counted as a receipt counts it; each entry leaves a receipt of its own.

    What gives a right or sets a limit stays. Raises Invalid for what sums up no conversation.
    """
    if summary.kind != Kind.EPISODIC:
        raise Invalid("That is no summary of a conversation.")
    with acting_for(by, subjects=ALL_SUBJECTS):  # what came from it may be about others as well
        sessions = Session.objects.none()
        facts: list[Entry] = []
        if (conversation := _conversation(summary)) is not None:
            agent, ref = conversation
            sessions = Session.objects.filter(agent=agent, external_id=ref, subject=summary.subject_id)
            facts = list(_facts(summary, agent, ref)) if with_facts else []
        events = set(Event.objects.filter(session__in=sessions).values_list("pk", flat=True))
        removed = Counter(erasure.erase_entry(entry=summary, events=events, by=by, now=now).removed)
        for fact in facts:
            if Entry.objects.filter(pk=fact.pk).exists():  # not gone already, as a version of one before it
                removed.update(erasure.erase_entry(entry=fact, by=by, now=now).removed)
        removed["offloads"] += Offload.objects.filter(session__in=sessions).delete()[0]
        removed["turns"] += Turn.objects.filter(session__in=sessions).delete()[0]
        removed["sessions"] += sessions.delete()[1].get(Session._meta.label, 0)
        return {name: count for name, count in removed.items() if count}


def _conversation(entry: Entry) -> tuple[uuid.UUID | None, str] | None:
    """The agent and its name for the conversation, where there was one."""
    origin = entry.provenance
    return (origin.agent_id, origin.session_ref) if origin.session_ref else None


def _facts(summary: Entry, agent: uuid.UUID | None, ref: str) -> QuerySet[Entry]:
    rows = Entry.objects.filter(
        subject=summary.subject_id, kind=Kind.SEMANTIC, provenance__agent=agent, provenance__session_ref=ref
    )
    return rows.exclude(category__in=AUTHORITY_CATEGORIES).select_related("subject", "provenance")
