"""Consolidation on demand, and what it did: /dreams and /events (R70–R76; api.md, dreams)."""

import json
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.utils.encoders import JSONEncoder

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, ExternalId, QueryFlag, Strict, Text, uuid_or_none
from memoryhub.api.pagination import page
from memoryhub.api.shapes import PageQuery, Shape
from memoryhub.dreams import dreamer, reports
from memoryhub.errors import NotFound, NotGranted
from memoryhub.governance import access
from memoryhub.models import Dream, DreamOperation, Event
from memoryhub.models.sealed import in_clear
from memoryhub.vocabulary import DreamStatus, Op, Reason, Store


class DreamIn(Strict):
    agent = Text(max_length=80, help_text="slug; left out: every agent's sessions", **OPTIONAL)


class ProgressOut(Shape):
    sessions_done = serializers.IntegerField()
    sessions_total = serializers.IntegerField()


class OperationOut(Shape):
    """One line of a report."""

    store = serializers.ChoiceField(choices=Store.choices)
    op = serializers.ChoiceField(choices=Op.choices)
    reason = serializers.ChoiceField(choices=Reason.choices)
    session_id = serializers.CharField(allow_null=True, required=False)
    entry = serializers.UUIDField(allow_null=True, required=False)
    skill = serializers.UUIDField(allow_null=True, required=False)


class ReportOut(Shape):
    events = serializers.IntegerField()
    sessions = serializers.IntegerField()
    episodic = serializers.DictField(child=serializers.IntegerField())
    semantic = serializers.DictField(child=serializers.IntegerField())
    procedural = serializers.DictField(child=serializers.IntegerField())
    operations = OperationOut(many=True)


class QueuedOut(Shape):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=DreamStatus.choices)


class DreamOut(QueuedOut):
    progress = ProgressOut()
    report = ReportOut()


class DreamPageOut(Shape):
    items = QueuedOut(many=True)
    next = serializers.CharField(allow_null=True)


class EventsQuery(PageQuery):
    """Filters of the dream inbox."""

    pending = QueryFlag(default=None, help_text="true: not yet consolidated; false: consolidated")
    subject = ExternalId(default=None)


class EventOut(Shape):
    """What a turn left for the next dream; withheld ones carry no words (R61)."""

    id = serializers.UUIDField()
    event_id = serializers.CharField()
    agent = serializers.CharField()
    session_id = serializers.CharField()
    subject = serializers.CharField()
    speaker = serializers.CharField(allow_null=True)
    user_input = serializers.CharField()
    assistant_output = serializers.CharField()
    withheld = serializers.CharField(allow_null=True)
    actions = serializers.ListField(child=serializers.JSONField())
    observations = serializers.ListField(child=serializers.JSONField())
    signals = serializers.ListField(child=serializers.JSONField())
    scope = serializers.ListField(child=serializers.JSONField())
    occurred_at = serializers.DateTimeField()
    received_at = serializers.DateTimeField()
    consolidated_at = serializers.DateTimeField(allow_null=True)


class EventPageOut(Shape):
    items = EventOut(many=True)
    next = serializers.CharField(allow_null=True)


class Dreams(HubView):
    """/dreams"""

    @operation("dream", body=DreamIn, optional_body=True, answers={202: QueuedOut})
    def post(self, call: Call) -> Answer:
        """Ask for a dream; it waits for one that runs."""
        if call.by.bound_subject:
            raise NotGranted("A dream reads every subject's sessions; this key is bound to one subject.")
        slug = call.body["agent"]
        agent = access.agent_of(slug=slug, by=call.by).pk if slug else None
        dream = dreamer.request(by=call.by, now=call.now, agent=agent)
        return Answer({"id": str(dream.pk), "status": dream.status}, status=202)

    @operation("read_dreams", query=PageQuery, answers={200: DreamPageOut})
    def get(self, call: Call) -> Answer:
        """List dreams, newest first. A key bound to a subject lists those that did something about it."""
        found = _readable(call).select_related("agent")
        return Answer(page(found, order=("-created_at", "-id"), query=call.query, name="dreams", render=_dreams_json))


class OneDream(HubView):
    """/dreams/{id}"""

    @operation("read_dreams", answers={200: DreamOut})
    def get(self, call: Call, dream_id: str) -> Answer:
        """How far a dream is, and exactly what it did; to a key bound to a subject, what it did about that one."""
        known = uuid_or_none(dream_id)
        found = _readable(call).filter(pk=known).first() if known else None
        if found is None:
            raise NotFound
        about = call.named(call.by.bound_subject) if call.by.bound_subject else None
        return Answer(json.loads(json.dumps(reports.report(found, about=about), cls=JSONEncoder)))


class Events(HubView):
    """/events"""

    @operation("read_events", query=EventsQuery, answers={200: EventPageOut})
    def get(self, call: Call) -> Answer:
        """List the dream inbox, oldest first."""
        with call.anywhere():
            found = Event.objects.filter(organisation_id=call.by.organisation)
            if call.query["pending"] is not None:
                found = found.filter(consolidated_at__isnull=call.query["pending"])
            if call.query["subject"]:
                found = found.filter(subject=call.named(call.query["subject"]))
            rows = found.select_related("agent", "session")
            return Answer(page(rows, order=("received_at", "id"), query=call.query, name="events", render=_events_json))


def _readable(call: Call) -> QuerySet[Dream]:
    """The organisation's dreams; for a bound key those that did something about its subject."""
    found = Dream.objects.filter(organisation_id=call.by.organisation)
    if call.by.bound_subject:
        own = DreamOperation.objects.filter(subject__external_id=call.by.bound_subject)
        found = found.filter(pk__in=own.values("dream"))
    return found


def _dreams_json(dreams: list[Dream]) -> list[dict[str, Any]]:
    return [
        {
            "id": str(dream.pk),
            "status": dream.status,
            "agent": dream.agent.slug if dream.agent else None,
            "requested_by": dream.requested_by,
            "created_at": rendering.moment(dream.created_at),
            "started_at": rendering.moment(dream.started_at),
            "finished_at": rendering.moment(dream.finished_at),
            "progress": {"sessions_done": dream.sessions_done, "sessions_total": dream.sessions_total},
        }
        for dream in dreams
    ]


def _events_json(events: list[Event]) -> list[dict[str, Any]]:
    names = rendering.external_ids(one for event in events for one in (event.subject_id, event.speaker_id))
    return [
        {
            "id": str(event.pk),
            "event_id": event.external_id,
            "agent": event.agent.slug,
            "session_id": event.session.external_id,
            "subject": names.get(event.subject_id, ""),
            "speaker": names.get(event.speaker_id) if event.speaker_id else None,
            "user_input": event.user_input,
            "assistant_output": event.assistant_output,
            "withheld": event.withheld or None,
            "actions": event.actions,
            "observations": event.observations,
            "signals": event.signals,
            "scope": event.scope,
            "occurred_at": rendering.moment(event.occurred_at),
            "received_at": rendering.moment(event.received_at),
            "consolidated_at": rendering.moment(event.consolidated_at),
        }
        for event in in_clear(events)
    ]
