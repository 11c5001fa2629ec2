"""What do answers look like? The shapes that several resources share, for the OpenAPI document.

Answers are built by rendering.py; a test holds them against the document made from these.
"""

from typing import Any

from rest_framework import serializers

from memoryhub import conf
from memoryhub.api.fields import QueryNumber, Strict, Text
from memoryhub.vocabulary import (
    Category,
    Channel,
    EmbeddingState,
    Ending,
    Kind,
    Op,
    Reason,
    Role,
    Scope,
    Sensitivity,
    Status,
    Step,
)


class Nothing(Strict):
    """No fields at all."""


class Shape(serializers.Serializer[Any]):
    """A part of an answer; every field is always there."""


class Problem(Shape):
    """RFC 9457."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = serializers.DictField(  # type: ignore[assignment]  # a member of the document, by declaration
        child=serializers.ListField(child=serializers.CharField())
    )


class PageQuery(Strict):
    """What every list takes."""

    cursor = Text(default=None, help_text="`next` of the page before")
    limit = QueryNumber(default=conf.DEFAULT_PAGE, min_value=1, max_value=conf.MAX_PAGE)


class ProvenanceOut(Shape):
    """Who said it, where and when (R4)."""

    role = serializers.ChoiceField(choices=Role.choices)
    channel = serializers.ChoiceField(choices=Channel.choices)
    speaker = serializers.CharField(allow_null=True)
    session_id = serializers.CharField(allow_null=True)
    event_id = serializers.CharField(allow_null=True)
    message_id = serializers.CharField(allow_null=True)
    ref = serializers.CharField(allow_null=True)
    uri = serializers.CharField(allow_null=True)
    quote = serializers.CharField(allow_null=True)
    verified_by = serializers.CharField(allow_null=True, help_text="the record or evidence that confirmed it")
    offered_through = serializers.ChoiceField(
        choices=Channel.choices, allow_null=True, help_text="the channel it came through before evidence backed it"
    )
    offered_ref = serializers.CharField(allow_null=True, help_text="what it named as its source then")
    said_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()


class EntryOut(Shape):
    """One version of one remembered statement (R2)."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    scope = serializers.ChoiceField(choices=Scope.choices)
    kind = serializers.ChoiceField(choices=Kind.choices)
    category = serializers.ChoiceField(choices=Category.choices)
    text = serializers.CharField()
    entity = serializers.CharField(allow_null=True)
    key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    episode = serializers.JSONField(help_text="any JSON, or null")
    language = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=Status.choices)
    contested = serializers.BooleanField()
    sensitivity = serializers.ChoiceField(choices=Sensitivity.choices)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    authority = serializers.FloatField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(allow_null=True)
    recorded_at = serializers.DateTimeField()
    supersedes = serializers.UUIDField(allow_null=True)
    superseded_by = serializers.UUIDField(allow_null=True)
    last_confirmed_at = serializers.DateTimeField(allow_null=True)
    confirmed_by = serializers.CharField(allow_null=True)
    review_by = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    use_count = serializers.IntegerField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    embedding_state = serializers.ChoiceField(choices=EmbeddingState.choices)
    provenance = ProvenanceOut()
    derived_from = serializers.ListField(child=serializers.UUIDField())
    created_at = serializers.DateTimeField()
    etag = serializers.CharField()


class LineageOut(Shape):
    """What an entry came from, and what came from it."""

    entries = serializers.ListField(child=serializers.UUIDField())
    events = serializers.ListField(child=serializers.CharField())
    derived = serializers.ListField(child=serializers.UUIDField())


class EntryDetailOut(EntryOut):
    """An entry with its lineage and all versions of the statement, oldest first."""

    lineage = LineageOut()
    versions = EntryOut(many=True)


class EntryPageOut(Shape):
    items = EntryOut(many=True)
    next = serializers.CharField(allow_null=True)


class StepOut(Shape):
    step = serializers.ChoiceField(choices=Step.choices)
    outcome = serializers.CharField()
    detail = serializers.CharField()


class ResultOut(Shape):
    """What became of one claim (R17). `entry` is null for REFUSED and DISCARDED."""

    op = serializers.ChoiceField(choices=Op.choices)
    entry = EntryOut(allow_null=True)
    reason = serializers.ChoiceField(choices=Reason.choices)
    message = serializers.CharField()
    redacted = serializers.BooleanField()
    steps = StepOut(many=True)


class OutcomeOut(Shape):
    """What became of each claim of one text."""

    decision_id = serializers.UUIDField(allow_null=True, help_text="null for a dry run, which decides nothing")
    results = ResultOut(many=True)


class RemainsOut(Shape):
    """Something that outlives an erasure."""

    what = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: for good")


class ReceiptOut(Shape):
    """Proof of an erasure: counts, never content (R91)."""

    receipt_id = serializers.UUIDField()
    of = serializers.ChoiceField(choices=Ending.choices)
    erased_at = serializers.DateTimeField()
    removed = serializers.DictField(child=serializers.IntegerField())
    remaining = serializers.IntegerField()
    remains = RemainsOut(many=True)


class ExportOut(Shape):
    """All that is remembered about one subject: the published schema of an export (R91)."""

    schema = serializers.CharField(help_text="memoryhub-export-1; every field is in /api/v1/export-schema.json")
    exported_at = serializers.DateTimeField()
    kept_for_days = serializers.JSONField(help_text="for each category, how long it is kept")
    policy_version = serializers.IntegerField()
    subject = serializers.JSONField()
    sign_ins = serializers.ListField(child=serializers.JSONField(), help_text="who may open their page by signing in")
    page_links = serializers.ListField(child=serializers.JSONField(), help_text="one-time links onto their page")
    groups = serializers.ListField(
        child=serializers.JSONField(), help_text="the accounts, sites, projects and teams they may speak for"
    )
    entries = serializers.ListField(child=serializers.JSONField(), help_text="every version of everything remembered")
    said_for_groups = serializers.ListField(
        child=serializers.JSONField(), help_text="what they said about a group they belong to"
    )
    files = serializers.ListField(child=serializers.JSONField(), help_text="memory files: names, and ids of entries")
    sessions = serializers.ListField(
        child=serializers.JSONField(), help_text="conversations, as far as their words are kept"
    )
    events = serializers.ListField(child=serializers.JSONField(), help_text="finished exchanges")
    decisions = serializers.ListField(
        child=serializers.JSONField(), help_text="what was decided about each text, without its words"
    )
    reviews = serializers.ListField(child=serializers.JSONField(), help_text="what a person looks at")
    notes = serializers.ListField(child=serializers.JSONField(), help_text="what curators told each other about it")
    questions = serializers.ListField(child=serializers.JSONField(), help_text="what was asked, and the answers")
    records = serializers.ListField(child=serializers.JSONField(), help_text="what systems of record pushed")
    readings = serializers.ListField(child=serializers.JSONField(), help_text="what records said when they were asked")
    evidence = serializers.ListField(child=serializers.JSONField(), help_text="what was shown for something remembered")
    examples = serializers.ListField(
        child=serializers.JSONField(), help_text="where a conversation is an example of how to act"
    )
    operations = serializers.ListField(child=serializers.JSONField(), help_text="what summing up changed")
    reads = serializers.ListField(child=serializers.JSONField(), help_text="who read what, and when")
    receipts = serializers.ListField(
        child=serializers.JSONField(), help_text="what was erased before: counts, never content"
    )
    forgetting = serializers.ListField(
        child=serializers.JSONField(), help_text="that everything is going to be forgotten"
    )
    not_included = serializers.ListField(child=serializers.JSONField(), help_text="what is not in here, and why")
