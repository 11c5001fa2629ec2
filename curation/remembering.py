"""What is kept about a person right now, and about the groups they belong to? (R90)"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet

from curation.paging import rows_after
from memoryhub.governance import reading
from memoryhub.governance.conversations import facts_of
from memoryhub.governance.questions import open_for
from memoryhub.governance.read_by import Reading, of_person
from memoryhub.models import Entry, ReviewQuestion, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES, groups_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Scope, Status

LIVING = (Status.ACCEPTED, Status.PROPOSED, Status.DISPUTED)
ASKED = 20  # questions at once; more is an interview
READS = 5  # newest reads told beside one statement
OF_A_GROUP = 50  # statements shown for one account, site, project or team


@dataclass(frozen=True)
class Kept:
    """One page of a person's memories, how many there are, and since when. `asked`: what lapses soon unless they say
    that it is still so, on every page; `questions`: what a curator wants to know from them.
    """

    questions: list[ReviewQuestion]
    asked: list[Entry]
    own: list[Entry]
    after: str
    count: int
    since: datetime | None
    groups: list[tuple[Subject, list[Entry]]]
    summaries: int
    reads: Mapping[uuid.UUID, Sequence[Reading]]


def what_is_kept(*, subject: Subject, after: str, by: Principal, now: datetime) -> Kept:
    """What is in force or waits for a look, newest first; history is in the download."""
    wanted = reading.Wanted(subject=subject, status=reading.ANY)
    own = _now(reading.entries(wanted=wanted, by=by), now)
    told = Q(kind=Kind.EPISODIC)
    sums = own.aggregate(count=Count("pk"), since=Min("recorded_at"), summaries=Count("pk", filter=told))
    due = own.filter(kind=Kind.SEMANTIC, status=Status.ACCEPTED, review_by__lte=now)
    questions = list(open_for(subject)[:ASKED])
    once = due.exclude(category__in=AUTHORITY_CATEGORIES).exclude(pk__in=[one.item.entry_id for one in questions])
    asked = list(_shown(once)[:ASKED])
    rest = own.exclude(pk__in=[entry.pk for entry in asked]).exclude(kind=Kind.EPISODIC)
    paged = rows_after(_shown(rest), after, field="recorded_at", newest_first=True)
    groups = []
    for group in groups_of(subject).order_by("kind", "external_id")[:10]:
        rows = Entry.objects.filter(audience=group, scope__in=[Scope.ACCOUNT, Scope.TEAM], status=Status.ACCEPTED)
        if found := list(_shown(_now(rows, now))[:OF_A_GROUP]):
            groups.append((group, found))
    return Kept(
        questions=questions, asked=asked, own=paged.rows, after=paged.after, count=sums["count"], since=sums["since"],
        groups=groups, summaries=sums["summaries"],
        reads=of_person(subject, entries=[one.pk for one in (*asked, *paged.rows)], by=by, most=READS),
    )  # fmt: skip


@dataclass(frozen=True)
class Summary:
    """What is kept of one conversation, and the facts that came from it."""

    entry: Entry
    facts: Sequence[Entry]


def summaries_of(*, subject: Subject, after: str, by: Principal, now: datetime) -> tuple[list[Summary], str]:
    """One page of what is kept of conversations, newest first, and where the next begins."""
    rows = _now(reading.entries(wanted=reading.Wanted(subject=subject, status=reading.ANY), by=by), now)
    paged = rows_after(_shown(rows.filter(kind=Kind.EPISODIC)), after, field="recorded_at", newest_first=True)
    facts = facts_of(paged.rows, now=now)
    return [Summary(entry, facts.get(entry.pk, ())) for entry in paged.rows], paged.after


def _now(rows: QuerySet[Entry], now: datetime) -> QuerySet[Entry]:
    holds = Q(valid_to__isnull=True) | Q(valid_to__gt=now)
    return rows.filter(holds, status__in=LIVING, expires_at__gt=now)


def _shown(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    return rows.select_related("subject", "provenance__speaker", "provenance__agent").order_by("-recorded_at", "-id")
