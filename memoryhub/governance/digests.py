"""What waits for me? One mail a day to a curator who asked for it, or one when something is late: counts, ages and
links, no words of what is remembered (R92).

Off unless mail is set up and the curator chose it on their preferences. A worker looks at the clock every conf.TICK; a
slot is served once, however the clock jumps, and a person is written to once a day at most for what is late.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Membership, Organisation, User
from memoryhub import conf, jobs
from memoryhub.governance import access, audit, notices, opening, review_queue, zones
from memoryhub.governance.due import length
from memoryhub.models import Notice, NoticeKind, Preferences, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import KeyRole, MemberRole, ReviewType

JOB: Final = "digest"
EVERY: Final = timedelta(days=1)  # at most, for what is late


@dataclass(frozen=True)
class Digest:
    """What waits that one curator may decide: how much of each type, how much is late, and since when the oldest
    waits.
    """

    by_type: tuple[tuple[ReviewType, int], ...]
    late: int
    oldest: datetime | None

    @property
    def waiting(self) -> int:
        return sum(count for _, count in self.by_type)


def is_set_up() -> bool:
    """Whether the hub has a way to send mail."""
    return bool(settings.DEFAULT_FROM_EMAIL)


def of(*, by: Principal, now: datetime) -> Digest:
    """What waits for one curator; what they or their agents proposed is somebody else's to decide (R92)."""
    rows = theirs(by=by, now=now)
    counted = review_queue.counts(rows)
    return Digest(
        by_type=tuple((kind, counted[kind]) for kind in ReviewType if counted.get(kind)),
        late=rows.filter(place_at__lt=now).count(),
        oldest=rows.order_by("waiting_since").values_list("waiting_since", flat=True).first(),
    )


def theirs(*, by: Principal, now: datetime) -> QuerySet[ReviewItem]:
    """What waits and is not snoozed, but for what this person proposed."""
    rows = review_queue.waiting(by=by, now=now).prefetch_related(None)
    own = Q(proposer=by.user) | Q(agent__owner=by.user) | Q(others__contains=[by.user])
    return rows.exclude(pk__in=ReviewItem.objects.filter(own, organisation_id=by.organisation).values("pk"))


def seek(*, now: datetime) -> None:
    """Name a job for every digest that is due: called every conf.TICK."""
    for organisation, _ in access.organisations():
        with acting_for(system_principal(organisation, JOB), subjects=ALL_SUBJECTS):
            _tell_webhooks(organisation, now=now)
            for chosen in _chosen(organisation) if is_set_up() else ():
                _serve(chosen, now=now)


def run_job(claim: jobs.Claim) -> None:
    """Write to one curator, unless nothing waits by now or they are none any more."""
    person, now = uuid.UUID(claim.payload["person"]), timezone.now()
    with acting_for(system_principal(claim.organisation, JOB), subjects=ALL_SUBJECTS):
        by = _curator(claim.organisation, person)
        if by is None:
            return
        user, organisation = User.objects.get(pk=person), Organisation.objects.get(pk=claim.organisation)
        found = of(by=by, now=now)
    if found.waiting and is_set_up():
        EmailMessage(subject_of(found), body_of(found, organisation, now=now), to=[user.email]).send()


def subject_of(found: Digest) -> str:
    """The first line of a mail."""
    late = f", {found.late} late" if found.late else ""
    return f"Memory Hub: {_many(found.waiting, 'item')} wait{'s' if found.waiting == 1 else ''} for you{late}"


def body_of(found: Digest, organisation: Organisation, *, now: datetime) -> str:
    """The mail: plain words, numbers and links."""
    kinds = ", ".join(_many(count, str(kind.label)) for kind, count in found.by_type)
    home = settings.MEMORYHUB_PUBLIC_URL
    lines = [f"In the queue of {' '.join(organisation.name.split())}: {kinds}."]
    if found.oldest is not None:
        lines.append(f"The oldest waits for {length(now - found.oldest)}.")
    if found.late:
        lines += [f"{_many(found.late, 'item')} should have been decided by now: {home}/queue/?standing=late"]
    lines += ["", f"The queue: {home}/queue/", "", f"When you are written to, you say at {home}/preferences/"]
    return "\n".join(lines) + "\n"


