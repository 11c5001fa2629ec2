"""Everything that is kept about one subject, as a file they can take away (R90, R91).

What stands in it is said in export_sections.py, what does not in export_left_out.py; its schema is published
(export_schema.py). Told is what there is at one moment: rows are read in the caller's transaction.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.models import Membership, PageLink
from memoryhub.governance import audit, receipts
from memoryhub.governance import export_sections as sections
from memoryhub.governance.export_columns import Section
from memoryhub.governance.export_left_out import LEFT_OUT
from memoryhub.governance.policy_versions import in_force
from memoryhub.models import (
    Decision,
    DreamOperation,
    Entry,
    Event,
    Evidence,
    Lineage,
    NoteFile,
    Offload,
    PendingErasure,
    Provenance,
    Recall,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    Session,
    SkillEvidence,
    Subject,
    SubjectMember,
    Turn,
)
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, MemberRole

SCHEMA: Final = "memoryhub-export-1"

Told = dict[str, Any]


def export_subject(*, subject: Subject, by: Principal, now: datetime) -> Told:
    """All there is about a subject, as the published schema has it; audited."""
    audit.record(
        by=by, now=now, action="subject.export", object_kind="subject", object_id=subject.pk, subject=subject.pk
    )
    return told(subject, by=by, now=now)


def told(subject: Subject, *, by: Principal, now: datetime) -> Told:
    """The same, for who audits it otherwise."""
    policy = in_force(subject.organisation_id)
    mine = {"organisation_id": subject.organisation_id, "subject": subject}
    with acting_for(by, subjects=ALL_SUBJECTS):  # a look at several people is logged as one read
        reads = _reads(subject)
    return {
        "schema": SCHEMA,
        "exported_at": now.isoformat(),
        "kept_for_days": {str(one): round(policy.lifetimes[one].total_seconds() / 86_400, 2) for one in Category},
        "policy_version": policy.version,
        "subject": sections.SUBJECT.read(Subject.objects.select_related("account").get(pk=subject.pk)),
        "sign_ins": _rows(sections.SIGN_INS, _sign_ins(subject), "created_at"),
        "page_links": _rows(sections.PAGE_LINKS, _links(subject), "created_at"),
        "groups": _rows(sections.GROUPS, _groups(subject), "pk"),
        "entries": _entries(subject),
        "said_for_groups": _rows(sections.SAID_FOR_GROUPS, _said_for_groups(subject), "said_at"),
        "files": _rows(sections.FILES, NoteFile.objects.filter(**mine), "path"),
        "sessions": _sessions(subject),
        "events": _rows(
            sections.EVENTS, Event.objects.filter(**mine).select_related("agent", "session", "speaker"), "occurred_at"
        ),
        "decisions": _rows(sections.DECISIONS, Decision.objects.filter(**mine).select_related("agent"), "created_at"),
        "reviews": _rows(sections.REVIEWS, ReviewItem.objects.filter(**mine).select_related("agent"), "waiting_since"),
        "notes": _rows(sections.NOTES, ReviewNote.objects.filter(**mine), "created_at"),
        "questions": _rows(
            sections.QUESTIONS, ReviewQuestion.objects.filter(**mine).select_related("item"), "asked_at"
        ),
        "records": _rows(sections.RECORDS, Record.objects.filter(**mine), "pushed_at"),
        "readings": _rows(sections.READINGS, RecordReading.objects.filter(**mine).select_related("source"), "read_at"),
        "evidence": _evidence(subject),
        "examples": _rows(sections.EXAMPLES, SkillEvidence.objects.filter(**mine).select_related("skill"), "seen_at"),
        "operations": _rows(sections.OPERATIONS, DreamOperation.objects.filter(**mine).select_related("skill"), "pk"),
        "reads": reads,
        "receipts": _rows(sections.RECEIPTS, receipts.of(subject), "erased_at"),
        "forgetting": _rows(sections.FORGETTING, PendingErasure.objects.filter(**mine), "due_at"),
        "not_included": [{"what": left.what, "why": left.why} for left in LEFT_OUT],
    }


def _rows(section: Section, rows: QuerySet[Any], order: str) -> list[Told]:
    return [section.read(row) for row in rows.order_by(order, "pk")]


def _sign_ins(subject: Subject) -> QuerySet[Membership]:
    rows = Membership.objects.filter(
        organisation_id=subject.organisation_id, role=MemberRole.CUSTOMER, subject=subject.external_id
    )
    return rows.select_related("user")


def _links(subject: Subject) -> QuerySet[PageLink]:
    return PageLink.objects.filter(organisation_id=subject.organisation_id, subject=subject.external_id)


def _groups(subject: Subject) -> QuerySet[SubjectMember]:
    both = Q(person=subject) | Q(group=subject)
    return SubjectMember.objects.filter(both).select_related("group", "person")


def _entries(subject: Subject) -> list[Told]:
    rows = (
        Entry.objects.filter(subject=subject)
        .select_related("provenance__speaker", "provenance__agent", "agent", "audience")
        .defer("embedding", "search")
    )
    parents: dict[object, list[str]] = defaultdict(list)
    events: dict[object, list[str]] = defaultdict(list)
    for edge in Lineage.objects.filter(child__subject=subject).order_by("pk"):
        if edge.parent_id:
            parents[edge.child_id].append(str(edge.parent_id))
        else:
            events[edge.child_id].append(edge.event_ref)
    return [
        sections.ENTRIES.read(entry)
        | {
            "derived_from": parents[entry.pk],
            "derived_from_events": events[entry.pk],
            "provenance": sections.PROVENANCE.read(entry.provenance),
        }
        for entry in rows.order_by("recorded_at", "id")
    ]


def _said_for_groups(subject: Subject) -> QuerySet[Provenance]:
    rows = Provenance.objects.filter(speaker=subject).exclude(entry__subject=subject)
    return rows.select_related("entry__subject").defer("entry__embedding", "entry__search")


def _sessions(subject: Subject) -> list[Told]:
    turns = _by_session(sections.TURNS, Turn.objects.filter(subject=subject).order_by("number"))
    passages = _by_session(sections.PASSAGES, Offload.objects.filter(subject=subject).order_by("created_at", "pk"))
    rows = Session.objects.filter(subject=subject).select_related("agent").order_by("started_at", "id")
    return [
        sections.SESSIONS.read(row) | {"turns": turns.get(row.pk, []), "passages": passages.get(row.pk, [])}
        for row in rows
    ]


def _by_session(section: Section, rows: Iterable[Any]) -> Mapping[object, list[Told]]:
    found: dict[object, list[Told]] = defaultdict(list)
    for row in rows:
        found[row.session_id].append(section.read(row))
    return found


def _evidence(subject: Subject) -> list[Told]:
    rows = Evidence.objects.filter(subject=subject).prefetch_related("backings").order_by("given_at", "pk")
    return [
        sections.EVIDENCE.read(row)
        | {
            "entries": [str(backing.entry_id) for backing in row.backings.all()],
            "outcomes": [backing.op for backing in row.backings.all()],
        }
        for row in rows
    ]


def _reads(subject: Subject) -> list[Told]:
    """Every read that gave something about the person: of a read about several, what it gave about them."""
    own = {str(pk) for pk in Entry.objects.filter(subject=subject).values_list("pk", flat=True)}
    about = Q(subject=subject) | Q(subject__isnull=True, subjects__contains=[subject.pk])
    rows = Recall.objects.filter(about, organisation_id=subject.organisation_id).select_related("agent")
    return [
        sections.READS.read(row)
        | {
            "used": [one for one in row.used if one in own],
            "entries": [one["id"] for one in row.items if row.subject_id == subject.pk or one["id"] in own],
        }
        for row in rows.order_by("created_at", "id")
    ]
