"""What staff wrote about something else and named somebody in goes when that somebody is forgotten whole (R91)."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from memoryhub.governance import agent_tools, decisions, erasure, named_by_staff, subjects, verification
from memoryhub.governance.named_by_staff import names_of
from memoryhub.governance.receipts import remains
from memoryhub.governance.words_about import DOCUMENTS, KNOWN_SINCE, REMARKS
from memoryhub.models import (
    Erasure,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    SavedView,
    Subject,
)
from memoryhub.skills.validation import ToolSpec
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, ReviewState, Role
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

INFERENCE: dict[str, Any] = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
EARLIER = NOW - timedelta(hours=1)

#: Fields of text that hold no remark of staff: ids and labels of callers, settings, what a machine writes, and what is
#: about a subject by its key (those tables are in KNOWN_SINCE).
NO_REMARKS = {
    "Organisation": "slug name timezone second_factor", "User": "password email", "Membership": "subject role", "Agent": "slug name",
    "Key": "name roles subject lookup digest", "PageLink": "subject digest",
    "AgentTool": "name", "AgentSignal": "kind tools prefetch", "AgentPolicy": "signed_by",
    "AuditEvent": "actor action subject object_kind object_id reason request_id content_hmac previous_hash row_hash",
    "AuditHead": "row_hash", "Decision": "results", "Dream": "requested_by failure", "DreamOperation": "session_ref",
    "Erasure": "options removed requested_by", "ForgottenMark": "mark",
    "Subject": "external_id display_name timezone paused_by never_keep", "SubjectKey": "wrapped wrapped_by",
    "MasterKey": "id", "Backing": "digest", "Housekeeping": "requested_by counts lines failure",
    "Job": "kind payload dedupe last_error", "WorkerBeat": "name", "Notice": "ids agents",
    "Webhook": "url kinds created_by last_error", "Delivery": "last_error", "PolicyVersion": "document signed_by",
    "Provenance": "session_ref event_ref message_id ref uri quote verified_by", "Lineage": "event_ref",
    "Recall": "subjects actor purpose query_digest items used",
    "RecordSource": "key record_key url pointer header path pattern set_by",
    "IdempotentRequest": "token request_digest body", "SentForm": "token",
    "ReviewItem": "others group_source first_yes_text undo", "ReviewQuestion": "answer_text", "Schedule": "changed_by",
    "Skill": "triggers keywords prefetch tools extra pattern approved_digest", "SkillEvidence": "session_ref event_ref",
}  # fmt: skip


@pytest.fixture
def ben_waits(say: Say, ground: Ground, asha: Subject) -> ReviewItem:
    """Asha has a name; something about somebody else waits."""
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        subjects.describe(external_id="asha", kind="person", display_name="Asha Marlowe", by=ground.as_hub, now=EARLIER)
    asha.display_name = "Asha Marlowe"
    say("The customer prefers short calls", subject=ground.subject("ben"), **INFERENCE)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.select_related("subject").get(state=ReviewState.WAITING)


def write(item: ReviewItem, ground: Ground, words: str) -> None:
    """The words as a remark of every kind, past the verbs: these are tried elsewhere."""
    common = {"organisation_id": item.organisation_id}
    SavedView.objects.create(
        **common,
        owner_id=ground.as_cal.user,
        name=words[:60],
        query=f"q={len(words)}",
        changed_at=EARLIER,
        is_default=False,
    )
    ReviewNote.objects.create(**common, item=item, subject=item.subject, text=words, created_at=EARLIER)
    ReviewQuestion.objects.create(
        **common, item=item, subject=item.subject, text=words, asked_at=EARLIER, answered_at=EARLIER, answer="yes"
    )


def forget(ground: Ground, subject: Subject) -> Erasure:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        return erasure.erase_subject(subject=subject, by=ground.as_agent, now=NOW)


def read(ground: Ground) -> dict[str, list[str]]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return {
            f"{remark.model.__name__}.{field}": list(
                models.QuerySet(remark.model).order_by("pk").values_list(field, flat=True)
            )
            for remark in REMARKS
            for field in remark.fields
        }


def test_every_free_text_is_listed_somewhere() -> None:
    texts = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
    listed = {(model.__name__, field) for model, fields in DOCUMENTS.items() for field in fields}
    listed |= {(remark.model.__name__, field) for remark in REMARKS for field in remark.fields}
    listed |= {(name, field) for name, fields in NO_REMARKS.items() for field in fields.split()}
    there = {
        (model.__name__, field.name)
        for model in apps.get_models()
        if model._meta.app_label in ("memoryhub", "accounts")
        for field in model._meta.concrete_fields
        if (isinstance(field, texts) or hasattr(field, "base_field")) and not field.choices
    }
    by_key = {model.__name__ for model in KNOWN_SINCE} - {remark.model.__name__ for remark in REMARKS}
    assert {(model, field) for model, field in there - listed if model not in by_key} == set()


def test_what_names_them_goes_and_is_counted(ben_waits: ReviewItem, ground: Ground, asha: Subject) -> None:
    told = ["Asha Marlowe", "about ASHA  marlowe's call", "asha: wait", "asha—marlowe?", "(asha)"]
    other = "ashanti marlow is somebody else"
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        for words in (*told, other):
            write(ben_waits, ground, words)
    receipt = forget(ground, asha)
    assert [receipt.removed[name] for name in ("views", "notes", "questions")] == [len(told)] * 3
    left = read(ground)
    assert left["SavedView.name"] == left["ReviewNote.text"] == [other]
    assert left["ReviewQuestion.text"] == ["Is this so?"] * len(told) + [other]
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert list(verification.left_behind(ground.organisation.pk)) == []


def test_a_reason_for_something_else_is_emptied(say: Say, ben_waits: ReviewItem, ground: Ground, asha: Subject) -> None:
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        decisions.reject(item_id=ben_waits.pk, reason="Asha Marlowe says otherwise", by=ground.as_cal, now=EARLIER)
    receipt = forget(ground, asha)
    assert receipt.removed["reasons"] == 1
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        item = ReviewItem.objects.get()
        assert (item.decided_reason, item.state) == ("", ReviewState.REJECTED)
        assert item.why != ""


def test_filters_that_hold_them_go(ben_waits: ReviewItem, ground: Ground, asha: Subject) -> None:
    gone = ["type=fact&subject=asha", "subject=ASHA", "q=asha%20marlowe", "q=x+asha+y", "q=%41sha+Marlowe"]
    kept = ["type=fact", "q=marlowe", "subject=ashanti"]
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        for number, query in enumerate([*gone, *kept]):
            SavedView.objects.create(
                organisation_id=ground.organisation.pk, owner_id=ground.as_cal.user, name=f"Mine {number}", query=query,
                changed_at=EARLIER,
            )  # fmt: skip
    assert forget(ground, asha).removed["views"] == len(gone)
    assert read(ground)["SavedView.query"] == kept


def test_verification_finds_what_was_written_before_and_names_them(
    ben_waits: ReviewItem, ground: Ground, asha: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        write(ben_waits, ground, "Call asha back")
    with monkeypatch.context() as patched:
        patched.setattr(named_by_staff, "take_out", lambda _: {})
        forget(ground, asha)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        found = {one.table: one.rows for one in verification.left_behind(ground.organisation.pk)}
        assert found == dict.fromkeys(("views that name them", "notes that name them", "questions that name them"), 1)
        SavedView.objects.update(changed_at=NOW + timedelta(days=1))  # they came back, and somebody saved a new one
        tables = {one.table for one in verification.left_behind(ground.organisation.pk)}
        assert "views that name them" not in tables


def test_a_document_that_agents_run_by_stays_and_the_receipt_says_so(ground: Ground, asha: Subject) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        agent_tools.set_tools(
            agent=ground.agent, tools=[ToolSpec("call", False)], by=ground.as_hub, now=EARLIER,
            descriptions={"call": "Rings asha's own line"},
        )  # fmt: skip
    receipt = forget(ground, asha)
    assert receipt.options["documents"] == 1
    assert any("skill" in one.what for one in remains(receipt))


NAMED: list[tuple[str, str, str, bool]] = [
    ("42", "", "Asked 42 times.", False), ("10515", "", "Order 10515 was theirs.", True),
    ("cust-42", "", "see CUST-42, please", True), ("cust-42", "", "see cust-421", False),
    ("c1", "Straße, Jörg", "JÖRG STRASSE", False), ("c1", "Jörg Straße", "JÖRG STRASSE rang", True),
    ("c1", "田中", "昨日田中さんが", True), ("c1", "Al", "Al rang", False), ("c1", "O'Neill", "o’neill", True),
    ("team/2", "", "for team/2", True), ("a@b.example", "", "mail A@B.example", True),
]  # fmt: skip


@pytest.mark.parametrize(("external_id", "name", "text", "named"), NAMED)
def test_a_name_is_found_whole_in_whatever_case(external_id: str, name: str, text: str, named: bool) -> None:
    names = names_of(Subject(external_id=external_id, display_name=name))
    assert names.stand_in(text) is named
    assert names.stand_in_query(f"subject={external_id.replace('@', '%40')}")
