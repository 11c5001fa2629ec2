"""Where are notices sent? Webhooks that an operator sets up, stops and takes away, and what was given up (R113)."""

import base64
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils.crypto import salted_hmac

from accounts.models import Agent
from memoryhub import conf
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit, notices
from memoryhub.models import Delivery, DeliveryState, NoticeKind, Webhook
from memoryhub.permissions import check_may
from memoryhub.providers import addresses
from memoryhub.tenancy import Principal

SETTING: Final = "MEMORYHUB_WEBHOOK_HOSTS"
_SALT: Final = "memoryhub.webhook"


@dataclass(frozen=True)
class Made:
    """A webhook and its secret in clear, which is shown once."""

    webhook: Webhook
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Glance:
    """A webhook, and how many notices wait for it and were given up."""

    webhook: Webhook
    waiting: int
    parked: int


def add(*, url: str, kinds: Collection[str], agent: str | None, by: Principal, now: datetime) -> Made:
    """Send notices of these kinds to `url` from now on; `agent` (a slug): those alone that this agent is told.

    Raises Invalid for an address that can't be called, an unknown kind or agent, and one too many.
    """
    check_may(by, "set_webhooks")
    faults = {"url": _faults_of(url.strip()), "kinds": _faults_of_kinds(kinds)}
    told = Agent.objects.filter(organisation_id=by.organisation, slug=agent).first() if agent else None
    faults["agent"] = ["There is no agent with this slug."] if agent and told is None else []
    if Webhook.objects.filter(organisation_id=by.organisation).count() >= conf.WEBHOOKS:
        faults["url"] = [f"At most {conf.WEBHOOKS} webhooks; remove one first."]
    if any(faults.values()):
        raise Invalid(errors={name: said for name, said in faults.items() if said})
    hook = Webhook.objects.create(
        organisation_id=by.organisation, url=url.strip(), kinds=sorted(set(kinds)), agent=told, created_at=now,
        created_by=by.label[:120],
    )  # fmt: skip
    _audited("add", hook, by=by, now=now)
    return Made(hook, secret_of(hook))


def renew(*, webhook_id: uuid.UUID | str, by: Principal, now: datetime) -> Made:
    """A new secret in place of the old one, which signs nothing from now on."""
    hook = _locked(webhook_id, by=by)
    hook.turn += 1
    hook.save(update_fields=["turn"])
    _audited("renew", hook, by=by, now=now)
    return Made(hook, secret_of(hook))


def stop(*, webhook_id: uuid.UUID | str, by: Principal, now: datetime) -> Webhook:
    """Send nothing more; what comes up meanwhile waits, as long as notices are kept."""
    hook = _locked(webhook_id, by=by)
    if hook.stopped_at is None:
        hook.stopped_at = now
        hook.save(update_fields=["stopped_at"])
        _audited("stop", hook, by=by, now=now)
    return hook


def resume(*, webhook_id: uuid.UUID | str, by: Principal, now: datetime) -> Webhook:
    """Send again, at once: also what was given up, as if it were new."""
    hook = _locked(webhook_id, by=by)
    hook.stopped_at, hook.rests_until, hook.failures = None, None, 0
    hook.save(update_fields=["stopped_at", "rests_until", "failures"])
    Delivery.objects.filter(webhook=hook, state=DeliveryState.PARKED).update(
        state=DeliveryState.WAITING, attempts=0, due_at=now
    )
    Delivery.objects.filter(webhook=hook, state=DeliveryState.WAITING, due_at__gt=now).update(due_at=now)
    _audited("resume", hook, by=by, now=now)
    notices.send_soon(hook.pk, organisation=hook.organisation_id, now=now)
    return hook


def remove(*, webhook_id: uuid.UUID | str, by: Principal, now: datetime) -> None:
    """Forget a webhook, and what waited for it."""
    hook = _locked(webhook_id, by=by)
    _audited("remove", hook, by=by, now=now)
    hook.delete()


def one(*, webhook_id: uuid.UUID | str, by: Principal) -> Webhook:
    """The webhook of that id. Raises NotFound."""
    check_may(by, "set_webhooks")
    found = _own(by).filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def glances(*, by: Principal) -> list[Glance]:
    """All webhooks of the organisation, oldest first, in one query."""
    check_may(by, "set_webhooks")
    states = {state: Count("deliveries", filter=Q(deliveries__state=state)) for state in DeliveryState}
    rows = _own(by).annotate(waits=states[DeliveryState.WAITING], given_up=states[DeliveryState.PARKED])
    return [Glance(row, row.waits, row.given_up) for row in rows.order_by("created_at", "id")]


def undelivered(hook: Webhook, *, most: int) -> Sequence[Delivery]:
    """What waits for a webhook or was given up, given up first, oldest first."""
    rows = Delivery.objects.filter(webhook=hook).exclude(state=DeliveryState.DELIVERED)
    return list(rows.select_related("notice").order_by("state", "notice__created_at", "id")[:most])


def secret_of(hook: Webhook) -> str:
    """What a webhook is signed with, as the Standard Webhooks write it: derived, so that no table holds it."""
    return "whsec_" + base64.b64encode(key_of(hook)).decode()


def key_of(hook: Webhook) -> bytes:
    """The secret's 32 bytes."""
    return salted_hmac(
        _SALT, f"{hook.pk}:{hook.turn}", secret=settings.SECRET_KEY, algorithm="sha256"
    ).digest()  # fmt: skip


def _own(by: Principal) -> QuerySet[Webhook]:
    return Webhook.objects.filter(organisation_id=by.organisation).select_related("agent")


def _locked(webhook_id: uuid.UUID | str, *, by: Principal) -> Webhook:
    check_may(by, "set_webhooks")
    rows = Webhook.objects.select_for_update().filter(organisation_id=by.organisation, pk=webhook_id)
    found = rows.first()
    if found is None:
        raise NotFound
    return found


def _audited(verb: str, hook: Webhook, *, by: Principal, now: datetime) -> None:
    audit.record(by=by, now=now, action=f"webhook.{verb}", object_kind="webhook", object_id=hook.pk)


def _faults_of_kinds(kinds: Collection[str]) -> list[str]:
    if not kinds:
        return ["Choose what it is told."]
    return [] if set(kinds) <= set(NoticeKind.values) else [f"Some of: {', '.join(NoticeKind.values)}."]


def _faults_of(url: str) -> list[str]:
    """Why an address can't be sent to, in a sentence. Where a name leads is asked at every delivery."""
    if len(url) > conf.WEBHOOK_URL:
        return [f"At most {conf.WEBHOOK_URL} characters."]
    try:
        addresses.check_entered(url, trusted=settings.MEMORYHUB_WEBHOOK_HOSTS, setting=SETTING)
    except addresses.AddressRefused as error:
        return [str(error)]
    return []
