"""Whom memories are about: a list to search, one of them at a glance, and what an operator does for them (R90, R93)."""

import json
import uuid
from typing import Any, Final

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import step_up
from curation.forms import PauseForm
from curation.fragments import done, page, posted
from curation.memory_forms import TypedForm
from curation.paging import rows_after
from curation.plain_words import receipt
from curation.refusals import check_page
from curation.typed import as_typed
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.governance import about_subject, access, erasure, export, grace, subjects
from memoryhub.models import Session, Subject
from memoryhub.permissions import can_do
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import SubjectKind

STAFF: Final = "Subjects are for curators and operators of this organisation."
OPERATORS: Final = "Only an operator may do that."
PAUSED: Final = "paused"


@require_safe
def subject_list(request: PageRequest) -> HttpResponse:
    """Whom the hub knows, newest first; what it is narrowed to and the page are in the address."""
    check_page(request.principal, "read_subjects", sentence=STAFF)
    words = as_typed(request.GET.get("q", ""))
    kind, state = request.GET.get("kind", ""), request.GET.get("state", "")
    kind, state = kind if kind in SubjectKind.values else "", state if state == PAUSED else ""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        rows = about_subject.found(by=request.principal, words=words, kind=kind, paused=bool(state))
        paged = rows_after(rows, request.GET.get("after", ""), field="created_at", newest_first=True)
        known = about_subject.known_of(paged.rows)
    context = {
        "section": "subjects",
        "rows": [(subject, *known.get(subject.pk, (0, 0))) for subject in paged.rows],
        "after": paged.after,
        "words": words,
        "kind": kind,
        "state": state,
        "kinds": SubjectKind.choices,
        "filtered": bool(words or kind or state),
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/subjects/list.html", context)


@require_safe
def subject_item(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """One subject at a glance: what is known, whom it belongs to, what goes on, and what an operator may do."""
    check_page(request.principal, "read_subjects", sentence=STAFF)
    return _item(request, subject_id)


@require_POST
def pause(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """Stop or resume remembering, on the person's behalf."""
    check_page(request.principal, "pause", sentence=OPERATORS)
    form = PauseForm(request.POST)
    if not form.is_valid():
        return _item(request, subject_id, faults=["Say whether to pause or to go on."], status=422)
    paused, use_existing = form.cleaned_data["paused"], form.cleaned_data["use_existing"]
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        subjects.pause(
            subject=_find(request, subject_id), paused=paused, use_existing=use_existing if paused else True,
            by=request.principal, now=timezone.now(),
        )  # fmt: skip
    sentence = "Paused: nothing new is remembered." if paused else "Remembering is on again."
    return done(request, sentence, url=reverse("curation:subject-item", args=[subject_id]))


@require_POST
@step_up.required
def page_link(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """A link that opens the person's own page once. It is a secret: shown now, kept nowhere."""
    check_page(request.principal, "hand_out_page_link", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        subject = _find(request, subject_id)
        if subject.kind != SubjectKind.PERSON:
            return _item(request, subject_id, faults=["Only a person has a page of their own."], status=422)
        token, expires_at = access.make_page_link(subject=subject, by=request.principal, now=timezone.now())
    url = request.build_absolute_uri(reverse("curation:my-memory-enter", args=[token]))
    context = {"section": "subjects", "subject": subject, "url": url, "expires_at": expires_at}
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/subjects/link.html", context, status=201)


@require_POST
@step_up.required
def download(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """Everything that is kept about it, as a file; the audit trail has that it was taken."""
    check_page(request.principal, "export", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        everything = export.export_subject(subject=_find(request, subject_id), by=request.principal, now=timezone.now())
    response = JsonResponse(everything, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="what-is-remembered.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
def erase(request: PageRequest, subject_id: uuid.UUID) -> HttpResponse:
    """Forget everything about it, after its id is typed; the receipt says what went."""
    check_page(request.principal, "erase_subject", sentence=OPERATORS)
    receipted = None
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        subject = _find(request, subject_id)
        form = TypedForm(posted(request), wanted=subject.external_id)
        kept = receipt(about_subject.holdings(subject))
        if request.method == "POST" and form.is_valid():
            receipted = erasure.erase_subject(subject=subject, by=request.principal, now=timezone.now())
    context: dict[str, Any] = {"section": "subjects", "subject": subject, "form": form, "kept": kept}
    if receipted is not None:
        context |= {"receipt": receipted, "removed": receipt(receipted.removed)}
    status = 422 if request.method == "POST" and receipted is None else 200
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/subjects/erase.html", context, status=status)


def _item(request: PageRequest, subject_id: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The page of one subject. `shown` says what just happened. Words that are shown are a read (R37)."""
    principal, now = request.principal, timezone.now()
    with acting_for(principal, subjects=ALL_SUBJECTS):
        subject = _find(request, subject_id)
        found, going = about_subject.about(subject=subject, by=principal, now=now), grace.of(subject)
        if request.method == "GET" and (found.shown or found.sessions):
            read_log.write(
                by=principal, now=now, purpose=read_log.PAGE, subjects=[subject], query="",
                items=[{"id": str(pk), "score": 1.0} for pk in found.shown],
            )  # fmt: skip
    context = {
        "section": "subjects",
        "subject": subject,
        "about": found,
        "going": going,
        "sessions": None if found.sessions is None else [(one, _state(one)) for one in found.sessions],
        "may_pause": can_do(principal, "pause"),
        "may_link": subject.kind == SubjectKind.PERSON and can_do(principal, "hand_out_page_link"),
        "may_export": can_do(principal, "export"),
        "may_erase": can_do(principal, "erase_subject"),
        **shown,
    }
    with timezone.override(request.visitor.zone_of(subject.timezone)):
        return page(request, "curation/subjects/item.html", context, status=status)


def _state(session: Session) -> list[tuple[str, str]]:
    """What is pinned in a running conversation, each value as a line of text."""
    return [
        (str(name), value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in session.state.items()
    ]


def _find(request: PageRequest, subject_id: uuid.UUID) -> Subject:
    rows = Subject.objects.filter(organisation_id=request.principal.organisation, pk=subject_id)
    found = rows.select_related("account").first()
    if found is None:
        raise NotFound
    return found
