"""Why did the agent think that? What was read, by whom, and from each read to the person's words (R37)."""

import uuid
from datetime import timedelta

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Agent
from curation.bars import bars
from curation.fragments import page
from curation.paging import ROWS
from curation.refusals import check_page
from curation.typed import uuid_of
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.governance import given, reading
from memoryhub.models import Subject
from memoryhub.permissions import can_do
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

STAFF = "What agents were given is for curators, operators and auditors of this organisation."
NO_ID = "That is no recall id. It is the recall_id that an answer of /recall or /context came with."
FILTERS = ("subject", "agent", "gave", "since", "who")
TIMES = {"1": "the last day", "7": "the last week", "30": "the last month"}
UNKNOWN = "No recall of this organisation has that id."


@require_safe
def recall_list(request: PageRequest) -> HttpResponse:
    """The reads, newest first, narrowed by what is in the address; one by its id, or those that gave one entry."""
    check_page(request.principal, "read_recall", sentence=STAFF)
    sought = request.GET.get("id", "").strip()
    fault = ""
    if sought:
        found = uuid_of(sought)
        if found is not None and _exists(request, found):
            return HttpResponseRedirect(reverse("curation:recall-detail", args=[found]))
        fault = UNKNOWN if found is not None else NO_ID
    chosen = _chosen(request)
    of_entry, after = None, uuid_of(request.GET.get("after", ""))
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        if request.GET.get("entry"):
            check_page(request.principal, "read_queue", sentence=STAFF)
            of_entry = reading.entry(entry_id=uuid_of(request.GET["entry"]), by=request.principal)
            rows = given.reads_of(of_entry)
        else:
            rows = read_log.reads(by=request.principal, sought=_sought(chosen))
        newest = list((rows.filter(pk__lt=after) if after else rows)[: ROWS + 1])
        agents = list(Agent.objects.filter(organisation_id=request.principal.organisation).order_by("slug")[:200])
    context = {
        "section": "recalls", "reads": newest[:ROWS], "sought": sought, "fault": fault, "of_entry": of_entry,
        "after": str(newest[ROWS - 1].pk) if len(newest) > ROWS else "", "chosen": chosen, "agents": agents,
        "times": TIMES.items(), "filtered": any(chosen.values()) or after is not None,
    }  # fmt: skip
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/recalls/list.html", context, status=422 if fault else 200)


def _chosen(request: PageRequest) -> dict[str, str]:
    """What the list is narrowed to: what was typed, and of what was chosen only what can be."""
    chosen = {name: request.GET.get(name, "").replace("\x00", "").strip()[:200] for name in FILTERS}
    for name, known in (("gave", ("something", "nothing")), ("since", TIMES), ("who", ("people",))):
        if chosen[name] not in known:
            chosen[name] = ""
    return chosen


def _sought(chosen: dict[str, str]) -> read_log.Sought:
    days = chosen["since"]
    return read_log.Sought(
        subject=chosen["subject"], agent=chosen["agent"], looks=chosen["who"] == "people",
        empty={"something": False, "nothing": True}.get(chosen["gave"]),
        since=timezone.now() - timedelta(days=int(days)) if days else None,
    )  # fmt: skip


@require_safe
def recall_detail(request: PageRequest, recall_id: uuid.UUID) -> HttpResponse:
    """One read: who asked, when, about whom, and the words and source of each entry it gave. Who sees the words here
    has read them, so that is a read as well; an auditor sees that something was given, not what it said.
    """
    check_page(request.principal, "read_recall", sentence=STAFF)
    words = can_do(request.principal, "read_entries")
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        read = given.read(recall_id=recall_id, by=request.principal)
        subjects = list(Subject.objects.filter(pk__in=read.row.subjects).order_by("external_id"))
        shown = [one for one in read.given if one.entry is not None] if words else []
        if shown and request.method == "GET":
            read_log.write(
                by=request.principal, now=timezone.now(), purpose=read_log.PAGE, subjects=subjects, query="",
                items=[{"id": one.id, "score": one.score} for one in shown],
            )  # fmt: skip
    told = [(one, bars(one.signals)) for one in read.given]
    context = {
        "section": "recalls", "read": read.row, "given": told, "subjects": subjects, "words": words,
        "may_try": can_do(request.principal, "try_out"),
    }  # fmt: skip
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/recalls/detail.html", context)


def _exists(request: PageRequest, recall_id: uuid.UUID) -> bool:
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        try:
            read_log.find(recall_id=recall_id, by=request.principal)
        except NotFound:
            return False
    return True
