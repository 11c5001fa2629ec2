"""What is remembered, of any agent and about anybody: a list to search, one memory with all that is kept about it, and
what may be done with it (R92, R93).

Every write is a POST that calls the verb which the API calls. Whoever reads words here leaves a read in the log (R37).
"""

import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Agent
from curation.editing import moved
from curation.entry_page import Told, told
from curation.forms import FORGET_WORD
from curation.fragments import done, page, posted
from curation.in_use import use_of
from curation.memory_forms import CorrectForm, DisputeForm, ReviewByForm, TypedForm
from curation.paging import Paged, rows_after
from curation.plain_words import receipt
from curation.refusals import check_page
from curation.typed import as_typed
from curation.visitor import PageRequest
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import confirmation, erasure, intake, putting_aside, reading, subjects
from memoryhub.http_errors import status_of
from memoryhub.models import Entry, Subject
from memoryhub.permissions import can_do, check_may_touch_authority
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Role, Scope, Sensitivity, Status

STAFF = "Memories are for curators and operators of this organisation."
CURATORS = "Only a curator may do that."
OPERATORS = "Only an operator erases."
COUNTED: Final = 1000  # beyond it the list says "more than", since counting all of them would cost more than it says
CHOICES: Final[dict[str, Sequence[tuple[str, str]]]] = {
    "kind": Kind.choices,
    "status": [*Status.choices, (reading.ANY, "any")],
    "category": Category.choices,
    "sensitivity": Sensitivity.choices,
    "channel": Channel.choices,
    "age": [("1", "the last day"), ("7", "the last week"), ("30", "the last month"), ("365", "the last year")],
    "state": [("contested", "contested"), ("stale", "past its review date")],
}
TYPED: Final = ("q", "subject", "agent", "key")


