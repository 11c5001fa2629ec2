"""What happened that I should know? The feed of an agent's notices, and webhooks that they are sent to (R91, R113)."""

from typing import Any

from rest_framework import serializers

from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Many, Strict, Text, uuid_or_none
from memoryhub.api.pagination import cursor_to, page
from memoryhub.api.rendering import moment
from memoryhub.api.shapes import PageQuery, Shape
from memoryhub.errors import NotFound
from memoryhub.governance import notices, webhooks
from memoryhub.governance.webhooks import Glance, Made
from memoryhub.models import Notice, NoticeKind, Webhook

FEED = "notices"


class NoticesQuery(PageQuery):
    """Where to read on."""

    cursor = Text(default=None, help_text="`resume` of the answer before, or `next`")


class NoticeOut(Shape):
    """One thing that happened; ids alone."""

    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=NoticeKind.choices)
    at = serializers.DateTimeField()
    subject = serializers.CharField(allow_null=True, help_text="external id of the subject it is about")
    ids = serializers.ListField(child=serializers.UUIDField(), help_text="of entries; of an approval also of a skill")


class NoticePageOut(Shape):
    items = NoticeOut(many=True)
    next = serializers.CharField(allow_null=True, help_text="null: there is nothing more yet")
    resume = serializers.CharField(allow_null=True, help_text="the cursor to ask with next time, also at the end")


class WebhookIn(Strict):
    """Where notices are sent."""

    url = Text(max_length=500)
    kinds = Many(child=Choice(choices=NoticeKind.choices), allow_empty=False, max_length=len(NoticeKind))
    agent = ExternalId(**OPTIONAL, help_text="slug: those notices alone that this agent is told")


class WebhookOut(Shape):
    id = serializers.UUIDField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=NoticeKind.choices))
    agent = serializers.CharField(allow_null=True)
    stopped_at = serializers.DateTimeField(allow_null=True)
    failures = serializers.IntegerField(help_text="one after another, up to now")
    last_ok_at = serializers.DateTimeField(allow_null=True)
    last_error = serializers.CharField(allow_null=True)
    waiting = serializers.IntegerField(help_text="notices that were not delivered yet")
    parked = serializers.IntegerField(help_text="notices that were given up")
    created_at = serializers.DateTimeField()


class WebhooksOut(Shape):
    items = WebhookOut(many=True)


class WebhookMadeOut(WebhookOut):
    secret = serializers.CharField(help_text="what it is signed with; shown this once")


class Notices(HubView):
    """/notices"""

    @operation("read_notices", query=NoticesQuery, answers={200: NoticePageOut})
    def get(self, call: Call) -> Answer:
        """What this agent is told, oldest first, of the last 30 days."""
        last: list[Notice] = []

        def render(rows: list[Notice]) -> list[dict[str, Any]]:
            last.extend(rows[-1:])
            return [notices.as_document(row) for row in rows]

        with call.anywhere():
            answer = page(notices.feed(by=call.by), order=("place",), query=call.query, name=FEED, render=render)
        resume = cursor_to([last[0].place], query=call.query, name=FEED) if last else call.query["cursor"]
        return Answer({**answer, "resume": resume})


class Webhooks(HubView):
    """/webhooks"""

    @operation("set_webhooks", answers={200: WebhooksOut})
    def get(self, call: Call) -> Answer:
        """List the webhooks of the organisation."""
        return Answer({"items": [_shown(one) for one in webhooks.glances(by=call.by)]})

    @operation("set_webhooks", body=WebhookIn, answers={201: WebhookMadeOut}, stores_answer=False)
    def post(self, call: Call) -> Answer:
        """Send notices to an address from now on.

        The secret is in this answer alone: the same Idempotency-Key again makes another webhook.
        """
        return Answer(_made(webhooks.add(**call.body, by=call.by, now=call.now)), status=201)


class OneWebhook(HubView):
    """/webhooks/{webhook_id}"""

    @operation("set_webhooks", answers={200: WebhookOut})
    def delete(self, call: Call, webhook_id: str) -> Answer:
        """Remove a webhook, and what waited for it; answered with how it was."""
        hook = _named(call, webhook_id)
        shown = _shown(hook)
        webhooks.remove(webhook_id=hook.webhook.pk, by=call.by, now=call.now)
        return Answer(shown)


class StopWebhook(HubView):
    """/webhooks/{webhook_id}/stop"""

    @operation("set_webhooks", answers={200: WebhookOut})
    def post(self, call: Call, webhook_id: str) -> Answer:
        """Send nothing more; what comes up meanwhile waits."""
        webhooks.stop(webhook_id=_named(call, webhook_id).webhook.pk, by=call.by, now=call.now)
        return Answer(_shown(_named(call, webhook_id)))


class ResumeWebhook(HubView):
    """/webhooks/{webhook_id}/resume"""

    @operation("set_webhooks", answers={200: WebhookOut})
    def post(self, call: Call, webhook_id: str) -> Answer:
        """Send again, also what was given up."""
        webhooks.resume(webhook_id=_named(call, webhook_id).webhook.pk, by=call.by, now=call.now)
        return Answer(_shown(_named(call, webhook_id)))


class RenewWebhook(HubView):
    """/webhooks/{webhook_id}/renew"""

    @operation("set_webhooks", answers={200: WebhookMadeOut}, stores_answer=False)
    def post(self, call: Call, webhook_id: str) -> Answer:
        """A new secret in place of the old one, in this answer alone."""
        return Answer(_made(webhooks.renew(webhook_id=_named(call, webhook_id).webhook.pk, by=call.by, now=call.now)))


def _named(call: Call, webhook_id: str) -> Glance:
    known = uuid_or_none(webhook_id)
    for one in webhooks.glances(by=call.by):
        if one.webhook.pk == known:
            return one
    raise NotFound


def _shown(one: Glance) -> dict[str, Any]:
    hook: Webhook = one.webhook
    return {
        "id": str(hook.pk),
        "url": hook.url,
        "kinds": hook.kinds,
        "agent": hook.agent.slug if hook.agent else None,
        "stopped_at": moment(hook.stopped_at),
        "failures": hook.failures,
        "last_ok_at": moment(hook.last_ok_at),
        "last_error": hook.last_error or None,
        "waiting": one.waiting,
        "parked": one.parked,
        "created_at": moment(hook.created_at),
    }


def _made(made: Made) -> dict[str, Any]:
    return {**_shown(Glance(made.webhook, 0, 0)), "secret": made.secret}
