"""One statement that is remembered, and everything that says how far to trust it (R1–R3)."""

from typing import ClassVar

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex, VectorField

from memoryhub import conf
from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Category, EmbeddingState, Kind, Scope, Sensitivity, Status

FRACTION = {"gte": 0, "lte": 1}


def _fraction(field: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(**{f"{field}__{test}": bound for test, bound in FRACTION.items()}), name=f"entry_{field}_0_to_1"
    )


class Entry(Tenant):
    """One version of one statement.

    Bi-temporal: `valid_from`/`valid_to` say when it was true, `recorded_at`/`recorded_until` when the hub believed it.
    `audience` is the subject whose readers see it (empty for the scopes agent and organisation); row-level security
    rests on it. Only governance/lifecycle.py changes `status`, only governance/commit.py makes rows.
    """

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="entries")
    scope = models.CharField(max_length=12, choices=Scope, default=Scope.SUBJECT)
    audience = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    agent = models.ForeignKey("accounts.Agent", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    kind = models.CharField(max_length=10, choices=Kind)
    category = models.CharField(max_length=16, choices=Category)
    content = models.TextField()
    context = models.TextField(blank=True, help_text="who said it and when, in words: searched with the statement")
    entity = models.CharField(max_length=200, blank=True)
    key = models.CharField(max_length=100, blank=True)
    value = models.TextField(blank=True)
    single = models.BooleanField(default=False, help_text="the key holds one value at a time (one city, many likes)")
    episode = models.JSONField(null=True, blank=True, help_text="task, when, cause, fix, evidence (R72)")
    language = models.CharField(max_length=8, blank=True)

    status = models.CharField(max_length=10, choices=Status)
    contested = models.BooleanField(default=False)
    sensitivity = models.CharField(max_length=10, choices=Sensitivity, default=Sensitivity.ORDINARY)
    confidence = models.FloatField()
    importance = models.FloatField()
    authority = models.FloatField()

    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField()
    recorded_until = models.DateTimeField(null=True, blank=True)
    supersedes = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="superseded_by_set"
    )
    last_confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.CharField(max_length=100, blank=True)
    review_by = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    use_count = models.PositiveIntegerField(default=0, help_text="times reported useful, never times recalled (R32)")
    last_used_at = models.DateTimeField(null=True, blank=True)

    embedding = VectorField(dimensions=conf.EMBEDDING_DIMENSIONS, null=True, editable=False)
    embedding_model = models.CharField(max_length=120, blank=True)
    embedding_state = models.CharField(max_length=8, choices=EmbeddingState, default=EmbeddingState.PENDING)
    search = models.GeneratedField(
        expression=SearchVector("content", "value", "key", "context", config="english")
        + SearchVector("content", "value", "key", "context", config="simple"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    lot = models.PositiveSmallIntegerField(
        null=True, editable=False, help_text="of very many: one of 64 lots of a crowd, drawn at random (crowds.py)"
    )
    fingerprint = models.CharField(
        max_length=64, help_text="of the normalised statement: duplicates and declines (R19)"
    )
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organisation", "subject", "entity", "key"],
                condition=Q(status=Status.ACCEPTED, single=True, valid_to__isnull=True) & ~Q(key=""),
                name="entry_one_open_per_key",
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")), name="entry_validity_ordered"
            ),
            models.CheckConstraint(condition=~Q(content=""), name="entry_content_not_blank"),
            models.CheckConstraint(
                condition=Q(scope__in=[Scope.AGENT, Scope.ORGANISATION]) | Q(audience__isnull=False),
                name="entry_scope_has_audience",
            ),
            models.CheckConstraint(
                condition=~Q(scope=Scope.SUBJECT) | Q(audience=F("subject")), name="entry_private_to_its_subject"
            ),
            models.CheckConstraint(
                condition=~Q(scope=Scope.AGENT) | Q(agent__isnull=False), name="entry_agent_scope_has_agent"
            ),
            models.CheckConstraint(
                condition=Q(last_confirmed_at__isnull=True, confirmed_by="")
                | (Q(last_confirmed_at__isnull=False) & ~Q(confirmed_by="")),
                name="entry_confirmed_at_and_by",
            ),
            models.CheckConstraint(
                condition=~Q(embedding_state=EmbeddingState.READY)
                | (Q(embedding__isnull=False) & ~Q(embedding_model="")),
                name="entry_ready_embedding_has_model",
            ),
            _fraction("confidence"),
            _fraction("importance"),
            _fraction("authority"),
        ]
        indexes: ClassVar = [
            # Recall and listing: exact scan inside one subject, of what is not in a crowd.
            models.Index(fields=["organisation", "audience", "lot", "status", "kind"], name="entry_by_audience"),
            # … and what is shared beside it: without this arm the whole table would be read for one subject.
            models.Index(fields=["organisation", "scope", "agent"], name="entry_by_scope"),
            models.Index(fields=["organisation", "subject", "entity", "key"], name="entry_by_key"),
            models.Index(fields=["organisation", "subject", "fingerprint"], name="entry_by_fingerprint"),
            models.Index(fields=["organisation", "recorded_at", "id"], name="entry_by_time"),
            models.Index(
                fields=["organisation", "embedding_state"],
                condition=~Q(embedding_state=EmbeddingState.READY),
                name="entry_not_embedded",
            ),
            # Whose vector is another model's (governance/reembedding.py).
            models.Index(
                fields=["organisation", "embedding_model"],
                condition=Q(embedding_state=EmbeddingState.READY),
                name="entry_by_model",
            ),
            models.Index(fields=["supersedes"], name="entry_by_supersedes"),
            # Crowds alone: whoever writes about anybody else never touches these (recall/crowds.py).
            GinIndex(fields=["search"], condition=Q(lot__isnull=False), name="entry_by_words"),
            HnswIndex(
                OpClass(Cast("embedding", HalfVectorField(dimensions=conf.EMBEDDING_DIMENSIONS)), "halfvec_cosine_ops"),
                condition=Q(lot__isnull=False),
                name="entry_by_nearness",
            ),
            models.Index(
                fields=["audience", "valid_from", "id"],
                condition=Q(lot__isnull=False, kind=Kind.EPISODIC),
                name="entry_by_day_in_crowd",
            ),
            models.Index(
                fields=["audience", "valid_from", "id"], condition=Q(lot__isnull=False), name="entry_by_time_in_crowd"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"

    @property
    def etag(self) -> str:
        """Strong validator for If-Match (api.md, errors)."""
        return f'"{self.id.hex[-12:]}-{self.version}"'
