"""When does a dream begin by itself, and when is housekeeping done? What an organisation's operator set (R70, R77).

A worker looks at the clock every conf.TICK. A time of day, or a rhythm, has slots; the last one served is kept, and a
slot is served once whatever the clock does: one that jumps ahead begins one dream, not one for every slot it passed;
one that is put back begins at most one more. On idle: nobody's turn came in for a while, and something waits. While a
dream waits or runs, no other is asked for. Off unless set.
"""

import uuid
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from django.db.models import Max

from accounts.models import Organisation
from memoryhub.dreams import backlog, dreamer
from memoryhub.dreams.housekeeping import runs
from memoryhub.errors import Invalid
from memoryhub.governance import audit, zones
from memoryhub.models import Dream, Housekeeping, Job, Schedule
from memoryhub.permissions import check_may
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, as_worker, system_principal
from memoryhub.vocabulary import Chore, DreamStatus, JobState

MOST_HOURS: Final = 168
MOST_IDLE: Final = 10_080  # minutes: a week
LOOKED_BACK: Final = timedelta(days=1)  # jobs that were parked before are known already
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
_UNFINISHED: Final = (DreamStatus.QUEUED, DreamStatus.RUNNING)


def of(organisation: uuid.UUID) -> Schedule | None:
    """What is set, or None. Called inside acting_for."""
    return Schedule.objects.filter(organisation_id=organisation).first()


def change(
    *,
    dream_at: time | None,
    dream_every_hours: int | None,
    dream_idle_minutes: int | None,
    chores_at: time | None,
    by: Principal,
    now: datetime,
) -> Schedule:
    """Set all times of an organisation; None is off. Raises Invalid with the field at fault, NotGranted. Nothing begins
    for a slot that was over before. Called inside acting_for.
    """
    if "system" not in by.roles:
        check_may(by, "dream")
    errors: dict[str, list[str]] = {}
    if dream_at is not None and dream_every_hours is not None:
        errors["dream_every_hours"] = ["Either a time of day or a rhythm, not both."]
    if dream_every_hours is not None and not 1 <= dream_every_hours <= MOST_HOURS:
        errors["dream_every_hours"] = [f"Between 1 and {MOST_HOURS} hours."]
    if dream_idle_minutes is not None and not 1 <= dream_idle_minutes <= MOST_IDLE:
        errors["dream_idle_minutes"] = [f"Between 1 and {MOST_IDLE} minutes."]
    if errors:
        raise Invalid(errors=errors)
    zone = zones.first_of(Organisation.objects.get(pk=by.organisation).timezone)
    row = of(by.organisation) or Schedule(organisation_id=by.organisation)
    row.dream_at, row.dream_every_hours, row.dream_idle_minutes = dream_at, dream_every_hours, dream_idle_minutes
    row.chores_at = chores_at
    row.dream_slot, row.chores_slot = _dream_slot(row, zone, now=now), _slot_of_day(chores_at, zone, now=now)
    row.changed_at, row.changed_by = now, by.label[:120]
    row.save()
    audit.record(by=by, now=now, action="schedule.change", object_kind="schedule", object_id=row.pk)
    return row


def seek(*, now: datetime) -> None:
    """Ask for what is due by the clock, in every organisation, and see to what was stranded."""
    with as_worker():
        set_in = list(Schedule.objects.order_by("organisation_id").values_list("organisation_id", flat=True))
        parked = Job.objects.filter(
            kind__in=[dreamer.KIND, runs.KIND], state=JobState.PARKED, finished_at__gt=now - LOOKED_BACK
        )
        stranded = set(parked.values_list("organisation_id", flat=True))
    for organisation in sorted(stranded):
        with acting_for(system_principal(organisation, "stranded"), subjects=ALL_SUBJECTS):
            dreamer.revive(organisation, now=now)
            runs.fail_stranded(organisation, now=now)
    for organisation in set_in:
        serve(organisation, now=now)


