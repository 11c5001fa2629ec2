"""Which pages are there, and who may open each? Found in the URL table, so that a page added later is on every tour.

Every address is asked for as each person: one that answers with a whole document is a page, one that answers 405 takes
forms only, one that answers with something else is a file or a part of a page. What an id in an address may be is
looked up by the name it has there.
"""

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import NoReverseMatch, URLPattern, get_resolver, reverse

from accounts.ids import new_id
from accounts.models import Agent, Membership
from memoryhub.models import (
    Dream,
    Entry,
    ExportArchive,
    Job,
    PolicyVersion,
    Recall,
    ReviewItem,
    Skill,
    Subject,
    Webhook,
)
from memoryhub.models.archive import ArchiveState
from memoryhub.recall.read_log import ANSWERS
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import DreamStatus, JobState, Kind, ReviewState, SkillStatus, Status

#: What no tour can open, and why.
NO_TOUR: Final = {
    "my-memory-enter": "a link that works once",
    "welcome": "a link that works once",
    "no-place": "answers 403 by design: it is for people whom no page is for",
}
TABLES: Final = {"curation.urls": "curation", "accounts.urls": "accounts"}
SENT_ON: Final = (302, 303)  # to a page that has its own place; who is not signed in is sent to sign in
EACH: Final = 8  # examples of one kind that are tried

#: Asks for an address as a person; the status and the text of the answer.
Ask = Callable[[str, str], tuple[int, str]]
Examples = Mapping[str, Sequence[object]]


@dataclass(frozen=True)
class Stop:
    """One page of the tour; `who` opens it, `route` is its address with names for ids."""

    name: str
    address: str
    who: str
    route: str = ""


@dataclass(frozen=True)
class Found:
    """What the table holds: pages to open, and names that have no place (there should be none)."""

    stops: tuple[Stop, ...]
    lost: tuple[str, ...]


def examples_of(organisation: uuid.UUID) -> dict[str, list[object]]:
    """What an address of this organisation may name, by the name it has there; what shows most comes first."""
    with acting_for(system_principal(organisation, "tour"), subjects=ALL_SUBJECTS):
        waiting = ReviewItem.objects.filter(organisation_id=organisation, state=ReviewState.WAITING)
        kinds = [waiting.filter(**{f"{kind}__isnull": False}) for kind in ("skill", "entry", "profile")]
        subjects = Subject.objects.filter(organisation_id=organisation)
        agents = list(Agent.objects.filter(organisation_id=organisation).order_by("created_at"))
        versions = list(
            PolicyVersion.objects.filter(organisation_id=organisation)
            .order_by("-version")
            .values_list("version", flat=True)
        )
        entries = Entry.objects.filter(organisation_id=organisation)
        return {
            "item_id": [item for kind in kinds for item in _ids(kind)],
            "entry_id": _read_of_members(organisation)
            + _ids(entries.filter(status=Status.ACCEPTED))
            + _ids(entries)
            + _ids(entries.filter(kind=Kind.EPISODIC)),
            "skill_id": _first(Skill.objects.filter(organisation_id=organisation), Q(status=SkillStatus.PROPOSED)),
            "recall_id": _first(
                Recall.objects.filter(organisation_id=organisation), Q(purpose="recall") & ~Q(items=[])
            ),
            "dream_id": _first(Dream.objects.filter(organisation_id=organisation), Q(status=DreamStatus.DONE)),
            "person_id": list(
                Membership.objects.filter(organisation_id=organisation)
                .order_by("created_at", "id")
                .values_list("user_id", flat=True)[:EACH]
            ),
            "job_id": _first(Job.objects.filter(organisation_id=organisation), Q(state=JobState.PARKED)),
            "agent_id": [agent.pk for agent in agents],
            "agent": [agent.slug for agent in agents],
            "subject_id": _ids(subjects.filter(entries__status=Status.ACCEPTED).distinct()) + _ids(subjects),
            "batch": list(
                ReviewItem.objects.filter(organisation_id=organisation, batch__isnull=False)
                .values_list("batch", flat=True)
                .distinct()[:EACH]
            ),
            "number": [*versions[:EACH], 0],
            "webhook_id": _ids(Webhook.objects.filter(organisation_id=organisation)),
            "archive_id": _ids(ExportArchive.objects.filter(organisation_id=organisation, state=ArchiveState.READY)),
        }


def find(*, people: Sequence[str], examples: Examples, ask: Ask) -> Found:
    """Go through the tables of URLs and ask for each address as each person, in order, until one may open it."""
    stops, lost = [], []
    for table, app in TABLES.items():
        for pattern in get_resolver(table).url_patterns:
            if not isinstance(pattern, URLPattern) or pattern.name in NO_TOUR:
                continue
            found = _place_of(pattern, f"{app}:{pattern.name}", people=people, examples=examples, ask=ask)
            if isinstance(found, Stop):
                stops.append(found)
            elif found:
                lost.append(found)
    return Found(tuple(stops), tuple(lost))


def _place_of(
    pattern: URLPattern, name: str, *, people: Sequence[str], examples: Examples, ask: Ask
) -> Stop | str | None:
    """The page, None for what is no page, or a sentence that nobody could open it."""
    seen: set[int] = set()
    for address in _addresses(pattern, name, examples):
        for who in people:
            status, text = ask(who, address)
            seen.add(status)
            if status == 405 or (who and status in SENT_ON):
                return None
            if status == 200:
                return (
                    Stop(name, address, who, _route(pattern))
                    if text.lstrip()[:14].lower() == "<!doctype html"
                    else None
                )
    named = ", ".join(pattern.pattern.converters) or "nothing"
    return f"{name}: nobody can open it (answers {sorted(seen)}); it needs an example of {named}, or somebody who may"


def _route(pattern: URLPattern) -> str:
    return "/" + re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern))


def _addresses(pattern: URLPattern, name: str, examples: Examples) -> Iterator[str]:
    """The addresses that the examples make; a made-up one where there is no example, which still tells a form."""
    names = list(pattern.pattern.converters)
    some = [list(examples.get(one, ())) or [new_id(), "nothing", 1] for one in names]
    for values in product(*some):
        try:
            yield reverse(name, kwargs=dict(zip(names, values, strict=True)))
        except NoReverseMatch:  # a made-up one of another kind
            continue


def _read_of_members(organisation: uuid.UUID) -> list[object]:
    """Entries that were given to an agent and are about somebody who signs in, so that they can see who read them."""
    themselves = Membership.objects.filter(organisation_id=organisation).exclude(subject="").values("subject")
    about = Subject.objects.filter(organisation_id=organisation, external_id__in=themselves)
    recalls = Recall.objects.filter(subject__in=about, purpose__in=ANSWERS).exclude(items=[]).order_by("-pk")
    given = {str(item["id"]) for items in recalls.values_list("items", flat=True)[:EACH] for item in items}
    return _ids(Entry.objects.filter(pk__in=given, subject__in=about, status=Status.ACCEPTED))


def _first(rows: QuerySet[Any], wanted: Q) -> list[object]:
    return _ids(rows.filter(wanted)) + _ids(rows)


def _ids(rows: QuerySet[Any]) -> list[object]:
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:EACH])