@require_safe
def memory_list(request: PageRequest) -> HttpResponse:
    """What is kept, newest first; what it is narrowed to and the page are in the address."""
    check_page(request.principal, "read_entries", sentence=STAFF)
    now = timezone.now()
    chosen = {name: as_typed(request.GET.get(name, "")) for name in TYPED}
    for name, known in CHOICES.items():
        given = request.GET.get(name, "")
        chosen[name] = given if given in dict(known) else ""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        subject, unknown = _subject(request, chosen["subject"])
        found = reading.entries(
            wanted=reading.Wanted(
                subject=subject, sought=chosen["q"] or None, agent=chosen["agent"] or None, key=chosen["key"] or None,
                kind=chosen["kind"] or None, status=chosen["status"] or None, category=chosen["category"] or None,
                sensitivity=chosen["sensitivity"] or None, channel=chosen["channel"] or None,
                contested=chosen["state"] == "contested", stale_at=now if chosen["state"] == "stale" else None,
                since=now - timedelta(days=int(chosen["age"])) if chosen["age"] else None,
            ),
            by=request.principal,
        )  # fmt: skip
        found = found.none() if unknown else found
        rows = found.select_related("subject", "provenance__agent", "provenance__speaker", "agent")
        rows = rows.defer("embedding", "search").order_by("-recorded_at", "-id")
        paged = rows_after(rows, request.GET.get("after", ""), field="recorded_at", newest_first=True)
        count = found.order_by()[: COUNTED + 1].count()
        agents = list(Agent.objects.filter(organisation_id=request.principal.organisation).order_by("slug")[:200])
        _log(request, paged, query=chosen["q"])
    context = {
        "section": "memories",
        "rows": paged.rows,
        "after": paged.after,
        "chosen": chosen,
        "choices": CHOICES,
        "filtered": any(chosen.values()),
        "folded": not any(chosen[name] for name in ("key", "category", "sensitivity", "channel", "age", "state")),
        "count": min(count, COUNTED),
        "more": count > COUNTED,
        "agents": agents,
        "unknown": unknown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/memories/list.html", context)


@require_safe
def memory_item(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """One memory: its words, what they mean for an agent, where they came from, and what became of them."""
    check_page(request.principal, "read_entries", sentence=STAFF)
    return _item(request, entry_id)


@require_POST
def confirm(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator says that it is still so."""

    def act(entry: Entry) -> None:
        check_may_touch_authority(request.principal, entry.category)
        confirmation.confirm(entry=entry, by=request.principal, now=timezone.now(), role=Role.CURATOR)

    return _act(request, entry_id, act, may="confirm", sentence="Confirmed: it is kept for another while.")


@require_POST
def dispute(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator says that it is wrong; somebody else decides."""
    form = DisputeForm(request.POST)
    if not form.is_valid():
        check_page(request.principal, "dispute", sentence=CURATORS)
        return _item(request, entry_id, dispute=form, status=422)

    def act(entry: Entry) -> None:
        reason = form.cleaned_data["reason"]
        confirmation.dispute(entry=entry, reason=reason, by=request.principal, now=timezone.now())

    sentence = "Disputed: it waits in the queue for somebody else, and agents are told that it is contested."
    return _act(request, entry_id, act, may="dispute", sentence=sentence, dispute=form)


@require_POST
def review_by(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator says by when it has to be looked at again."""
    form = ReviewByForm(request.POST)
    if not form.is_valid():
        check_page(request.principal, "change_entry", sentence=CURATORS)
        return _item(request, entry_id, review=form, status=422)

    def act(entry: Entry) -> None:
        check_may_touch_authority(request.principal, entry.category)
        moment = form.moment(request.visitor.zone_of())
        confirmation.set_review_by(entry=entry, review_by=moment, by=request.principal, now=timezone.now())

    return _act(request, entry_id, act, may="change_entry", sentence="The review date is set.", review=form)


@require_POST
def correct(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator says how it really is: a new version, through the gate like any other."""
    check_page(request.principal, "change_entry", sentence=CURATORS)
    form = CorrectForm(request.POST)
    if not form.is_valid():
        return _item(request, entry_id, correct=form, status=422)
    outcome: list[intake.Result] = []
    keys: list[str] = []

    def act(entry: Entry) -> None:
        keys.append(entry.key)
        proposal = intake.Proposal(
            subject=entry.subject, text=form.cleaned_data["text"], channel=Channel.CURATOR, role=Role.CURATOR,
            corrects=entry,
        )  # fmt: skip
        seen = ALL_SUBJECTS if entry.scope == Scope.AGENT else subjects.readable(entry.subject)
        with acting_for(request.principal, subjects=seen):
            outcome.extend(intake.propose(proposal=proposal, by=request.principal, now=timezone.now()).results)

    refused = _act(request, entry_id, act, may="change_entry", sentence="", correct=form)
    if not outcome:
        return refused
    kept = next((one for one in outcome if one.entry is not None), None)
    if kept is None or kept.entry is None:
        faults = list(dict.fromkeys(one.reason.label for one in outcome))
        return _item(request, entry_id, correct=form, faults=faults, status=422)
    said = {Op.QUEUED: "It waits in the queue for somebody else.", Op.NOOP: "That is known already."}
    sentence = said.get(kept.op, f"Corrected. {kept.reason.label}")
    if any(keys) and kept.op == Op.UPDATE and kept.entry.key not in keys:
        sentence = f"{sentence} {moved(keys[0], kept.entry.key)}"
    return done(request, sentence, url=reverse("curation:memory-item", args=[kept.entry.pk]))


@require_POST
def put_aside(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator takes it out of use; it stays in the history, and can be brought back."""

    def act(entry: Entry) -> None:
        putting_aside.put_aside(entry=entry, by=request.principal, now=timezone.now())

    return _act(request, entry_id, act, may="decide", sentence="Put aside: no agent recalls it from now on.")


@require_POST
def bring_back(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A curator puts it in use again, as it was."""

    def act(entry: Entry) -> None:
        putting_aside.bring_back(entry=entry, by=request.principal, now=timezone.now())

    return _act(
        request, entry_id, act, may="decide", sentence="Brought back: agents recall it from their next call on."
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """An operator erases one memory in all its versions, after a word is typed; the receipt says what went."""
    check_page(request.principal, "erase_entry", sentence=OPERATORS)
    form = TypedForm(posted(request), wanted=FORGET_WORD)
    receipted = None
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        entry = reading.entry(entry_id=entry_id, by=request.principal)
        reach = erasure.reach(entry)
        stale = request.POST.get("etag", entry.etag) != entry.etag
        if request.method == "POST" and form.is_valid() and not stale:
            check_may_touch_authority(request.principal, entry.category)
            receipted = erasure.erase_entry(entry=entry, by=request.principal, now=timezone.now())
    context: dict[str, Any] = {"section": "memories", "entry": entry, "form": form, "word": FORGET_WORD}
    context |= {"reach": receipt(reach), "stale": stale, "subject": entry.subject}
    if receipted is not None:
        context |= {"receipt": receipted, "removed": receipt(receipted.removed)}
    status = 200 if request.method != "POST" or receipted else 412 if stale else 422
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/memories/erase.html", context, status=status)


def _act(
    request: PageRequest,
    entry_id: uuid.UUID,
    act: Callable[[Entry], object],
    *,
    may: str,
    sentence: str,
    **kept: Any,
) -> HttpResponse:
    """Call one verb on the entry as the visitor saw it. Refused: the page as it is now, with their words (`kept`)."""
    check_page(request.principal, may, sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            entry = reading.entry_to_change(entry_id=entry_id, by=request.principal)
            if request.POST.get("etag", "") not in ("", entry.etag):
                raise Stale
            act(entry)
    except (AlreadyDecided, NotGranted, Stale) as refusal:
        return _item(request, entry_id, faults=[refusal.detail], status=status_of(refusal), **kept)
    except Invalid as refusal:
        return _item(request, entry_id, faults=refusal.faults, status=status_of(refusal), **kept)
    if request.htmx:
        return _item(request, entry_id, said=sentence)
    return done(request, sentence, url=reverse("curation:memory-item", args=[entry_id]))


def _item(request: PageRequest, entry_id: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The page of one memory. `shown` says what just happened: said, faults, or a form to put right."""
    principal, now = request.principal, timezone.now()
    with acting_for(principal, subjects=ALL_SUBJECTS):
        found = told(reading.entry(entry_id=entry_id, by=principal))
        if request.method == "GET":
            read_log.write(
                by=principal, now=now, purpose=read_log.PAGE, subjects=[found.entry.subject], query="",
                items=[{"id": str(pk), "score": 1.0} for pk in _ids(found)],
            )  # fmt: skip
    entry = found.entry
    in_force = entry.status == Status.ACCEPTED
    context = {
        "section": "memories",
        "entry": entry,
        "told": found,
        "use": use_of(entry, now=now, zone=request.visitor.zone_of()),
        "may_confirm": in_force and can_do(principal, "confirm"),
        "may_correct": in_force and can_do(principal, "change_entry"),
        "may_put_aside": in_force and can_do(principal, "decide"),
        "may_bring_back": entry.status == Status.ARCHIVED and can_do(principal, "decide"),
        "may_dispute": in_force and not entry.contested and can_do(principal, "dispute"),
        "may_erase": can_do(principal, "erase_entry"),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/memories/item.html", context, part="memory", status=status)


def _ids(found: Told) -> list[uuid.UUID]:
    """The entries whose words are on the page."""
    versions = (version.entry.pk for version in found.versions)
    parents = (edge.parent_id for edge in found.descent.sources if edge.parent_id)
    children = (edge.child_id for edge in found.descent.derived)
    return list(dict.fromkeys([found.entry.pk, *versions, *parents, *children]))


def _log(request: PageRequest, paged: Paged, *, query: str) -> None:
    """Note what the list gave to read, as one read."""
    if not paged.rows or request.method != "GET":
        return
    about: dict[uuid.UUID, Subject] = {entry.subject_id: entry.subject for entry in paged.rows}
    read_log.write(
        by=request.principal, now=timezone.now(), purpose=read_log.PAGE, subjects=list(about.values()), query=query,
        items=[{"id": str(entry.pk), "score": 1.0} for entry in paged.rows],
    )  # fmt: skip


def _subject(request: PageRequest, external_id: str) -> tuple[Subject | None, bool]:
    """The subject somebody typed, and whether there is none of that id."""
    if not external_id:
        return None, False
    try:
        return subjects.find(external_id=external_id, by=request.principal), False
    except NotFound:
        return None, True
