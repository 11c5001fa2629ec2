"""A finished turn comes in: /turns and /turns:batch (R60–R63; api.md, turns and sessions)."""

from typing import Any, Final

from rest_framework import serializers

from memoryhub import conf
from memoryhub.api import idempotency, problems, rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Anything, Choice, ExternalId, Flag, Json, Many, Moment, Strict, Text
from memoryhub.api.shapes import ResultOut, Shape
from memoryhub.dreams import inbox
from memoryhub.errors import HubError
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

MEMORY: Final = (("on", "on"), ("off", "off"))


class ActionIn(Strict):
    """A tool the agent called, and what came of it."""

    tool = Text(max_length=100)
    arguments = Json(default=dict)
    result = Anything(default="")
    detail = Text(allow_blank=True, default="")
    ok = Flag(default=None, allow_null=True, help_text="left out: nobody recorded how it ended, and nothing is claimed")


class ObservationIn(Strict):
    kind = Text(max_length=100)
    value = Anything(default="")


class SignalIn(Strict):
    """A finding by code, never by a model (R62)."""

    kind = Text(max_length=100)
    value = Text(allow_blank=True, default="")
    scope = Text(max_length=200, allow_blank=True, default="")


class TurnIn(Strict):
    event_id = ExternalId()
    session_id = ExternalId()
    subject = ExternalId()
    speaker = ExternalId(**OPTIONAL)
    occurred_at = Moment(**OPTIONAL)
    user_input = Text(allow_blank=True, default="")
    assistant_output = Text(allow_blank=True, default="")
    actions = Many(child=ActionIn(), default=list)
    observations = Many(child=ObservationIn(), default=list)
    signals = Many(child=SignalIn(), default=list)
    scope = Many(child=Text(max_length=200), default=list)
    state = Json(default=dict)
    quarantined = Flag(default=False)
    memory = Choice(choices=MEMORY, default="on")
    dry_run = Flag(default=False)


class BatchIn(Strict):
    """Turns in order; a list as it stands means the same."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value({"turns": data} if isinstance(data, list) else data)

    turns = Many(child=Json(), min_length=1, max_length=conf.MAX_BATCH, help_text="each as in POST /turns")


class ReceivedOut(Shape):
    """What became of a turn. The words are the same for a dry run, and mean then what would have become of it."""

    dry_run = serializers.BooleanField(help_text="true: nothing was written; the rest says what would have been")
    working = serializers.CharField(help_text="written, unchanged or off; of a dry run: what would have been")
    event = serializers.ChoiceField(
        choices=["written", "withheld", "duplicate"], help_text="of a dry run: what would have been"
    )
    claims = ResultOut(many=True)


class BatchItemOut(Shape):
    """What POST /turns would have answered: a received turn, or the members of a problem."""

    event_id = serializers.CharField(allow_null=True)
    status = serializers.IntegerField()
    dry_run = serializers.BooleanField(required=False)
    working = serializers.CharField(required=False)
    event = serializers.CharField(required=False)
    claims = ResultOut(many=True, required=False)
    code = serializers.CharField(required=False)
    detail = serializers.CharField(required=False)
    errors = serializers.DictField(  # type: ignore[assignment]  # as in shapes.Problem
        child=serializers.ListField(child=serializers.CharField()), required=False
    )


class BatchOut(Shape):
    items = BatchItemOut(many=True)


class Turns(HubView):
    """/turns"""

    @operation("post_turn", body=TurnIn, answers={201: ReceivedOut, 200: ReceivedOut})
    def post(self, call: Call) -> Answer:
        """Take in one finished turn; the same event_id again writes nothing and is answered 200, and so does a dry run,
        whose answer says so in `dry_run`: its other words are those that the turn would be answered with.
        """
        return _receive(call, call.body)


class TurnBatch(HubView):
    """/turns:batch"""

    @operation("post_turn", body=BatchIn, answers={200: BatchOut}, transaction=False)
    def post(self, call: Call) -> Answer:
        """Take in up to 500 finished turns, in order, each by itself; answered per item.

        Each turn commits alone, so that a long batch never holds up other writers; its event id makes it repeatable.
        """
        token = idempotency.token_of(call.request._request)
        digest = idempotency.digest_of(call.request._request, call.body)
        with acting_for(call.by, subjects=ALL_SUBJECTS):
            before = idempotency.before(token=token, digest=digest, by=call.by, now=call.now) if token else None
        if before is not None:
            return Answer(before.body, status=before.status, headers={idempotency.REPLAYED: "true"})
        body = {"items": [_one_of_batch(call, sent) for sent in call.body["turns"]]}
        if token:
            with acting_for(call.by, subjects=ALL_SUBJECTS):
                if (other := idempotency.claim(token=token, digest=digest, by=call.by, now=call.now)) is not None:
                    return Answer(other.body, status=other.status, headers={idempotency.REPLAYED: "true"})
                idempotency.store(token=token, by=call.by, status=200, body=body, subject=None)
        return Answer(body)


def _one_of_batch(call: Call, sent: dict[str, Any]) -> dict[str, Any]:
    named = sent.get("event_id")
    event_id = named if isinstance(named, str) else None
    try:
        turn = TurnIn(data=sent)
        turn.is_valid(raise_exception=True)
        answer = call.attempt(lambda: _receive(call, turn.validated_data))
    except (HubError, serializers.ValidationError) as error:
        problem = problems.members_of(error)
        return {"event_id": event_id, **{name: problem[name] for name in ("status", "code", "detail", "errors")}}
    return {"event_id": event_id, "status": answer.status, **answer.body}


def _receive(call: Call, sent: dict[str, Any]) -> Answer:
    subject = call.mentioned(sent["subject"])
    speaker = call.speaking(sent["speaker"], about=subject)
    turn = inbox.FinishedTurn(
        **{name: value for name, value in sent.items() if name not in ("subject", "speaker", "dry_run")}
    )
    with call.about(subject):
        agent = call.agent()
        received = inbox.receive_turn(
            turn=turn, agent=agent, subject=subject, speaker=speaker, by=call.by, now=call.now, dry_run=sent["dry_run"]
        )
    fresh = received.event != "duplicate" and received.working != "off" and not sent["dry_run"]
    body = {
        "dry_run": sent["dry_run"],
        "working": received.working,
        "event": received.event,
        "claims": rendering.results_json(received.results, proposed=True),
    }
    # With memory off nobody becomes known by it either, neither whom it is about nor who spoke.
    keep = not sent["dry_run"] and received.working != "off"
    return Answer(body, status=201 if fresh else 200, about=subject.pk, keep=keep)
