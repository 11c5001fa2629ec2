"""What was done, by whom? /audit: chained rows without content, and whether the chain holds (R103)."""

from typing import Any

from rest_framework import serializers

from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import ExternalId, Moment, Text
from memoryhub.api.pagination import page
from memoryhub.api.shapes import PageQuery, Shape
from memoryhub.errors import NotFound
from memoryhub.governance import audit, audit_trail
from memoryhub.models import AuditEvent


class AuditQuery(PageQuery):
    """Filters of the audit trail."""

    subject = ExternalId(default=None)
    since = Moment(default=None)
    action = Text(max_length=40, default=None)


class AuditRowOut(Shape):
    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    action = serializers.CharField()
    subject = serializers.CharField(allow_null=True, help_text="the hub's own id of the subject")
    object_kind = serializers.CharField()
    object_id = serializers.CharField()
    reason = serializers.CharField(allow_null=True)
    request_id = serializers.CharField(allow_null=True)
    content_hmac = serializers.CharField(
        allow_null=True, help_text="of the words it is about, under the subject's own key; nobody's once that is gone"
    )
    previous_hash = serializers.CharField()
    row_hash = serializers.CharField()


class AuditPageOut(Shape):
    items = AuditRowOut(many=True)
    next = serializers.CharField(allow_null=True)


class BrokenOut(Shape):
    seq = serializers.IntegerField()
    fault = serializers.CharField()


class VerifiedOut(Shape):
    """Whether the chain holds, and the first link that does not."""

    holds = serializers.BooleanField()
    rows = serializers.IntegerField()
    broken = BrokenOut(allow_null=True)


class Audit(HubView):
    """/audit"""

    @operation("read_audit", query=AuditQuery, answers={200: AuditPageOut})
    def get(self, call: Call) -> Answer:
        """List the audit trail in order."""
        asked = call.query
        rows = AuditEvent.objects.filter(organisation_id=call.by.organisation)
        named = asked["subject"] or call.by.bound_subject
        if named:
            try:
                rows = rows.filter(subject=str(call.named(named).pk))
            except NotFound:
                if call.by.bound_subject:
                    raise
                rows = rows.none()
        if asked["since"]:
            rows = rows.filter(at__gte=asked["since"])
        if asked["action"]:
            rows = rows.filter(action=asked["action"])
        return Answer(page(rows, order=("seq",), query=asked, name="audit", render=_rows_json))


class Verify(HubView):
    """/audit/verify"""

    @operation("read_audit", answers={200: VerifiedOut})
    def get(self, call: Call) -> Answer:
        """Walk the chain of this organisation from its start."""
        broken = audit.first_broken_link(call.by.organisation)
        return Answer(
            {
                "holds": broken is None,
                "rows": AuditEvent.objects.filter(organisation_id=call.by.organisation).count(),
                "broken": {"seq": broken.seq, "fault": broken.fault} if broken else None,
            }
        )


def _rows_json(rows: list[AuditEvent]) -> list[dict[str, Any]]:
    return [audit_trail.as_document(row) for row in rows]
