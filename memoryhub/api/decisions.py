"""Why did the gate decide so? /decisions/{id}: every step's outcome, without content (R10)."""

from rest_framework import serializers

from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import uuid_or_none
from memoryhub.api.shapes import Shape, StepOut
from memoryhub.governance import reading
from memoryhub.vocabulary import Channel, Op, Reason, Role


class DecidedClaimOut(Shape):
    op = serializers.ChoiceField(choices=Op.choices)
    reason = serializers.ChoiceField(choices=Reason.choices)
    entry = serializers.UUIDField(allow_null=True, required=False)
    redacted = serializers.BooleanField(required=False)
    steps = StepOut(many=True)


class DecisionOut(Shape):
    id = serializers.UUIDField()
    subject = serializers.CharField(allow_null=True)
    role = serializers.ChoiceField(choices=Role.choices)
    channel = serializers.ChoiceField(choices=Channel.choices)
    agent = serializers.CharField(allow_null=True)
    policy_version = serializers.IntegerField(help_text="of the policy it was judged by; 0: as shipped")
    created_at = serializers.DateTimeField()
    results = DecidedClaimOut(many=True)


class Decision(HubView):
    """/decisions/{id}"""

    @operation("read_decision", answers={200: DecisionOut})
    def get(self, call: Call, decision_id: str) -> Answer:
        """One decision of the gate with each claim's steps; an agent sees its own."""
        with call.anywhere():
            row = reading.decision(decision_id=uuid_or_none(decision_id), by=call.by)
        return Answer(
            {
                "id": str(row.pk),
                "subject": row.subject.external_id if row.subject else None,
                "role": row.role,
                "channel": row.channel,
                "agent": row.agent.slug if row.agent else None,
                "policy_version": row.policy_version,
                "created_at": rendering.moment(row.created_at),
                "results": row.results,
            }
        )
