"""Which pages may a visitor open, and where do they stand in the navigation? One line of PLACES for each page.

A page says by `section` in its context which line it belongs to; its subpages name the same one. Somebody who is only
a customer has no navigation: their one page is all there is to open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from memoryhub.permissions import can_do
from memoryhub.tenancy import Principal

WORK, MEMORY, RUNNING, RULES, YOU = "Work", "Memory", "Running", "Rules", "You"


@dataclass(frozen=True)
class Place:
    """One line of the table: `action` of permissions.ACTIONS opens it."""

    group: str
    name: str
    label: str
    view: str
    action: str


@dataclass(frozen=True)
class Page:
    """One entry of somebody's navigation."""

    name: str
    label: str
    url: str
    group: str = ""


@dataclass(frozen=True)
class Group:
    """What stands under one heading, in order."""

    label: str
    pages: tuple[Page, ...]


# fmt: off
PLACES: Final = (
    Place(WORK, "dashboard", "Dashboard", "dashboard", "read_figures"),
    Place(WORK, "queue", "Queue", "queue-list", "read_queue"),
    Place(WORK, "decisions", "Decisions", "decision-list", "read_queue"),
    Place(MEMORY, "memories", "Memories", "memory-list", "read_queue"),
    Place(MEMORY, "subjects", "Subjects", "subject-list", "read_queue"),
    Place(MEMORY, "skills", "Skills", "skill-list", "read_queue"),
    Place(MEMORY, "recalls", "Recalls", "recall-list", "read_recall"),
    Place(MEMORY, "playground", "Playground", "playground", "try_out"),
    Place(RUNNING, "dreams", "Dreams", "dream-list", "read_dreams"),
    Place(RUNNING, "upkeep", "Upkeep", "upkeep", "read_dreams"),
    Place(RUNNING, "jobs", "Jobs", "job-list", "read_dreams"),
    Place(RUNNING, "webhooks", "Webhooks", "webhook-list", "set_webhooks"),
    Place(RUNNING, "health", "Health", "health", "read_dreams"),
    Place(RULES, "agents", "Agents", "agent-list", "read_agents"),
    Place(RULES, "policy", "Policy", "policy", "read_policy"),
    Place(RULES, "members", "Members", "member-list", "read_members"),
    Place(RULES, "roles", "Roles", "role-list", "read_roles"),
    Place(RULES, "audit", "Audit", "audit", "read_audit"),
    Place(YOU, "preferences", "Preferences", "preferences", "read_figures"),
)
# fmt: on


def pages_of(principal: Principal, *, subject: str) -> tuple[Page, ...]:
    """What `principal` may open, in order; their own page last, if they are somebody who is remembered."""
    found = [
        Page(place.name, place.label, reverse(f"curation:{place.view}"), place.group)
        for place in PLACES
        if can_do(principal, place.action)
    ]
    if principal.user is not None:
        found.append(Page("account", "Your account", reverse("curation:account"), YOU))
    if subject:
        found.append(Page("mine", "What I remember about you", reverse("curation:my-memory"), YOU))
    return tuple(found)


def may_open(principal: Principal, view: str) -> bool:
    """Whether a link to `view` ("memory-item", "queue-list") leads `principal` to a page and not to a refusal. A
    subpage is opened by what opens its list: they are named alike. What is in no navigation is open to nobody here.
    """
    stem = view.removeprefix("curation:").partition("-")[0]
    return any(can_do(principal, place.action) for place in PLACES if place.view.partition("-")[0] == stem)


def grouped(pages: tuple[Page, ...]) -> Iterator[Group]:
    """The same pages under their headings; nothing for somebody who is only a customer."""
    if all(page.group == YOU for page in pages):
        return
    for label in dict.fromkeys(page.group for page in pages):
        yield Group(label, tuple(page for page in pages if page.group == label))