def serve(organisation: uuid.UUID, *, now: datetime) -> None:
    """Ask for what is due in one organisation."""
    by = system_principal(organisation, "schedule")
    with acting_for(by, subjects=ALL_SUBJECTS):
        schedule = Schedule.objects.select_for_update(of=("self",), skip_locked=True).filter(
            organisation_id=organisation
        ).first()  # fmt: skip
        if schedule is None:  # another worker is at it
            return
        zone = zones.first_of(schedule.organisation.timezone)
        slot = _dream_slot(schedule, zone, now=now)
        due = slot is not None and slot != schedule.dream_slot
        chores = _slot_of_day(schedule.chores_at, zone, now=now)
        keeps = chores is not None and chores != schedule.chores_slot
        if due or keeps:
            schedule.dream_slot, schedule.chores_slot = slot, chores
            schedule.save(update_fields=["dream_slot", "chores_slot"])
        if (due or _is_idle(schedule, now=now)) and _may_dream(organisation, now=now):
            dreamer.request(by=by, now=now)
        if keeps:
            _keep_house(organisation, by=by, now=now)


def next_slots(schedule: Schedule, *, now: datetime) -> tuple[datetime | None, datetime | None]:
    """When the next dream by the clock begins, and the next housekeeping."""
    zone = zones.first_of(schedule.organisation.timezone)
    dream = _dream_slot(schedule, zone, now=now)
    if dream is not None and schedule.dream_every_hours:
        dream += timedelta(hours=schedule.dream_every_hours)
    elif dream is not None:
        dream = _next_day(dream, zone)
    chores = _slot_of_day(schedule.chores_at, zone, now=now)
    return dream, _next_day(chores, zone) if chores is not None else None


def _dream_slot(schedule: Schedule, zone: tzinfo, *, now: datetime) -> datetime | None:
    """The slot that began last."""
    if schedule.dream_every_hours:
        rhythm = timedelta(hours=schedule.dream_every_hours)
        return now - (now - _EPOCH) % rhythm
    return _slot_of_day(schedule.dream_at, zone, now=now)


def _slot_of_day(at: time | None, zone: tzinfo, *, now: datetime) -> datetime | None:
    return zones.slot_of_day(at, zone, now=now) if at is not None else None


def _next_day(slot: datetime, zone: tzinfo) -> datetime:
    local = slot.astimezone(zone)
    return datetime.combine(local.date() + timedelta(days=1), local.timetz().replace(tzinfo=None), tzinfo=zone)


def idle_from(schedule: Schedule, *, now: datetime) -> datetime | None:
    """When a dream begins because nothing comes in any more, if nothing does until then; None: not set, or nothing
    waits. What waited before the times were set waits as long from then on: nobody knew that it would be read. A turn
    from a clock that was ahead counts as long past: it would hold everything up. Called inside acting_for.
    """
    if not schedule.dream_idle_minutes:
        return None
    waiting = backlog.pending(schedule.organisation_id, now=now)
    newest: datetime | None = waiting.aggregate(newest=Max("received_at"))["newest"]
    if newest is None or newest > now:
        return newest and now
    since = max(newest, schedule.changed_at) if schedule.changed_at <= now else newest
    return since + timedelta(minutes=schedule.dream_idle_minutes)


def _is_idle(schedule: Schedule, *, now: datetime) -> bool:
    """Whether nobody's turn came in for long enough while something waits."""
    begins = idle_from(schedule, now=now)
    return begins is not None and begins <= now


def _may_dream(organisation: uuid.UUID, *, now: datetime) -> bool:
    """Whether there is something to read, or to prune, and no dream that will."""
    if Dream.objects.filter(organisation_id=organisation, status__in=_UNFINISHED).exists():
        return False
    return backlog.pending(organisation, now=now).exists() or dreamer.to_prune(now=now).exists()


def _keep_house(organisation: uuid.UUID, *, by: Principal, now: datetime) -> None:
    """Every job of housekeeping that does not wait or run already."""
    open_runs = Housekeeping.objects.filter(organisation_id=organisation, status__in=_UNFINISHED)
    waiting = set(open_runs.values_list("chore", flat=True))
    for chore in Chore:
        if chore.value not in waiting:
            runs.request(chore=chore, by=by, now=now)
