"""Which entries may be given at all? Everything that is asked before ranking, as one database condition (R30).

Row-level security stands behind it: with these filters gone, another tenant's or subject's row still can't be read.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from memoryhub.models import Entry, Subject, SubjectMember
from memoryhub.permissions import is_staff
from memoryhub.tenancy import ALL_SUBJECTS, Principal
from memoryhub.vocabulary import KeyRole, Scope, Sensitivity, Status

#: What was in force at some time, seen from a later one; erased rows are gone (R3).
ONCE_IN_FORCE = frozenset({Status.ACCEPTED, Status.REPLACED, Status.EXPIRED})
_SEES_RESTRICTED = frozenset({KeyRole.CURATOR, KeyRole.OPERATOR})


@dataclass(frozen=True)
class Window:
    """When: true at `valid_at`, believed at `as_of`, and beginning in `since`..`until`; None leaves it open."""

    as_of: datetime | None = None
    valid_at: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None


def sees_restricted(by: Principal) -> bool:
    """Whether the reader may see restricted entries at all."""
    return bool(by.roles & _SEES_RESTRICTED)


def in_use(subjects: Iterable[Subject]) -> list[Subject]:
    """Those that may be asked about: who paused may have said that not even what is known is used (R90)."""
    return [subject for subject in subjects if subject.paused_at is None or subject.use_existing]


def readers(subjects: Sequence[Subject]) -> frozenset[uuid.UUID]:
    """The audiences these subjects belong to: themselves, their accounts, their groups."""
    asked = [subject.pk for subject in subjects if subject.known_groups is None]
    groups = SubjectMember.objects.filter(person__in=asked).values_list("group_id", flat=True) if asked else ()
    known = (group for subject in subjects for group in subject.known_groups or ())
    accounts = (subject.account_id for subject in subjects if subject.account_id)
    return frozenset([*(subject.pk for subject in subjects), *accounts, *groups, *known])


def in_reach(
    *,
    by: Principal,
    audiences: Collection[uuid.UUID] | str,
    scopes: Collection[str] = (),
) -> Q:
    """Entries of these audiences (ALL_SUBJECTS: of each), of the organisation, and the agent's own; `scopes` can only
    narrow.

    A key bound to one subject reads of the last two only what is about that subject, its accounts and groups.
    """
    shared = Q(scope=Scope.ORGANISATION)
    if by.agent is not None:
        shared |= Q(scope=Scope.AGENT, agent_id=by.agent)
    if by.bound_subject:
        shared &= Q(subject__in=audiences)
    reach = (Q(audience__isnull=False) if audiences == ALL_SUBJECTS else Q(audience__in=audiences)) | shared
    return reach & narrowed(scopes)


def at_rest() -> Q:
    """Entries about, or for, somebody who is paused and said that nothing known of them is to be used (R90).

    Asked of the database, since an entry that all may read can be about a subject that this reader can't see.
    """
    paused = RawSQL("SELECT hub_paused_subjects()", [])
    return Q(subject__in=paused) | Q(audience__in=paused)


def uses_memory(by: Principal) -> bool:
    """Whether the reader is an agent: it uses what is known, where others answer for it or are whom it is about (R90).

    Also with a key that passes on what people say: a read does not tell for which of the two it is made.
    """
    return KeyRole.AGENT in by.roles and not is_staff(by)


def open_to(entries: QuerySet[Entry], *, by: Principal) -> QuerySet[Entry]:
    """Of these entries, those that may be shown word by word: to whoever uses memory none of those at rest (R90)."""
    return entries.filter(~at_rest()) if uses_memory(by) else entries


def in_force(window: Window, *, now: datetime) -> Q:
    """Accepted and true now; or true at `valid_at`; or believed at `as_of` (R3)."""
    if window.as_of is not None or window.valid_at is not None:
        return Q(status__in=ONCE_IN_FORCE) & looking_back(as_of=window.as_of, valid_at=window.valid_at)
    covers = Q(valid_from__lte=now) & (Q(valid_to__isnull=True) | Q(valid_to__gt=now))
    return Q(status=Status.ACCEPTED, expires_at__gt=now) & covers


def looking_back(*, as_of: datetime | None, valid_at: datetime | None) -> Q:
    """True at `valid_at` (default: at `as_of`), by what had been recorded at `as_of` (default: by all that is known).

    An end that was recorded later was not known then. Of the versions of a single-valued key the one that began last
    holds: a version said late ends an earlier one that was closed already.
    """
    moment = valid_at or as_of
    ends = Q(valid_to__isnull=True) | Q(valid_to__gt=moment)
    later = Entry.objects.filter(
        subject=OuterRef("subject"), entity=OuterRef("entity"), key=OuterRef("key"), single=True,
        status__in=ONCE_IN_FORCE, valid_from__lte=moment,
    ).filter(
        Q(valid_from__gt=OuterRef("valid_from"))
        | Q(valid_from=OuterRef("valid_from"), recorded_at__gt=OuterRef("recorded_at"))
    )  # fmt: skip
    held = Q(valid_to__isnull=True) | Q(valid_to__gt=F("valid_from"))  # a version that was never true ends nothing
    if as_of is not None:
        ends |= Q(recorded_until__gt=as_of)
        later = later.filter(held | Q(recorded_until__gt=as_of), recorded_at__lte=as_of)
    else:
        later = later.filter(held)
    known = Q(recorded_at__lte=as_of) if as_of is not None else Q()
    return known & ends & Q(valid_from__lte=moment, expires_at__gt=moment) & ~Q(Q(single=True) & Exists(later))


@dataclass(frozen=True)
class Reach:
    """What a question may be answered with: who asks, when, of whose entries, and what else narrows it (R30)."""

    by: Principal
    now: datetime
    audiences: tuple[uuid.UUID, ...]
    window: Window = Window()
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()

    @property
    def entries(self) -> QuerySet[Entry]:
        """Every entry that may be considered for the question."""
        return self._passing(in_reach(by=self.by, audiences=self.audiences, scopes=self.scopes))

    def of_audiences(self, theirs: Q | None = None) -> QuerySet[Entry]:
        """Those of the audiences alone, without what is shared beside. `theirs`: the same condition in other words,
        where an index of all audiences would mislead.
        """
        return self._passing((theirs or Q(audience__in=self.audiences)) & narrowed(self.scopes))

    def _passing(self, reach: Q) -> QuerySet[Entry]:
        return passing(
            reach, by=self.by, now=self.now, window=self.window, kinds=self.kinds, categories=self.categories
        )


def narrowed(scopes: Collection[str]) -> Q:
    """Entries of these scopes; none named: of any."""
    return Q(scope__in=scopes) if scopes else Q()


def eligible(
    *,
    by: Principal,
    now: datetime,
    audiences: Collection[uuid.UUID] | str,
    window: Window,
    kinds: Collection[str] = (),
    categories: Collection[str] = (),
    scopes: Collection[str] = (),
) -> QuerySet[Entry]:
    """Every entry that may be considered for a question."""
    reach = in_reach(by=by, audiences=audiences, scopes=scopes)
    return passing(reach, by=by, now=now, window=window, kinds=kinds, categories=categories)


def passing(
    reach: Q, *, by: Principal, now: datetime, window: Window, kinds: Collection[str], categories: Collection[str]
) -> QuerySet[Entry]:
    """Of the entries in reach, those that pass every other filter."""
    entries = Entry.objects.filter(reach, in_force(window, now=now), ~at_rest(), organisation_id=by.organisation)
    if kinds:
        entries = entries.filter(kind__in=kinds)
    if categories:
        entries = entries.filter(category__in=categories)
    if window.since is not None:
        entries = entries.filter(valid_from__gte=window.since)
    if window.until is not None:
        entries = entries.filter(valid_from__lt=window.until)
    if not sees_restricted(by):
        entries = entries.exclude(sensitivity=Sensitivity.RESTRICTED)
    return entries
