"""What was decided, by whom, and the way to decide it the other way (R92)."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.decided import DAYS, VERDICTS, Sought, decisions, people, with_reasons
from curation.forms import REJECT_REASONS, RejectForm
from curation.fragments import done, page
from curation.paging import rows_after
from curation.refusals import check_page, first_fault
from curation.visitor import PageRequest
from memoryhub.errors import Invalid, NotGranted, Stale
from memoryhub.governance import decisions as verbs
from memoryhub.http_errors import status_of
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState, ReviewType

STAFF = "Decisions are for curators and operators of this organisation."


@require_safe
def decision_list(request: PageRequest) -> HttpResponse:
    """The decisions, newest first; what they are narrowed to is in the address."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    return _list(request)


@require_POST
def decision_reverse(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Decide it the other way: a new decision; the old one stays as it was made."""
    check_page(request.principal, "decide", sentence="Only a curator decides.")
    form = RejectForm(request.POST)
    if not form.is_valid():
        fault = f"Nothing was reversed. {first_fault(form)}"
        return _list(request, reverse_form=form, reversing=item_id, fault=fault, status=422)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            new = verbs.reverse(item_id=item_id, reason=form.reason, by=request.principal, now=timezone.now())
    except (Stale, Invalid, NotGranted) as refusal:
        return _list(request, fault=f"Nothing was reversed. {refusal.detail}", status=status_of(refusal))
    words = {ReviewState.APPROVED: "it is approved now", ReviewState.REJECTED: "it is rejected now"}
    said = words.get(ReviewState(new.state), "it waits for a decision again")
    return done(request, f"Reversed: {said}.", url=reverse("curation:decision-list") + Sought.read(request.GET).query)


def _list(request: PageRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    by, now, sought = request.principal, timezone.now(), Sought.read(request.GET)
    with acting_for(by, subjects=ALL_SUBJECTS):
        found = decisions(sought, by=by, now=now)
        paged = rows_after(found, request.GET.get("after", ""), field="decided_at", newest_first=True)
        rows = with_reasons(paged.rows, by=by, now=now)
        who = people(by=by)
    context = {
        "section": "decisions",
        "rows": rows,
        "after": paged.after,
        "sought": sought,
        "people": who,
        "verdicts": [(value, ReviewState(value).label) for value in VERDICTS],
        "types": ReviewType.choices,
        "days": DAYS.items(),
        "reasons": REJECT_REASONS,
        "reverse_form": RejectForm(),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/decisions/list.html", context, status=status)
