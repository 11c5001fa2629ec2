"""Sends notices to webhooks: at least once, signed, in order for each subject, never to an inner network (R113).

A try is counted and committed before it is made, so whoever dies between sending and noting it leaves a delivery that
is sent again: the receiver knows it by its `webhook-id`. No transaction is open while the other side takes its time. A
receiver that can't be reached rests as a whole; one that answers with an error is tried again for that notice alone,
and for what comes after it about the same subject.
"""

import base64
import hashlib
import hmac
import json
import logging
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.governance import access, notices, webhooks
from memoryhub.models import Delivery, DeliveryState, Webhook
from memoryhub.providers import http_record
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal

log = logging.getLogger(__name__)

_LABEL: Final = "notify"


@dataclass(frozen=True)
class Sending:
    """One try that is counted already: what goes out, and the token that says whose try it is."""

    delivery: uuid.UUID
    token: int
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


def run_job(claim: jobs.Claim) -> None:
    """Send what is due for one webhook; what is left when the slice is over goes on as another job."""
    hook, by = uuid.UUID(claim.payload["webhook"]), system_principal(claim.organisation, _LABEL)
    if not send_due(hook=hook, by=by, within=conf.DELIVERY_SLICE):
        with acting_for(by, subjects=ALL_SUBJECTS):
            notices.send_soon(hook, organisation=claim.organisation, now=timezone.now())


def seek(*, now: datetime) -> None:
    """Name a job for every webhook that something is due for, and forget what is old: called every conf.TICK."""
    for organisation, _ in access.organisations():
        with acting_for(system_principal(organisation, _LABEL), subjects=ALL_SUBJECTS):
            for hook in due(organisation, now=now):
                notices.send_soon(hook, organisation=organisation, now=now)
            notices.forget_old(organisation=organisation, now=now)


def due(organisation: uuid.UUID, *, now: datetime) -> list[uuid.UUID]:
    """Webhooks that may be sent to now and that something is due for."""
    rows = Delivery.objects.filter(organisation_id=organisation, state=DeliveryState.WAITING, due_at__lte=now)
    rows = rows.filter(webhook__stopped_at__isnull=True).exclude(webhook__rests_until__gt=now)
    return list(rows.order_by("webhook").values_list("webhook", flat=True).distinct())


def send_due(*, hook: uuid.UUID, by: Principal, within: timedelta, now: datetime | None = None) -> bool:
    """Send one after another until nothing is due, the receiver can't be reached, or the time is over (then False).
    `now` stands in for the clock.
    """
    ends = time.monotonic() + within.total_seconds()
    while (sending := take(hook=hook, by=by, now=now or timezone.now())) is not None:
        fault, reached = send(sending)
        note(sending, hook=hook, fault=fault, reached=reached, by=by, now=now or timezone.now())
        if not reached:
            return True
        if time.monotonic() > ends:
            return False
    return True


def take(*, hook: uuid.UUID, by: Principal, now: datetime) -> Sending | None:
    """The next delivery that is due, counted as tried and lent out for conf.DELIVERY_LEASE; None: nothing is.

    What is about a subject waits for what came before it about the same one, unless that was given up.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):
        webhook = Webhook.objects.select_for_update().filter(pk=hook, stopped_at__isnull=True).first()
        if webhook is None or (webhook.rests_until is not None and webhook.rests_until > now):
            return None
        rows = Delivery.objects.filter(webhook=webhook, state=DeliveryState.WAITING).select_related("notice__subject")
        held: set[uuid.UUID | None] = set()
        for row in rows.order_by("notice__place", "notice__created_at", "id")[: conf.DELIVERIES_LOOKED_AT]:
            if row.due_at <= now and row.notice.subject_id not in held:
                row.attempts, row.due_at = row.attempts + 1, now + conf.DELIVERY_LEASE
                row.save(update_fields=["attempts", "due_at"])
                return _sending(row, webhook, now=now)
            if row.notice.subject_id is not None:
                held.add(row.notice.subject_id)
    return None


def send(sending: Sending) -> tuple[str, bool]:
    """What went wrong (empty: it was taken), and whether the receiver answered at all."""
    try:
        status = http_record.hand_over(
            sending.url, sending.body, headers=sending.headers, trusted=settings.MEMORYHUB_WEBHOOK_HOSTS,
            setting=webhooks.SETTING, deadline=http_record.Deadline.after(conf.WEBHOOK_SECONDS),
        )  # fmt: skip
    except http_record.Unreadable as error:
        return str(error), False
    if 200 <= status < 300:
        return "", True
    if 300 <= status < 400:
        return "it redirects, which is not followed", True
    return f"it answered with status {status}", True


def note(sending: Sending, *, hook: uuid.UUID, fault: str, reached: bool, by: Principal, now: datetime) -> None:
    """Write down how a try ended, unless somebody else tries by now."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        webhook = Webhook.objects.select_for_update().filter(pk=hook).first()
        if webhook is None:  # removed meanwhile
            return
        mine = Delivery.objects.filter(pk=sending.delivery, attempts=sending.token, state=DeliveryState.WAITING)
        if not fault:
            mine.update(state=DeliveryState.DELIVERED, delivered_at=now, last_error="")
            webhook.failures, webhook.rests_until, webhook.last_ok_at, webhook.last_error = 0, None, now, ""
        else:
            again = now + pause_after(sending.token)
            if sending.token >= conf.DELIVERY_TRIES:
                mine.update(state=DeliveryState.PARKED, last_error=fault[:120])
                log.error("a notice was given up after %s tries: webhook %s", sending.token, hook)
            else:
                mine.update(due_at=again, last_error=fault[:120])
            webhook.failures, webhook.last_error = webhook.failures + 1, fault[:120]
            webhook.rests_until = None if reached else again
        webhook.save(update_fields=["failures", "rests_until", "last_ok_at", "last_error"])


def pause_after(tries: int) -> timedelta:
    """How long to wait after so many tries that failed."""
    return min(conf.DELIVERY_AGAIN * 2 ** (tries - 1), conf.DELIVERY_AGAIN_AT_MOST)


def signature(key: bytes, *, message: str, stamp: str, body: bytes) -> str:
    """As the Standard Webhooks have it: over id, timestamp and body."""
    digest = hmac.new(key, b".".join([message.encode(), stamp.encode(), body]), hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def _sending(row: Delivery, webhook: Webhook, *, now: datetime) -> Sending:
    told = notices.as_document(row.notice)
    message, stamp = str(row.notice_id), str(int(now.timestamp()))
    document = {"type": told.pop("type"), "timestamp": told.pop("at"), "data": told}
    body = json.dumps(document, separators=(",", ":")).encode()
    headers = (
        ("webhook-id", message),
        ("webhook-timestamp", stamp),
        ("webhook-signature", signature(webhooks.key_of(webhook), message=message, stamp=stamp, body=body)),
    )
    return Sending(row.pk, row.attempts, webhook.url, headers, body)
