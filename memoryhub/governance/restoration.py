"""After a backup was put back: is everything that was erased since erased again? Before anybody is served (R91).

Receipts that the ledger holds and the database does not are erasures since the backup: each is done again by the same
routine. Then all of it is looked at: nothing of what was erased is left, and every organisation's chain still holds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memoryhub.errors import Invalid
from memoryhub.governance import access, audit, erasure, verification
from memoryhub.models import Erasure, SubjectKey
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import Ending


@dataclass(frozen=True)
class Replayed:
    """The erasures that were done again, and how many concern an organisation that the backup does not know."""

    again: tuple[Erasure, ...]
    unknown: int


def replay(rows: Iterable[Erasure], *, now: datetime) -> Replayed:
    """Do again, in their order, the erasures that the database does not know of. Each commits by itself, so that a
    replay cut short goes on where it was. Raises Invalid for one that only a later version knows.
    """
    organisations = {pk for pk, _ in access.organisations()}
    again: list[Erasure] = []
    unknown = 0
    for row in sorted(rows, key=lambda one: (one.erased_at, one.pk)):
        if row.organisation_id not in organisations:
            unknown += 1
            continue
        by = system_principal(row.organisation_id, "restore")
        with acting_for(by, subjects=ALL_SUBJECTS):
            if Erasure.objects.filter(pk=row.pk).exists():
                continue
            if row.ending not in Ending.values:
                raise Invalid(
                    f"The ledger names an erasure that this version can't do: {row.pk}. Restore with a newer one."
                )
            erasure.replay(row=row, by=by, now=now)
            again.append(row)
    return Replayed(tuple(again), unknown)


def faults(again: Iterable[Erasure]) -> list[str]:
    """What is wrong with a database that was put back, in sentences; empty: it may serve. `again`: what was done again,
    which is not taken at its word.
    """
    found = []
    for row in again:
        with acting_for(system_principal(row.organisation_id, "restore"), subjects=ALL_SUBJECTS):
            if not Erasure.objects.filter(pk=row.pk).exists():
                found.append(f"Erasure {row.pk} was not done again: it left no receipt.")
            if row.ending == Ending.SUBJECT and SubjectKey.objects.filter(subject_id=row.target).exists():
                found.append(f"Erasure {row.pk} left the subject's key.")
    for organisation, slug in access.organisations():
        with acting_for(system_principal(organisation, "restore"), subjects=ALL_SUBJECTS):
            left = list(verification.left_behind(organisation))
            broken = audit.first_broken_link(organisation)
        found += [f"{slug}: what erasure {one.receipt} erased is there again ({one.table})." for one in left]
        if broken is not None:
            found.append(f"{slug}: the audit trail is broken at link {broken.seq}: {broken.fault}.")
    return found


def note(*, since: datetime, now: datetime) -> None:
    """That each organisation's data came out of a backup, in its own trail: what happened between is not in it."""
    for organisation, _ in access.organisations():
        by = system_principal(organisation, "restore")
        with acting_for(by, subjects=ALL_SUBJECTS):
            audit.record(
                by=by,
                now=now,
                action="hub.restore",
                object_kind="backup",
                object_id=since.isoformat(timespec="seconds"),
            )