@transaction.atomic
def choose(*, by: Principal, at: time | None, when_late: bool, now: datetime) -> Preferences:
    """Say when one wants to be written to: daily `at` (None: not daily), and as soon as something is late. It begins
    with the next time that it is so late: what went before counts as told.
    """
    person = opening.named(by)
    zone = zones.first_of(Organisation.objects.get(pk=by.organisation).timezone)
    slot = zones.slot_of_day(at, zone, now=now) if at is not None else None
    preferences, _ = Preferences.objects.update_or_create(
        organisation_id=by.organisation, user_id=person,
        defaults={"digest_at": at, "digest_slot": slot, "digest_late": when_late, "changed_at": now},
    )  # fmt: skip
    audit.record(by=by, now=now, action="preferences.save", object_kind="preferences", object_id=preferences.pk)
    return preferences


def _chosen(organisation: uuid.UUID) -> QuerySet[Preferences]:
    wants = Q(digest_at__isnull=False) | Q(digest_late=True)
    rows = Preferences.objects.select_for_update(skip_locked=True, of=("self",)).filter(organisation_id=organisation)
    return rows.filter(wants).select_related("organisation")


def _serve(chosen: Preferences, *, now: datetime) -> None:
    """Ask for one person's digest if it is due, and note that it was."""
    zone, slot = zones.first_of(chosen.organisation.timezone), None
    if chosen.digest_at is not None:
        slot = zones.slot_of_day(chosen.digest_at, zone, now=now)
    daily = slot is not None and slot != chosen.digest_slot
    late = chosen.digest_late and _is_time(chosen.digest_told_late, now=now) and _is_late(chosen, now=now)
    if not daily and not late:
        return
    chosen.digest_slot = slot
    chosen.digest_told_late = now  # a daily one tells what is late as well
    chosen.save(update_fields=["digest_slot", "digest_told_late"])
    jobs.enqueue(
        JOB, organisation=chosen.organisation_id, now=now, payload={"person": str(chosen.user_id)},
        dedupe=str(chosen.user_id),
    )  # fmt: skip


def _is_late(chosen: Preferences, *, now: datetime) -> bool:
    by = _curator(chosen.organisation_id, chosen.user_id)
    return by is not None and theirs(by=by, now=now).filter(place_at__lt=now).exists()


def _is_time(told: datetime | None, *, now: datetime) -> bool:
    return told is None or told > now or now - told >= EVERY


def _curator(organisation: uuid.UUID, person: uuid.UUID) -> Principal | None:
    """The person as the curator they are; None: they are none any more."""
    is_one = Membership.objects.filter(
        organisation_id=organisation, user=person, user__is_active=True, role=MemberRole.CURATOR
    )
    if not is_one.exists():
        return None
    return Principal(organisation, f"user:{person}", frozenset({KeyRole.CURATOR}), user=person)


def _tell_webhooks(organisation: uuid.UUID, *, now: datetime) -> None:
    """Where a webhook asked for it: once a day which items are late, by their ids."""
    by = system_principal(organisation, JOB)
    if not notices.is_wanted(NoticeKind.LATE, by=by):
        return
    told = Notice.objects.filter(organisation_id=organisation, kind=NoticeKind.LATE).order_by("-created_at").first()
    if not _is_time(told.created_at if told else None, now=now):
        return
    waits = review_queue.waiting(by=Principal(organisation, by.label, frozenset({KeyRole.CURATOR})), late=True, now=now)
    late = list(waits.prefetch_related(None).values_list("pk", flat=True)[: conf.NOTICE_IDS])
    if late:
        notices.tell(kind=NoticeKind.LATE, ids=late, subject=None, agents=(), by=by, now=now)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
