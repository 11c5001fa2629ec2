"""The audit trail: filtered, verified, and taken along as a file; chained rows without content (R103)."""

import uuid
from collections.abc import Sequence
from datetime import datetime, time, tzinfo
from typing import Any, Final

from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from curation.fragments import page
from curation.navigation import may_open
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance import audit, audit_trail
from memoryhub.governance.audit_trail import Wanted
from memoryhub.models import AuditEvent, AuditHead, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

READERS = "The audit trail is for operators and auditors of this organisation."
ROWS = 30  # on one page, also a phone's
LONGEST: Final = {"subject": conf.MAX_EXTERNAL_ID, "actor": 120, "action": 40, "object_kind": 20, "object": 64}
DAYS: Final = ("since", "until")

#: Kinds of objects that have a page: name of the address, whose only argument is the id.
PAGES: Final = {
    "entry": "curation:memory-item", "skill": "curation:skill-item", "review_item": "curation:queue-item",
    "dream": "curation:dream-detail", "agent": "curation:agent-item", "user": "curation:member-item",
}  # fmt: skip


@require_safe
def trail(request: PageRequest) -> HttpResponse:
    """What was done, newest first, as far as the filters ask."""
    check_page(request.principal, "read_audit", sentence=READERS)
    zone = request.visitor.zone_of()
    fault, status, wanted = "", 200, Wanted()
    try:
        wanted = _wanted(request.GET, zone)
        before = _seq(request.GET.get("before", ""))
    except Invalid as error:
        fault, status, before = error.detail, 422, 0
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        organisation = request.principal.organisation
        rows: list[AuditEvent] = []
        if not fault:
            found = audit_trail.rows(organisation, wanted).order_by("-seq")
            rows = list((found.filter(seq__lt=before) if before else found)[: ROWS + 1])
        shown = rows[:ROWS]
        context = {
            "section": "audit",
            "rows": _told(shown, by=request.principal),
            "before": str(shown[-1].seq) if len(rows) > ROWS else "",
            "chosen": {name: request.GET.get(name, "") for name in (*LONGEST, *DAYS)},
            "filtered": wanted.any,
            "actions": audit_trail.recent_actions(organisation),
            "links": AuditHead.objects.filter(organisation_id=organisation).values_list("seq", flat=True).first() or 0,
            "fault": fault,
        }
    with timezone.override(zone):
        return page(request, "curation/audit/list.html", context, status=status)


@require_safe
def verify(request: PageRequest) -> HttpResponse:
    """Walk the whole chain and say whether it holds, or which link is the first that does not."""
    check_page(request.principal, "read_audit", sentence=READERS)
    organisation = request.principal.organisation
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        broken = audit.first_broken_link(organisation)
        links = AuditEvent.objects.filter(organisation_id=organisation).count()
        head = AuditHead.objects.filter(organisation_id=organisation).first()
    context = {"section": "audit", "broken": broken, "links": links, "head": head, "at": timezone.now()}
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/audit/verify.html", context, part="result")


@require_POST
def export(request: PageRequest) -> StreamingHttpResponse:
    """What the filters ask for as JSON Lines, oldest first, streamed; that it was taken is in the trail as well."""
    check_page(request.principal, "read_audit", sentence=READERS)
    now = timezone.now()
    wanted = _wanted(request.POST, request.visitor.zone_of())
    lines = audit_trail.export(wanted=wanted, by=request.principal, now=now)
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="audit-{now:%Y-%m-%d-%H%M}.jsonl"'
    return response


def _wanted(asked: QueryDict, zone: tzinfo) -> Wanted:
    """The filters of an address or a form. Raises Invalid, with a sentence, for what can't be one."""
    words = {name: asked.get(name, "").strip() for name in LONGEST}
    for name, most in LONGEST.items():
        if len(words[name]) > most or "\x00" in words[name]:
            raise Invalid(f"The filter “{name.replace('_', ' ')}” has at most {most} characters.")
    since, until = (_moment(asked.get(name, "").strip(), zone, late=name == "until") for name in DAYS)
    if since and until and since > until:
        raise Invalid("The first day is after the last one.")
    return Wanted(**words, since=since, until=until)


def _moment(text: str, zone: tzinfo, *, late: bool) -> datetime | None:
    """A day, whole, or a moment, in the zone of the page."""
    if not text:
        return None
    try:
        found = parse_datetime(text) if "T" in text or " " in text else None
        day = parse_date(text) if found is None else None
    except ValueError:
        found = day = None
    if day is not None:
        found = datetime.combine(day, time.max if late else time.min)
    if found is None:
        raise Invalid("A day is written like 2026-11-30.")
    found = found if found.tzinfo else found.replace(tzinfo=zone)
    if not conf.EARLIEST <= found <= conf.LATEST:
        raise Invalid("That day is too long ago, or too far ahead.")
    return found


def _seq(text: str) -> int:
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise Invalid("The address of this page was cut off; start at the newest.")
    return int(text)


def _told(rows: Sequence[AuditEvent], *, by: Principal) -> list[dict[str, Any]]:
    """Each link with who it was and whom it is about by the names people know, in two queries for all."""
    people = {row.actor.removeprefix("user:") for row in rows if row.actor.startswith("user:")}
    names = dict(User.objects.filter(pk__in=filter(_is_id, people)).values_list("pk", "email"))
    about = Subject.objects.filter(pk__in={row.subject for row in rows if _is_id(row.subject)})
    subjects = {str(one.pk): one for one in about}
    by_id = {f"user:{pk}": email for pk, email in names.items()}
    return [
        {
            "row": row,
            "actor": by_id.get(row.actor, row.actor),
            "subject": subjects.get(row.subject),
            "url": reverse(PAGES[row.object_kind], args=[row.object_id]) if _has_page(row, by=by) else "",
            "same": f"{reverse('curation:audit')}?{urlencode({'object': row.object_id})}",
        }
        for row in rows
    ]


def _has_page(row: AuditEvent, *, by: Principal) -> bool:
    return row.object_kind in PAGES and _is_id(row.object_id) and may_open(by, PAGES[row.object_kind])


def _is_id(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
