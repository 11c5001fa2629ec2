"""Webhooks: where the hub says that something was erased, superseded, approved or waits (R113)."""

import uuid
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import step_up
from accounts.models import Agent
from curation import once
from curation.fragments import done, page
from curation.refusals import check_page, told_in
from curation.visitor import PageRequest
from curation.webhook_forms import WebhookForm
from memoryhub import conf
from memoryhub.errors import NotFound
from memoryhub.governance import webhooks
from memoryhub.governance.webhooks import Made
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

SECTION: Final = "webhooks"
OPERATORS: Final = "Webhooks are for operators of this organisation."
SENT_TWICE: Final = "That form was sent before, and its webhook was made then; no second one was."
SHOWN: Final = 100  # of what was not delivered yet

#: What may be asked of a webhook on its page, and what is said afterwards.
SENTENCES: Final = {
    "stop": "Nothing is sent to it any more; what comes up meanwhile waits.",
    "resume": "It is sent to again, and what was given up as well.",
    "remove": "The webhook is removed.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required_to_send
def webhook_list(request: PageRequest) -> HttpResponse:
    """Every webhook and how it fares; a POST makes one, whose secret the answer shows once."""
    check_page(request.principal, "set_webhooks", sentence=OPERATORS)
    by, form = request.principal, None
    with acting_for(by, subjects=ALL_SUBJECTS):
        agents = list(Agent.objects.filter(organisation_id=by.organisation).order_by("slug"))
    if request.method == "POST":
        form = WebhookForm(request.POST, agents=agents)
        with told_in(form):
            if form.is_valid():
                with acting_for(by, subjects=ALL_SUBJECTS):
                    if once.is_spent(request):
                        return done(request, SENT_TWICE, url=reverse("curation:webhook-list"), warning=True)
                    made = webhooks.add(**form.cleaned_data, by=by, now=timezone.now())
                return _shown_once(request, made)
    with acting_for(by, subjects=ALL_SUBJECTS):
        context = {
            "section": SECTION,
            "glances": webhooks.glances(by=by),
            "form": form or WebhookForm(agents=agents),
            "faulty": form is not None,
            "once": once.token(),
            "kept": conf.NOTICES_KEPT.days,
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/webhooks/list.html", context, status=422 if form is not None else 200)


@require_safe
def webhook_item(request: PageRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """One webhook: how it fares, what waits for it and what was given up."""
    check_page(request.principal, "set_webhooks", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        hook = webhooks.one(webhook_id=webhook_id, by=request.principal)
        context: dict[str, Any] = {
            "section": SECTION,
            "hook": hook,
            "deliveries": webhooks.undelivered(hook, most=SHOWN),
            "most": SHOWN,
            "tries": conf.DELIVERY_TRIES,
            "now": timezone.now(),
        }
        with timezone.override(request.visitor.zone_of()):
            return page(request, "curation/webhooks/item.html", context)


@require_POST
@step_up.required
def change(request: PageRequest, webhook_id: uuid.UUID, verb: str) -> HttpResponse:
    """Stop it, send again, give it a new secret, or remove it."""
    check_page(request.principal, "set_webhooks", sentence=OPERATORS)
    verbs = {"stop": webhooks.stop, "resume": webhooks.resume, "remove": webhooks.remove, "renew": webhooks.renew}
    if verb not in verbs:
        raise NotFound
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        came = verbs[verb](webhook_id=webhook_id, by=request.principal, now=timezone.now())
    if isinstance(came, Made):
        return _shown_once(request, came)
    home = reverse("curation:webhook-list")
    url = home if verb == "remove" else reverse("curation:webhook-item", args=[webhook_id])
    return done(request, SENTENCES[verb], url=url)


def _shown_once(request: PageRequest, made: Made) -> HttpResponse:
    """The secret itself in the answer to the POST that made it, and nowhere else."""
    context = {"section": SECTION, "hook": made.webhook, "secret": made.secret}
    return page(request, "curation/webhooks/secret.html", context, status=201)
