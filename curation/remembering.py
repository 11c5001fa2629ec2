"""What is kept about a person right now, and about the groups they belong to? (R90)"""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.db.models import Count, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from curation.paging import rows_after
from memoryhub.governance import reading
from memoryhub.governance.conversations import facts_of
from memoryhub.governance.questions import open_for
from memoryhub.governance.read_by import Reading, of_person
from memoryhub.models import Entry, Event, ReviewQuestion, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES, groups_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Kind, Scope, Status

LIVING = (Status.ACCEPTED, Status.PROPOSED, Status.DISPUTED)
ROWS: Final = 20  # statements on one page: what a thumb scrolls through
ASKED: Final = 20  # questions at once; more is an interview
READS: Final = 5  # newest reads told beside one statement
GROUPS: Final = 10  # accounts, sites, projects and teams
OF_A_GROUP: Final = 50  # statements shown for one of them
SPOKEN: Final = 200  # exchanges of one conversation
MOST_WORDS: Final = 200  # characters of a search


@dataclass(frozen=True)
class Narrowed:
    """What of it is looked at: things about one topic (a category), with these words, from this place on."""

    about: str = ""
    words: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Narrowed":
        """As an address has it; a topic that does not exist is none, and too many words are cut."""
        about, words = query.get("about", ""), query.get("q", "")
        return cls(
            about=about if about in Category.values else "",
            words="".join(char for char in words if char.isprintable()).strip()[:MOST_WORDS],
            after=query.get("after", ""),
        )

    @property
    def is_narrow(self) -> bool:
        return bool(self.about or self.words)

    def address(self, *, after: str | None = None) -> str:
        """The same as the query of an address, from another place on where one is named."""
        place = self.after if after is None else after
        named = {"about": self.about, "q": self.words, "after": place}
        return urlencode({name: value for name, value in named.items() if value})


@dataclass(frozen=True)
class Kept:
    """One page of a person's memories, how many there are, and since when. `asked`: what lapses soon unless they say
    that it is still so, on the first page; `questions`: what a curator wants to know from them; `topics`: how many
    there are of each, in the order of the vocabulary.
    """

    questions: list[ReviewQuestion]
    asked: list[Entry]
    own: list[Entry]
    after: str
    count: int
    since: datetime | None
    topics: list[tuple[str, int]]
    groups: list[tuple[Subject, list[Entry]]]
    summaries: int
    reads: Mapping[uuid.UUID, Sequence[Reading]]


def what_is_kept(*, subject: Subject, narrowed: Narrowed, by: Principal, now: datetime) -> Kept:
    """What is in force or waits for a look, newest first; history is in the download."""
    own = _now(reading.entries(wanted=reading.Wanted(subject=subject, status=reading.ANY), by=by), now)
    due = Q(kind=Kind.SEMANTIC, status=Status.ACCEPTED, review_by__lte=now) & ~Q(category__in=AUTHORITY_CATEGORIES)
    sums = list(
        own.values("kind", "category")
        .annotate(count=Count("pk"), since=Min("recorded_at"), due=Count("pk", filter=due))
        .order_by()
    )
    topics = Counter({one["category"]: one["count"] for one in sums if one["kind"] != Kind.EPISODIC})
    questions = list(open_for(subject)[:ASKED])
    asked: list[Entry] = []
    if not narrowed.is_narrow and any(one["due"] for one in sums):
        asked = list(_shown(own.filter(due).exclude(pk__in=[one.item.entry_id for one in questions]))[:ASKED])
    sought = reading.Wanted(
        subject=subject, status=reading.ANY, q=narrowed.words or None, category=narrowed.about or None
    )
    rest = _now(reading.entries(wanted=sought, by=by), now).exclude(pk__in=[entry.pk for entry in asked])
    paged = rows_after(
        _shown(rest.exclude(kind=Kind.EPISODIC)), narrowed.after, field="recorded_at", newest_first=True, size=ROWS
    )
    return Kept(
        questions=questions, asked=asked, own=paged.rows, after=paged.after,
        count=sum(one["count"] for one in sums), since=min((one["since"] for one in sums), default=None),
        topics=[(category, topics[category]) for category in Category.values if topics[category]],
        groups=_of_groups(subject, now) if not narrowed.is_narrow and not narrowed.after else [],
        summaries=sum(one["count"] for one in sums if one["kind"] == Kind.EPISODIC),
        reads=of_person(subject, entries=[one.pk for one in (*asked, *paged.rows)], by=by, most=READS),
    )  # fmt: skip


def living(entry: Entry, *, now: datetime) -> Entry | None:
    """What stands in an entry's place now: itself, or the latest version of its statement; None where nothing does."""
    ids = [version.pk for version in reading.versions(entry)]
    return _shown(_now(Entry.objects.filter(pk__in=ids, subject=entry.subject_id), now)).first()


def _of_groups(subject: Subject, now: datetime) -> list[tuple[Subject, list[Entry]]]:
    """What is in force about the accounts, sites, projects and teams they belong to."""
    groups = list(groups_of(subject).order_by("kind", "external_id")[:GROUPS])
    if not groups:
        return []
    rows = Entry.objects.filter(audience__in=groups, scope__in=[Scope.ACCOUNT, Scope.TEAM], status=Status.ACCEPTED)
    place = Window(RowNumber(), partition_by="audience", order_by=["-recorded_at", "-id"])
    found: dict[uuid.UUID | None, list[Entry]] = {}
    for entry in _shown(_now(rows, now).annotate(place=place).filter(place__lte=OF_A_GROUP)):
        found.setdefault(entry.audience_id, []).append(entry)
    return [(group, found[group.pk]) for group in groups if group.pk in found]


@dataclass(frozen=True)
class Summary:
    """What is kept of one conversation, and the facts that came from it."""

    entry: Entry
    facts: Sequence[Entry]


def summaries_of(*, subject: Subject, after: str, by: Principal, now: datetime) -> tuple[list[Summary], str]:
    """One page of what is kept of conversations, newest first, and where the next begins."""
    rows = _now(reading.entries(wanted=reading.Wanted(subject=subject, status=reading.ANY), by=by), now)
    paged = rows_after(
        _shown(rows.filter(kind=Kind.EPISODIC)), after, field="recorded_at", newest_first=True, size=ROWS
    )
    facts = facts_of(paged.rows, now=now)
    return [Summary(entry, facts.get(entry.pk, ())) for entry in paged.rows], paged.after


def _now(rows: QuerySet[Entry], now: datetime) -> QuerySet[Entry]:
    holds = Q(valid_to__isnull=True) | Q(valid_to__gt=now)
    return rows.filter(holds, status__in=LIVING, expires_at__gt=now)


def _shown(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    told = rows.select_related("subject", "provenance__speaker", "provenance__agent").defer("embedding", "search")
    return told.order_by("-recorded_at", "-id")


def spoken_in(summary: Entry) -> list[Event]:
    """What is left of the words of the conversation that an entry sums up, in order; none once they are pruned."""
    origin = summary.provenance
    if not origin.session_ref:
        return []
    rows = Event.objects.filter(
        subject=summary.subject_id, agent=origin.agent_id, session__external_id=origin.session_ref
    )
    return list(rows.order_by("occurred_at", "id")[:SPOKEN])
