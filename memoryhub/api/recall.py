"""What helps with this question? /recall, and what became of an answer: /recalls/{id} (R30–R38; api.md, recall)."""

import dataclasses
import uuid
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from rest_framework import serializers

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import (
    OPTIONAL,
    Choice,
    ExternalId,
    Flag,
    Fraction,
    Many,
    Moment,
    Number,
    Strict,
    Text,
    uuid_or_none,
)
from memoryhub.api.shapes import EntryOut, Shape
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import activity, checked_recall, given
from memoryhub.permissions import can_do
from memoryhub.recall import ranking, search
from memoryhub.recall.filters import readers
from memoryhub.recall.named import Named, look_up
from memoryhub.recall.rendering import Conflict, Note
from memoryhub.tenancy import narrow
from memoryhub.vocabulary import Category, Caution, Channel, Kind, RecallProfile, Role
from memoryhub.working.redaction import NEVER_ASKED, redact
from memoryhub.working.session import is_off_record

MAX_SUBJECTS = 20
SCOPES = (("subject", "subject"), ("account", "account"), ("team", "team"), ("organisation", "organisation"))


class RecallIn(Strict):
    """One question about one subject or several."""

    subject = ExternalId(**OPTIONAL)
    subjects = Many(child=ExternalId(), max_length=MAX_SUBJECTS, **OPTIONAL)
    query = Text(allow_blank=True)
    session_id = ExternalId(**OPTIONAL)
    kinds = Many(child=Choice(choices=Kind.choices), **OPTIONAL)
    categories = Many(child=Choice(choices=Category.choices), **OPTIONAL)
    since = Moment(**OPTIONAL)
    until = Moment(**OPTIONAL)
    as_of = Moment(**OPTIONAL)
    valid_at = Moment(**OPTIONAL)
    limit = Number(min_value=0, max_value=200, **OPTIONAL)
    token_budget = Number(min_value=0, max_value=100_000, **OPTIONAL)
    min_relevance = Fraction(**OPTIONAL)
    profile = Choice(choices=RecallProfile.choices, **OPTIONAL)
    scopes = Many(child=Choice(choices=SCOPES), **OPTIONAL)
    explain = Flag(default=False)


class UsedIn(Strict):
    ids = Many(child=Text(max_length=36), max_length=200)


class SignalsOut(Shape):
    """The six signals of the score, each from 0 to 1 (R32)."""

    relevance = serializers.FloatField()
    recency = serializers.FloatField()
    importance = serializers.FloatField()
    authority = serializers.FloatField()
    frequency = serializers.FloatField()
    validity = serializers.FloatField()


class ItemProvenanceOut(Shape):
    role = serializers.ChoiceField(choices=Role.choices)
    channel = serializers.ChoiceField(choices=Channel.choices)
    speaker = serializers.CharField(allow_null=True)
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # a field by that name
    written_at = serializers.DateTimeField()
    last_confirmed_at = serializers.DateTimeField(allow_null=True)
    confidence = serializers.FloatField()


class ItemOut(Shape):
    id = serializers.UUIDField()
    subject = serializers.CharField()
    text = serializers.CharField()
    kind = serializers.ChoiceField(choices=Kind.choices)
    category = serializers.ChoiceField(choices=Category.choices)
    entity = serializers.CharField(allow_null=True)
    key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    score = serializers.FloatField()
    signals = SignalsOut()
    provenance = ItemProvenanceOut()
    warnings = serializers.ListField(child=serializers.ChoiceField(choices=Caution.choices))


class ConflictOut(Shape):
    """Accepted notes that contradict one another: the one used, and those set aside (R35)."""

    subject = serializers.CharField()
    entity = serializers.CharField()
    key = serializers.CharField()
    used = serializers.UUIDField()
    set_aside = serializers.ListField(child=serializers.UUIDField())
    message = serializers.CharField()


class CorrectionOut(Shape):
    """A system of record says other than an entry did: memory was corrected, and the correction is given (R36)."""

    id = serializers.UUIDField(help_text="the entry that was found, and is replaced now")
    subject = serializers.CharField()
    key = serializers.CharField()
    replaced_by = serializers.UUIDField(
        allow_null=True, help_text="the item given in its place; null where the question's filters leave it out"
    )
    source = serializers.CharField(help_text="the record that was read")  # type: ignore[assignment]


