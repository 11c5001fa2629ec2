"""How do old episodes become one dated line a quarter? (R5, R77)

A quarter's episodes go together, each whole sentence as it was told or left out and counted; what folds says nothing of
its own but days and numbers. It goes through the gate, supersedes what it folds, lists it as its sources and lives
conf.FOLDED_LIFETIME. Episodes of the same quarter that lapse later are folded into a new version of the line.
"""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import date, datetime, tzinfo
from typing import Final, NamedTuple

from django.db.models import Q

from memoryhub import conf
from memoryhub.dreams.housekeeping.deeds import Did, did, subjects_with
from memoryhub.dreams.housekeeping.telling import Told, told_by, whole_sentences
from memoryhub.governance import intake
from memoryhub.governance.reach import FOLD
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.zones import zone_of
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Deed, Kind, Op, Reason, Role, Status

AT_ONCE: Final = 500  # episodes of one line that are folded in one go


class _Quarter(NamedTuple):
    """What goes into one line: the agent, its readers and the quarter."""

    agent: uuid.UUID | None
    scope: str
    year: int
    number: int

    @property
    def name(self) -> str:
        return f"{self.year}-Q{self.number}"

    @property
    def months(self) -> str:
        first = 3 * self.number - 2
        return f"{self.year}-{first:02} to {self.year}-{first + 2:02}"


def is_a_fold() -> Q:
    """Entries that are such a line."""
    return Q(provenance__ref__startswith=f"{FOLD} ", provenance__role=Role.DREAMER)


def to_be_folded() -> Q:
    """Episodes that are folded when their time comes, instead of lapsing."""
    return Q(kind=Kind.EPISODIC, category=Category.EPISODE_OUTCOME) & ~is_a_fold()


def due(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with an episode that is about to lapse; not those for whom remembering is paused: nothing is written
    for them."""
    lapsing = Q(status=Status.ACCEPTED, expires_at__lte=now + conf.FOLD_AHEAD, subject__paused_at__isnull=True)
    return subjects_with(lapsing & to_be_folded(), organisation=organisation, after=after)


def fold(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Fold each quarter in which an episode lapses, with those that lapse within conf.FOLDED_EARLY of it."""
    lock(subject)
    about = Subject.objects.select_related("organisation").get(pk=subject)
    zone = zone_of(about)
    rows = Entry.objects.filter(
        to_be_folded(), subject=about, status=Status.ACCEPTED, expires_at__lte=now + conf.FOLDED_EARLY
    ).select_related("provenance")
    groups: defaultdict[_Quarter, list[Entry]] = defaultdict(list)
    for entry in rows.defer("embedding", "search").order_by("valid_from", "pk"):
        groups[_quarter_of(entry, zone)].append(entry)
    done: list[Did] = []
    more = False
    for quarter, episodes in groups.items():
        if not any(entry.expires_at <= now + conf.FOLD_AHEAD for entry in episodes):
            continue
        taken = sorted(episodes, key=lambda entry: (entry.expires_at, entry.pk))[:AT_ONCE]
        folded = _fold(taken, quarter, about, zone=zone, by=replace(by, agent=quarter.agent), now=now)
        if folded is not None:
            done += [did(Deed.FOLDED, entry) for entry in taken]
            more = more or len(episodes) > AT_ONCE
    return done, more


def _fold(
    episodes: Sequence[Entry], quarter: _Quarter, subject: Subject, *, zone: tzinfo, by: Principal, now: datetime
) -> Entry | None:
    """One line over these episodes and those in the line that stands for the quarter already; None when the gate keeps
    neither its sentences nor its bare numbers."""
    former = _former(quarter, subject)
    known = list(_sources_of(former)) if former is not None else []
    everything = sorted([*known, *episodes], key=lambda entry: (entry.valid_from, entry.pk))
    told = [told_by(entry, zone=zone) for entry in everything]
    for text in (_line(told, quarter), _head(told, quarter)):
        proposal = intake.Proposal(
            subject=subject,
            text=text,
            channel=Channel.DREAM,
            role=Role.DREAMER,
            kind=Kind.EPISODIC,
            category=Category.EPISODE_OUTCOME,
            said_at=max(entry.valid_from for entry in everything),
            scope=quarter.scope,
            source=intake.Source(ref=f"{FOLD} {quarter.name}"),
            derived_from=tuple(everything),
            supersedes_all=tuple([former, *episodes] if former is not None else episodes),
            folds=True,
        )
        tried = replace(proposal, supersedes_all=tuple(copy(entry) for entry in proposal.supersedes_all))
        (would,) = intake.propose(proposal=tried, by=by, now=now, dry_run=True).results  # (changes what it is given)
        if would.op == Op.UPDATE or (would.op == Op.QUEUED and would.reason != Reason.SUSPICIOUS):
            (result,) = intake.propose(proposal=proposal, by=by, now=now).results
            return result.entry if result.op == Op.UPDATE else None  # queued: by the agent's policy a person decides
    return None


def _line(told: Sequence[Told], quarter: _Quarter) -> str:
    """The days with what was told of each; the same sentences are said once, with all their days."""
    by_words: dict[str, list[Told]] = {}
    left = 0
    for one in told:
        words = whole_sentences(one.sentences, limit=conf.FOLDED_EACH)
        if words:
            by_words.setdefault(words, []).append(one)
        else:
            left += 1
    text = _head(told, quarter)
    for words, those in by_words.items():
        part = f" {', '.join(dict.fromkeys(_days(one) for one in those))}: {words}"
        if len(text) + len(part) > conf.FOLDED_CHARACTERS:
            left += len(those)
        else:
            text += part
    return f"{text} {left} more {'is' if left == 1 else 'are'} not told here." if left else text


def _head(told: Sequence[Told], quarter: _Quarter) -> str:
    return f"{quarter.months}, {len(told)} {'episode' if len(told) == 1 else 'episodes'}."


def _days(told: Told) -> str:
    return told.first.isoformat() if told.first == told.last else f"{told.first.isoformat()} to {told.last.isoformat()}"


def _quarter_of(entry: Entry, zone: tzinfo) -> _Quarter:
    day: date = told_by(entry, zone=zone).first
    return _Quarter(entry.agent_id, entry.scope, day.year, (day.month + 2) // 3)


def _former(quarter: _Quarter, subject: Subject) -> Entry | None:
    """The line that stands for the quarter already."""
    lines = Entry.objects.filter(
        Q(agent_id__isnull=True) if quarter.agent is None else Q(agent_id=quarter.agent),
        subject=subject, status=Status.ACCEPTED, scope=quarter.scope,
        provenance__ref=f"{FOLD} {quarter.name}", provenance__role=Role.DREAMER,
    )  # fmt: skip
    return lines.select_related("provenance").order_by("-recorded_at", "-id").first()


def _sources_of(line: Entry) -> Sequence[Entry]:
    """The episodes a line folded, as far as they are kept."""
    rows = Entry.objects.filter(derived__child=line).select_related("provenance")
    return list(rows.defer("embedding", "search").order_by("valid_from", "pk"))
