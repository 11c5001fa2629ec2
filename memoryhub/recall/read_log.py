"""Who was given what, for whom? Every read leaves one row, without words (R37)."""

import hashlib
import hmac
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from django.conf import settings
from django.db.models import F, Q, QuerySet
from psycopg.types.json import Jsonb

from accounts.ids import new_id
from memoryhub import conf, jobs
from memoryhub.errors import Invalid, NotFound
from memoryhub.models import Entry, Recall, Subject
from memoryhub.recall import planned
from memoryhub.tenancy import Principal

ANSWERS: Final = frozenset({"recall", "context"})  # purposes of an answer to an agent's question, made of notes
PAGE: Final = "page"  # the purpose of a read by a person who looked at what an agent was given
TRIED: Final = "playground"  # … by a person who tried out what an agent would be given
LOOKS: Final = frozenset({PAGE, TRIED})  # reads by people on a page; what an agent is given is none of them


def write(
    *,
    by: Principal,
    now: datetime,
    purpose: str,
    subjects: Sequence[Subject],
    query: str,
    items: list[dict[str, object]],
    tokens: int | None = None,
    took_ms: float | None = None,
) -> uuid.UUID:
    """Note one read, and give its id; `items` are ids, scores, signals and warnings, never words. Sealed into the
    audit chain soon after by a job.
    """
    recall_id = new_id()
    row = {
        "id": recall_id,
        "organisation_id": by.organisation,
        "subject_id": subjects[0].pk if subjects else None,
        "subjects": [subject.pk for subject in subjects],
        "agent_id": by.agent,
        "user_id": by.user,
        "actor": by.label[:100],
        "purpose": purpose,
        "query_digest": digest_of(query),
        "items": Jsonb(items),
        "tokens": tokens,
        "took_ms": took_ms,
        "used": Jsonb([]),
        "created_at": now,
        "sealed_at": None,
    }
    planned.tell(_noting(), {**row, "job": new_id(), "sealed_after": now + conf.SEAL_READS_AFTER})
    return recall_id


@cache
def _noting() -> planned.Statement:
    """The read and the job that seals it, unless that waits already, in one statement."""
    place, columns = planned.place, [field.attname for field in Recall._meta.concrete_fields]
    job = jobs.named(
        "seal_reads", id=place("job"), organisation_id=place("organisation_id"), dedupe="seal",
        run_after=place("sealed_after"), created_at=place("created_at"),
    )  # fmt: skip
    read = Recall(**{name: place(name, "uuid[]" if name == "subjects" else "") for name in columns})
    return planned.statement(f"WITH job AS ({planned.adding(job, unless_there=True)}) {planned.adding(read)}")


def digest_of(query: str) -> str:
    """A keyed hash: an auditor can check a question they know, nobody can read one from it."""
    key = settings.SECRET_KEY.encode()
    return hmac.new(key, query.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest() if query else ""


@dataclass(frozen=True)
class Sought:
    """The filters of a list of reads: about whom (external id), through which agent (slug), with something given or
    not, from when on, made by `looks` of people instead of by agents. None and empty leave one out.
    """

    subject: str = ""
    agent: str = ""
    empty: bool | None = None
    since: datetime | None = None
    looks: bool = False


def reads(*, by: Principal, sought: Sought = Sought()) -> QuerySet[Recall]:
    """The reads of this organisation, newest first: those that agents made, or the looks of people."""
    rows = Recall.objects.filter(organisation_id=by.organisation)
    rows = rows.filter(purpose__in=LOOKS) if sought.looks else rows.exclude(purpose__in=LOOKS)
    if sought.subject:
        about = Subject.objects.filter(organisation_id=by.organisation, external_id=sought.subject).first()
        rows = rows.filter(Q(subject=about) | Q(subjects__contains=[about.pk])) if about else rows.none()
    if sought.agent:
        rows = rows.filter(agent__slug=sought.agent)
    if sought.empty is not None:
        rows = rows.filter(items=[]) if sought.empty else rows.exclude(items=[])
    if sought.since is not None:
        rows = rows.filter(created_at__gte=sought.since)
    return rows.select_related("subject", "agent", "user").order_by("-id")  # ids begin with their time


def find(*, recall_id: uuid.UUID | str, by: Principal) -> Recall:
    """One read of this organisation; an agent sees its own. Raises NotFound."""
    rows = Recall.objects.filter(organisation_id=by.organisation, pk=recall_id).select_related(
        "subject", "agent", "user"
    )
    if by.agent is not None:
        rows = rows.filter(agent_id=by.agent).exclude(purpose__in=LOOKS)
    row = rows.first()
    if row is None:
        raise NotFound
    return row


def report_used(*, recall_id: uuid.UUID | str, ids: Sequence[str], by: Principal, now: datetime) -> Recall:
    """Note which of the given entries helped, once each (R32: frequency counts usefulness, not recalls)."""
    row = find(recall_id=recall_id, by=by)
    given = {str(item["id"]) for item in row.items}
    unknown = [one for one in ids if one not in given]
    if unknown:
        raise Invalid(errors={"ids": ["Only entries that this recall gave can be reported as used."]})
    new = [one for one in dict.fromkeys(ids) if one not in row.used]
    if new:
        Entry.objects.filter(pk__in=new).update(use_count=F("use_count") + 1, last_used_at=now)
        row.used = [*row.used, *new]
        row.save(update_fields=["used"])
    return row
