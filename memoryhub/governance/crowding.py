"""How much may one source put before a person? Proposals of text nobody vouched for, by where it came from (R15).

A document, page, mail or tool that names itself is one source, for each subject and agent; one that does not is what
the agent read in that session. What waits of one source is one group: a curator looks at it, and can decline it, as a
whole. Beyond a bound nothing more of it is queued, and the caller is told.
"""

import hashlib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from memoryhub import conf
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.governance.sameness import normalised
from memoryhub.models import ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, ReviewState, Role

MAX_SHOWN = 200  # characters of a source's name on a page


@dataclass(frozen=True)
class Group:
    """The source of some proposals: `source` is what a curator reads, screened like all that came with the words."""

    id: uuid.UUID
    source: str


def group_of(proposal: Proposal, source: Source, *, by: Principal) -> Group | None:
    """The group of what this proposal queues, or None where somebody stands behind the words."""
    if proposal.channel not in UNTRUSTED_CHANNELS:
        return None
    named = source.uri.partition("#")[0].strip() or source.ref.strip()
    what = ("source", normalised(named)) if named else ("session", proposal.session_ref)
    parts = (by.organisation, proposal.subject.pk, by.agent, proposal.channel, *what)
    digest = hashlib.sha256("\n".join(str(part) for part in parts).encode("utf-8", "surrogatepass")).digest()
    unnamed = f"in session {proposal.session_ref}" if proposal.session_ref else "without a name"
    shown = named or f"{Channel(proposal.channel).label} {unnamed}"
    return Group(uuid.UUID(bytes=digest[:16], version=5), shown[:MAX_SHOWN])


def why_full(group: Group, *, by: Principal, now: datetime) -> str:
    """Why nothing more of this source may be queued, in plain words; empty while there is room. The caller holds the
    subject's lock, so that parallel calls about one subject count each other; about several subjects at once the
    agent's bound may be passed by as many as run at once.
    """
    waiting, today = _queued(group, by=by, now=now)
    if waiting >= conf.UNTRUSTED_WAITING_PER_GROUP:
        return f"{conf.UNTRUSTED_WAITING_PER_GROUP} statements of the same source wait for a person already."
    if today >= conf.UNTRUSTED_PER_AGENT_AND_DAY:
        return f"This agent queued {conf.UNTRUSTED_PER_AGENT_AND_DAY} statements of such texts within a day."
    return ""


def _queued(group: Group, *, by: Principal, now: datetime) -> tuple[int, int]:
    """How many wait in the group, and how many the agent queued lately: counted over all subjects, nothing is read."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        of_groups = ReviewItem.objects.filter(organisation_id=by.organisation, group__isnull=False)
        lately = of_groups.filter(agent=by.agent, waiting_since__gt=now - conf.UNTRUSTED_PERIOD)
        return of_groups.filter(group=group.id, state=ReviewState.WAITING).count(), lately.count()


def turn_of(group: Group | None, *, by: Principal, now: datetime, inferred: bool = False) -> datetime:
    """When its turn comes: now, or one step later for each proposal of unvouched texts by the same agent that waits;
    for what the agent has from itself, for each beyond the first conf.INFERRED_WAITING. A flood is its agent's own.
    """
    if group is None and not inferred:
        return now
    with acting_for(by, subjects=ALL_SUBJECTS):
        alike = ReviewItem.objects.filter(organisation_id=by.organisation, agent=by.agent, state=ReviewState.WAITING)
        if group is not None:
            waiting = alike.filter(group__isnull=False).count()
        else:
            waiting = alike.filter(group__isnull=True, decision__role=Role.AGENT).count() - conf.INFERRED_WAITING
    return now + max(0, waiting) * conf.UNTRUSTED_STEP_BACK


def sizes(groups: Iterable[uuid.UUID | None], *, by: Principal) -> dict[uuid.UUID, int]:
    """How many wait in each of these groups."""
    wanted = {group for group in groups if group is not None}
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, group__in=wanted, state=ReviewState.WAITING)
    return dict(rows.order_by().values_list("group").annotate(rows=Count("pk"))) if wanted else {}
