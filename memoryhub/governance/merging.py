"""The claim is known already, in other words: it becomes history of the entry that says so (R17, R92)."""

import uuid
from datetime import datetime
from typing import Any

from django.db import transaction

from memoryhub.errors import Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import (
    acceptance,
    audit,
    confirmation,
    disputes,
    four_eyes,
    lifecycle,
    opening,
    review_queue,
    versions,
)
from memoryhub.governance.policy_versions import in_force
from memoryhub.models import Entry, ReviewItem
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import ReviewState, ReviewType, Role, Status

_READ_BY_THE_SAME = ("subject_id", "kind", "scope", "audience_id")


@transaction.atomic
def merge(
    *,
    item_id: uuid.UUID | str,
    into: uuid.UUID | str,
    by: Principal,
    now: datetime,
    etag: str | None = None,
    text: str | None = None,
) -> ReviewItem:
    """Fold a waiting claim into an entry in force: that one counts as confirmed today, the claim is history below it,
    and is erased with it. With `text`, the claim in those words takes its place instead, and it becomes history.

    Raises Invalid where there is no claim to merge, or other people read the entry; Stale where it is not in force any
    more; NotGranted where two have to say yes.
    """
    item = opening.undecided(item_id, by=by, etag=etag)
    entry = item.entry
    if entry is None or entry.status not in (Status.PROPOSED, Status.DISPUTED):
        raise Invalid(errors={"into": ["Only a statement that waits is merged into another."]})
    policy = in_force(by.organisation)
    acceptance.check_granted(policy, entry.kind, entry.category)
    kept = _target(into, entry, by=by)
    if four_eyes.needs_two(item, policy=policy, now=now, text=text, besides=kept):
        raise NotGranted("Two people have to say yes to this; approve or decline it.")
    if text is not None and text.strip():
        undo = acceptance.accept(item, entry, text=text, by=by, now=now, instead_of=[kept.pk])
    else:
        undo = _fold(item, entry, kept, by=by, now=now)
    item.merged_into = kept
    return opening.close(item, ReviewState.MERGED, undo, by=by, now=now)


def take_back(item: ReviewItem, entry: Entry, kept: dict[str, Any], *, by: Principal, now: datetime) -> None:
    """Both entries as the merge found them. Raises Stale where the one that stayed was confirmed or replaced since."""
    into = Entry.objects.select_for_update(of=("self",)).filter(pk=kept["into"]).first()
    if (
        into is None
        or (into.status, into.last_confirmed_at) != (Status.ACCEPTED, item.decided_at)
        or entry.status != Status.REPLACED
    ):
        raise Stale("What it was merged into changed since; decide that instead.")
    if kept["below"] is not None:
        tail = Entry.objects.select_for_update(of=("self",)).get(pk=kept["below"])
        versions.relink(tail, None, by=by, now=now)
    into.refresh_from_db()
    audit.record_entry(into, "entry.undo", by=by, now=now)
    acceptance.restore(into, kept["stayed"], by=by, now=now)
    lifecycle.move(entry, Status.ACCEPTED, by=by, now=now, valid_to=entry.valid_to)
    lifecycle.move(entry, Status(kept["status"]), by=by, now=now)
    audit.record_entry(entry, "entry.undo", by=by, now=now)
    acceptance.restore(entry, kept, by=by, now=now)
    if kept["settled"] and item.rival_id is not None:
        disputes.contest(Entry.objects.get(pk=item.rival_id))
    review_queue.reinstate(kept["withdrawn"], by=by, now=now)


def _target(into: uuid.UUID | str, entry: Entry, *, by: Principal) -> Entry:
    rows = Entry.objects.select_for_update(of=("self",)).select_related("provenance")
    kept = rows.filter(organisation_id=by.organisation, pk=into).exclude(pk=entry.pk).first()
    if kept is None:
        raise NotFound
    if any(getattr(kept, name) != getattr(entry, name) for name in _READ_BY_THE_SAME):
        raise Invalid(errors={"into": ["It is about somebody or something else, or read by others."]})
    if kept.scope == "agent" and kept.agent_id != entry.agent_id:
        raise Invalid(errors={"into": ["Another agent's own memory."]})
    if kept.status != Status.ACCEPTED:
        raise Stale("That is not in force any more; choose another.")
    return kept


def _fold(item: ReviewItem, entry: Entry, kept: Entry, *, by: Principal, now: datetime) -> dict[str, Any]:
    undo: dict[str, Any] = {
        **acceptance.kept_of(entry), "into": str(kept.pk), "stayed": acceptance.kept_of(kept), "below": None
    }  # fmt: skip
    acceptance.check_wanted(entry)
    # It never was in force: its time as a fact is none, so that no question about the past finds it.
    entry.valid_to, entry.recorded_at = entry.valid_from, now
    lifecycle.move(entry, Status.ACCEPTED, by=by, now=now)
    lifecycle.move(entry, Status.REPLACED, by=by, now=now, valid_to=entry.valid_from)
    entry.save(update_fields=["recorded_at", "updated_at"])
    tail = versions.oldest_of(kept)
    if tail.pk != entry.pk and not versions.is_version_of(entry, tail):
        versions.relink(tail, entry, by=by, now=now)
        undo["below"] = str(tail.pk)
        kept.refresh_from_db(fields=["version", "supersedes"])
    undo["settled"] = bool(item.rival) and disputes.settle(_same(item.rival, kept), besides=item)
    asked = ReviewItem.objects.filter(entry=kept, type=ReviewType.RECONFIRM, state=ReviewState.WAITING)
    waited = [str(pk) for pk in asked.values_list("pk", flat=True)]
    confirmation.touch(kept, role=Role.CURATOR, policy=in_force(by.organisation), by=by, now=now)
    audit.record_entry(kept, "entry.confirm", by=by, now=now)
    left = set(asked.values_list("pk", flat=True))
    undo["withdrawn"] = [pk for pk in waited if uuid.UUID(pk) not in left]
    return undo


def _same(rival: Entry | None, kept: Entry) -> Entry:
    """The rival, as the one object that stands for its row here."""
    return kept if rival is None or rival.pk == kept.pk else rival