class ReminderOut(Shape):
    """An item past its review date, as a question for the person; three in one answer at most."""

    id = serializers.UUIDField(help_text="the item; POST /memories/{id}/confirm where they say yes")
    subject = serializers.CharField()
    key = serializers.CharField(allow_null=True)
    question = serializers.CharField(help_text="ready to be asked; the item's words stand in it in quotes")


class RecallOut(Shape):
    recall_id = serializers.UUIDField()
    items = ItemOut(many=True)
    rendered = serializers.CharField(help_text="a block ready for a prompt: notes, not instructions")
    tokens = serializers.IntegerField()
    nothing_found = serializers.BooleanField(
        help_text="nothing was relevant enough; false with no items: what was found did not fit into the room given"
    )
    looked_for = serializers.CharField()
    conflicts = ConflictOut(many=True)
    corrections = CorrectionOut(many=True)
    please_confirm = ReminderOut(many=True)
    explain = serializers.JSONField(help_text="any JSON, or null")


class GivenOut(Shape):
    """One entry that was given. Its words are `entry.text`, the person's own are `entry.provenance.quote`."""

    id = serializers.UUIDField()
    score = serializers.FloatField()
    used = serializers.BooleanField()
    entry = EntryOut(allow_null=True, help_text="null once erased, and where the asker may not see it by now")
    erased = serializers.BooleanField()
    decision_id = serializers.UUIDField(allow_null=True, help_text="the gate's decision that let it in")
    since = serializers.ListField(
        child=serializers.UUIDField(), help_text="the versions that took its place afterwards, oldest first"
    )


class ReadOut(Shape):
    id = serializers.UUIDField()
    subject = serializers.CharField(allow_null=True)
    subjects = serializers.ListField(child=serializers.CharField())
    asked_by = serializers.CharField()
    agent = serializers.CharField(allow_null=True)
    purpose = serializers.CharField()
    at = serializers.DateTimeField()
    query_digest = serializers.CharField()
    items = GivenOut(many=True)


def begun(sent: dict[str, Any]) -> Future[list[list[float]]] | None:
    """The meaning of what is asked, being found out as it was sent."""
    return None if sent.get("memory") == "off" else search.begin(sent["query"])


def question(call: Call) -> tuple[str, Future[list[list[float]]] | None]:
    """What is asked without what memory is never asked for, and its meaning: under way by now, unless something had to
    be taken out.
    """
    sent = call.body["query"]
    text = redact(sent, families=NEVER_ASKED).text
    return text, call.begun if text == sent or call.begun is None else search.begin(text)


class RecallView(HubView):
    """/recall"""

    @operation("recall", body=RecallIn, answers={200: RecallOut}, stores_answer=False, early=begun)
    def post(self, call: Call) -> Answer:
        """Answer one question from memory. Nothing above the bar: nothing is given, and the answer says so."""
        sent = call.body
        text, meaning = question(call)
        known = asked_about(call, sent)
        if is_off_record(external_id=sent["session_id"] or "", by=call.by):
            text = ""  # which finds nothing
        same = ("since", "until", "as_of", "valid_at", "limit", "token_budget", "min_relevance", "profile", "explain")
        asked: dict[str, Any] = {name: tuple(sent[name] or ()) for name in ("kinds", "categories", "scopes")}
        asked |= {name: sent[name] for name in same}
        query = search.Query(subjects=known.subjects, text=text, known=known, meaning=meaning, **asked)
        return Answer(recalled_json(checked_recall.recall(query=query, by=call.by, now=call.now)))


class Used(HubView):
    """/recalls/{id}/used"""

    @operation("report_use", body=UsedIn, answers={200: ReadOut})
    def post(self, call: Call, recall_id: str) -> Answer:
        """Say which of the entries given were of use; that alone raises their frequency."""
        with call.anywhere():
            row = activity.report_used(recall_id=_known(recall_id), ids=call.body["ids"], by=call.by, now=call.now)
            answer = _read_json(given.told(row, by=call.by))
        return Answer(answer)


