"""What is happening now: an agent's sessions and their working memory (R50; api.md, turns and sessions)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rest_framework import serializers
from rest_framework.utils.encoders import JSONEncoder

from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import Anything, Json, Many, Strict, Text
from memoryhub.api.shapes import Shape
from memoryhub.api.turns import ActionIn, ObservationIn
from memoryhub.dreams import inbox
from memoryhub.governance import activity
from memoryhub.governance.subjects import check_external_id
from memoryhub.models import Session
from memoryhub.working import session as working


class StateIn(Json):
    """Key-values to pin; null unpins. `{"state": {…}}` means the same as what is inside."""

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        inner = values.get("state")
        return inner if set(values) == {"state"} and isinstance(inner, dict) else values


class CurrentIn(Strict):
    actions = Many(child=ActionIn(), default=list)
    observations = Many(child=ObservationIn(), default=list)


class OffloadIn(Strict):
    text = Text()


class StrikeIn(Strict):
    """Exactly one of the two: a turn by its number or event id, or every line that holds some words."""

    turn = Anything(default=None, allow_null=True)
    line = Text(default=None, allow_null=True)


class HistoryOut(Shape):
    turn = serializers.IntegerField()
    event_id = serializers.CharField()
    user_input = serializers.CharField()
    assistant_output = serializers.CharField()
    withheld = serializers.BooleanField()
    struck = serializers.BooleanField()
    note = serializers.CharField()
    occurred_at = serializers.DateTimeField()


class CurrentOut(Shape):
    actions = serializers.ListField(child=serializers.JSONField())
    observations = serializers.ListField(child=serializers.JSONField())


class SessionOut(Shape):
    id = serializers.CharField()
    agent = serializers.CharField()
    subject = serializers.CharField()
    history = HistoryOut(many=True)
    summary = serializers.CharField()
    state = serializers.JSONField()
    current_turn = CurrentOut()
    offloaded = serializers.ListField(child=serializers.CharField())
    started_at = serializers.DateTimeField()
    last_turn_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField()
    off_record = serializers.BooleanField(help_text="its person wants nothing of it kept or used")


class HandleOut(Shape):
    handle = serializers.CharField()


class PassageOut(Shape):
    handle = serializers.CharField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class StruckOut(Shape):
    struck = serializers.ListField(child=serializers.CharField(), help_text="event ids of the turns it reached")


class OneSession(HubView):
    """/sessions/{id}"""

    @operation("read_session", answers={200: SessionOut})
    def get(self, call: Call, session_id: str) -> Answer:
        """History, pinned state and the running turn; an agent sees its own sessions."""
        with _own(call, session_id) as session:
            return _shown(call, session)


class State(HubView):
    """/sessions/{id}/state"""

    @operation("use_session", body=StateIn, answers={200: SessionOut})
    def patch(self, call: Call, session_id: str) -> Answer:
        """Pin key-values, such as the order in play; where the session is `off_record`, none is kept."""
        with _own(call, session_id) as session:
            return _shown(call, activity.set_state(session=session, values=call.body, by=call.by, now=call.now))


class Current(HubView):
    """/sessions/{id}/current"""

    @operation("use_session", body=CurrentIn, answers={200: SessionOut})
    def post(self, call: Call, session_id: str) -> Answer:
        """Note what the running turn did and saw, until the turn is posted."""
        with _own(call, session_id) as session:
            return _shown(call, activity.add_to_current(session=session, **call.body, by=call.by, now=call.now))


class Offloads(HubView):
    """/sessions/{id}/offload"""

    @operation("use_session", body=OffloadIn, answers={201: HandleOut})
    def post(self, call: Call, session_id: str) -> Answer:
        """Move a passage out of the window; its handle fetches it. `off_record` refuses where nothing is kept."""
        with _own(call, session_id) as session:
            passage = activity.offload(session=session, text=call.body["text"], by=call.by, now=call.now)
            return Answer({"handle": str(passage.pk)}, status=201, about=session.subject_id)


class OneOffload(HubView):
    """/sessions/{id}/offload/{handle}"""

    @operation("read_session", answers={200: PassageOut})
    def get(self, call: Call, session_id: str, handle: str) -> Answer:
        """An offloaded passage."""
        with _own(call, session_id) as session:
            passage = working.fetch(session=session, handle=handle, now=call.now)
            return Answer(plain({"handle": str(passage.pk), "text": passage.text, "created_at": passage.created_at}))


class Strike(HubView):
    """/sessions/{id}/strike"""

    @operation("use_session", body=StrikeIn, answers={200: StruckOut})
    def post(self, call: Call, session_id: str) -> Answer:
        """Remove a poisoned turn or line; its words are withheld in that turn's pending event too."""
        turn = call.body["turn"]
        if turn is not None and (isinstance(turn, bool) or not isinstance(turn, int | str)):
            raise serializers.ValidationError({"turn": ["It has to be a turn's number or its event id."]})
        with _own(call, session_id) as session:
            refs = inbox.strike(session=session, turn=turn, line=call.body["line"], by=call.by, now=call.now)
            return Answer({"struck": list(refs)}, about=session.subject_id)


class End(HubView):
    """/sessions/{id}/end"""

    @operation("use_session", answers={200: SessionOut})
    def post(self, call: Call, session_id: str) -> Answer:
        """End the session: its working memory is gone at once."""
        with _own(call, session_id) as session:
            return _shown(call, activity.end(session=session, by=call.by, now=call.now))


@contextmanager
def _own(call: Call, session_id: str) -> Iterator[Session]:
    """The caller's own session, acting for the subject it is with."""
    external_id = check_external_id(session_id, "session_id")
    agent = call.agent() if call.by.agent else None
    with call.anywhere():
        session = working.find(external_id=external_id, agent=agent)
    with call.about(session.subject):
        yield session


def _shown(call: Call, session: Session) -> Answer:
    return Answer(plain(working.show(session, now=call.now)), about=session.subject_id)


def plain(value: Any) -> Any:
    """JSON values alone: times as RFC 3339."""
    return json.loads(json.dumps(value, cls=JSONEncoder))
