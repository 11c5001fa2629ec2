"""Which pages are there, and who may open each? Found in the URL table, so that a page added later is walked by itself.

Every address is asked for as each of the cast: one that answers with HTML is a page, one that answers 405 takes forms
only, one that answers with something else is a file. An id in an address needs an example, by the name it has there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from accounts.models import Agent, User
from memoryhub.models import Dream, Entry, Job, PolicyVersion, Profile, Recall, ReviewItem, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.turns import night, post, refused_in
from tests.factories.visitors import (
    Visitors,
    ask,
    conclude,
    grant_right,
    join,
    offer_profile,
    offer_skill,
    tell,
)

#: What no walk can open, and why.
NO_WALK = {
    "my-memory-enter": "a link that works once; tests/integration/pages/test_my_memory.py opens one",
    "no-place": "answers 403 by design: it is for people whom no page is for",
}
TABLES = ("curation.urls", "accounts.urls")


@dataclass(frozen=True)
class Stop:
    """One page of the walk; `who` is an attribute of the cast, empty for nobody signed in."""

    name: str
    address: str
    who: str


@dataclass(frozen=True)
class Found:
    """What the table holds: pages to walk, and names that have no place (there should be none)."""

    stops: list[Stop]
    lost: list[str]


def cast(visitors: Visitors) -> dict[str, User]:
    """Who walks: a curator, an operator, an auditor, a customer."""
    auditor = User.objects.create_user(f"auditor-{visitors.ground.organisation.slug}@example.org")
    join(visitors.ground, auditor, "auditor")
    return {"curator": visitors.cal, "operator": visitors.olu, "auditor": auditor, "customer": visitors.mira_user}


def fill_in(visitors: Visitors) -> dict[str, list[object]]:
    """Something on every page; examples of everything that an address can name."""
    ground, mira = visitors.ground, visitors.mira
    refused_in(ground, "a", "b", "c")
    post(ground, mira, "I live in Lisbon.", session="d")
    night(ground)
    fact, skill = conclude(ground, mira, "Mira likes window seats."), offer_skill(ground)
    offer_profile(ground, "# Helper\n\nBe brief.")
    tell(ground, mira, "I prefer tea.")
    tell(ground, mira, "My password is plain-harbour-7x.")
    grant_right(ground, mira, "Two free changes a year.")
    ask(visitors)

    def ids(model: Any, **about: Any) -> list[object]:
        rows = model.objects.filter(organisation_id=ground.organisation.pk, **about)
        return [row.pk for row in rows.order_by("pk")[:20]]

    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        groups = list(ReviewItem.objects.exclude(group=None).values_list("group", flat=True)[:1])
        return {
            "item_id": [fact.pk, skill.pk],
            "entry_id": ids(Entry, subject=mira),
            "skill_id": [skill.skill_id, *ids(Skill)],
            "recall_id": ids(Recall, purpose="recall"),
            "dream_id": ids(Dream),
            "job_id": ids(Job),
            "agent_id": ids(Agent),
            "profile_id": ids(Profile),
            "version_id": ids(PolicyVersion),
            "subject_id": [mira.pk],
            "agent": [ground.agent.slug, ground.agent.pk],
            "subject": ["mira", mira.pk],
            "group": groups or [fact.pk],
            "chore": ["expire"],
            "token": ["nothing"],
            "number": [1],
            "version": [1, 0],
        }


def find(people: dict[str, User], examples: dict[str, list[object]]) -> Found:
    """Walk the tables of URLs and ask for each address."""
    clients = {"": Client()}
    for who, person in people.items():
        clients[who] = Client()
        clients[who].force_login(person)
    stops, lost = [], []
    for table in TABLES:
        resolver = get_resolver(table)
        app = resolver.app_name or table.partition(".")[0]
        for pattern in resolver.url_patterns:
            if not isinstance(pattern, URLPattern) or pattern.name in NO_WALK:
                continue
            unknown = set(pattern.pattern.converters) - set(examples)
            if unknown:
                lost.append(f"{pattern.name}: give an example of {sorted(unknown)} in tests/functional/walk.py")
                continue
            stop = _place_of(pattern, f"{app}:{pattern.name}", examples, clients)
            if isinstance(stop, Stop):
                stops.append(stop)
            elif stop:
                lost.append(stop)
    return Found(stops, lost)


def _place_of(
    pattern: URLPattern, name: str, examples: dict[str, list[object]], clients: dict[str, Client]
) -> Stop | str | None:
    """The page, None for what is no page, or in words that nobody of the cast could open it."""
    seen = set()
    for address in _addresses(pattern, name, examples):
        for who, client in clients.items():
            response = client.get(address)
            seen.add(response.status_code)
            if response.status_code == 405:
                return None
            if response.status_code == 200:
                return Stop(name, address, who) if response["Content-Type"].startswith("text/html") else None
    return None if seen == {302} else f"{name}: nobody of the cast can open it, it answers {sorted(seen)}"


def _addresses(pattern: URLPattern, name: str, examples: dict[str, list[object]]) -> Iterator[str]:
    names = list(pattern.pattern.converters)
    for values in product(*(examples[one] for one in names)):
        try:
            yield reverse(name, kwargs=dict(zip(names, values, strict=True)))
        except Exception:  # an example of another kind under the same name
            continue