class Read(HubView):
    """/recalls/{id}"""

    @operation("read_recall", answers={200: ReadOut})
    def get(self, call: Call, recall_id: str) -> Answer:
        """Who asked, what was given, and each entry's words and source."""
        with call.anywhere():
            return Answer(_read_json(given.read(recall_id=_known(recall_id), by=call.by)))


def asked_about(call: Call, sent: dict[str, Any]) -> Named:
    """The subjects a question is about: `subject` or `subjects`. An agent's first mention makes somebody known. From
    here on the call acts for them alone.
    """
    if (sent["subject"] is None) == (not sent["subjects"]):
        raise Invalid(errors={"subject": ["Name either the subject or the subjects."]})
    names = dict.fromkeys(sent["subjects"] or [sent["subject"]])
    found = look_up(names, by=call.by)
    if len(found.subjects) < len(names):
        find = call.mentioned if can_do(call.by, "post_turn") else call.named
        for name in names:
            find(name)
        found = look_up(names, by=call.by)
    narrow(subjects=readers(found.subjects))
    return found


def recalled_json(found: search.Recalled) -> dict[str, Any]:
    """An answer from memory as api.md has it."""
    return {
        "recall_id": str(found.recall_id),
        "items": [_item_json(item) for item in found.items],
        "rendered": found.rendered,
        "tokens": found.tokens,
        "nothing_found": found.nothing_found,
        "looked_for": found.looked_for,
        "conflicts": conflicts_json(found.conflicts),
        "corrections": [dataclasses.asdict(correction) for correction in found.corrections],
        "please_confirm": [
            {**dataclasses.asdict(reminder), "key": reminder.key or None} for reminder in found.please_confirm
        ],
        "explain": found.explain,
    }


def conflicts_json(conflicts: Iterable[Conflict]) -> list[dict[str, Any]]:
    """Contradictions as api.md has them."""
    return [
        {**dataclasses.asdict(conflict), "set_aside": list(conflict.set_aside), "message": conflict.message}
        for conflict in conflicts
    ]


def provenance_json(note: Note) -> dict[str, Any]:
    """Where a note came from as api.md has it."""
    return {
        "role": str(note.role),
        "channel": str(note.channel),
        "speaker": note.speaker or None,
        "source": note.source or None,
        "written_at": rendering.moment(note.written_at),
        "last_confirmed_at": rendering.moment(note.last_confirmed_at),
        "confidence": note.confidence,
    }


def _item_json(item: search.Item) -> dict[str, Any]:
    note = item.note
    return {
        "id": note.id,
        "subject": note.subject,
        "text": note.text,
        "kind": str(note.kind),
        "category": str(note.category),
        "entity": note.entity or None,
        "key": note.key or None,
        "value": note.value or None,
        "score": round(item.score, 4),
        "signals": ranking.told(item.signals),
        "provenance": provenance_json(note),
        "warnings": [str(warning) for warning in note.warnings],
    }


def _read_json(read: given.Read) -> dict[str, Any]:
    row = read.row
    shown = {
        entry["id"]: entry
        for entry in rendering.entries_json([one.entry for one in read.given if one.entry is not None])
    }
    names = rendering.external_ids([row.subject_id, *row.subjects])
    return {
        "id": str(row.pk),
        "subject": names.get(row.subject_id) if row.subject_id else None,
        "subjects": [names[one] for one in row.subjects if one in names],
        "asked_by": row.actor,
        "agent": row.agent.slug if row.agent else None,
        "purpose": row.purpose,
        "at": rendering.moment(row.created_at),
        "query_digest": row.query_digest,
        "items": [
            {
                "id": one.id,
                "score": one.score,
                "used": one.used,
                "entry": shown.get(one.id),
                "erased": one.erased,
                "decision_id": str(one.decision) if one.decision else None,
                "since": [str(version) for version in one.since],
            }
            for one in read.given
        ],
    }


def _known(recall_id: str) -> uuid.UUID:
    found = uuid_or_none(recall_id)
    if found is None:
        raise NotFound
    return found
