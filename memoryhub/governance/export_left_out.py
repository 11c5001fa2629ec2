"""What does an export not hold, and why? Said in it, and to the person (R90; security.md, S19)."""

from collections.abc import Iterator
from typing import Final

from memoryhub.governance.export_columns import LeftOut
from memoryhub.governance.export_sections import SECTIONS

LEFT_OUT: Final = (
    LeftOut(
        "copies made for searching",
        "They are calculated from the words that are in here and say nothing more.",
        (
            "Entry.embedding", "Entry.embedding_model", "Entry.embedding_state", "Entry.search", "Entry.lot",
            "Entry.fingerprint", "Backing.digest", "Recall.query_digest",
        ),
    ),
    LeftOut(
        "numbers by which our tables refer to one another",
        "They mean nothing outside of them; what they point to stands in here under its own name.",
        (
            "*.id", "*.organisation", "*.subject", "Lineage.child", "Lineage.event",
            "Turn.session", "Offload.session", "Event.dream", "Recall.subjects", "Backing.evidence",
            "RecordReading.source", "ReviewItem.batch", "ReviewItem.group", "ReviewItem.version",
            "ReviewItem.undo", "ReviewItem.skill", "ReviewItem.profile", "SubjectMember.person", "Erasure.subject_id",
        ),
    ),
    LeftOut(
        "the names of those who look after memories",
        "They are other people; that one of them looked, asked or decided, and when, is in here.",
        (
            "*.user", "ReviewItem.proposer", "ReviewItem.others", "ReviewItem.claimed_by", "ReviewItem.claimed_at",
            "ReviewItem.first_yes_by", "ReviewItem.decided_by", "ReviewNote.author", "ReviewQuestion.asked_by",
            "ReviewLook",
        ),
    ),
    LeftOut(
        "how work was shared out and measured",
        "It tells of our machines and of the order of our work, not of you.",
        (
            "ReviewItem.turn_at", "ReviewItem.place_at", "Session.dream_failures", "Session.dream_failed_at",
            "Session.dream_error", "Recall.took_ms", "Recall.sealed_at",
        ),
    ),
    LeftOut(
        "where an agent looks for records about you",
        "It is part of how the agent is set up; what was read there is in here.",
        ("RecordSource",),
    ),
    LeftOut(
        "answers stored for a day, so that the same request gives the same answer",
        "They are copies of what is in here, and go by themselves.",
        ("IdempotentRequest",),
    ),
    LeftOut(
        "earlier files like this one",
        "They hold what is in here; they go after seven days, or with the rest.",
        ("ExportArchive",),
    ),
    LeftOut(
        "notes to agents that something changed",
        "They hold numbers and no words, so that an agent that has a copy can drop it.",
        ("Notice", "Delivery"),
    ),
    LeftOut(
        "what opens a door",
        "Links and keys are secrets, and are stored only as something that can't be turned back into them.",
        ("PageLink.digest", "Key", "SubjectKey", "ForgottenMark"),
    ),
    LeftOut(
        "the log of what was done",
        "It holds no words, only that something happened, and is kept to prove it; auditors can show it to you.",
        ("AuditEvent",),
    ),
)  # fmt: skip


def covered() -> Iterator[tuple[str, str]]:
    """Every (model, field) that stands in the document."""
    for section in SECTIONS:
        for column in section.columns:
            yield section.model.__name__, section.field_of(column)
    yield from (("Lineage", "parent"), ("Lineage", "event_ref"))  # entries: derived_from, derived_from_events
    yield from (("Backing", "entry"), ("Backing", "op"))  # evidence: backs
    yield from (("Recall", "items"),)  # reads: entries
