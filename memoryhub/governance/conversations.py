"""Which facts came from a conversation, and how is a conversation forgotten, with them or without? (R90, R91)"""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from memoryhub.governance import erasure
from memoryhub.models import Entry
from memoryhub.tenancy import Principal
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


def forget(*, summary: Entry, with_facts: bool, by: Principal, now: datetime) -> dict[str, int]:
    """Forget a conversation: its summary, its turns, and, `with_facts`, every fact that came from it in all its
    versions. What was removed, counted as its receipt counts it.

    What gives a right or sets a limit stays. Raises Invalid for what sums up no conversation.
    """
    receipt = erasure.erase_summary(summary=summary, keep_facts=not with_facts, by=by, now=now)
    return {name: count for name, count in receipt.removed.items() if count}


def _conversation(entry: Entry) -> tuple[uuid.UUID | None, str] | None:
    """The agent and its name for the conversation, where there was one."""
    origin = entry.provenance
    return (origin.agent_id, origin.session_ref) if origin.session_ref else None
