"""What stands on the pages when a test walks them, and who walks (memoryhub/management/tour.py finds the pages)."""

from django.test import Client
from django.utils import timezone

from accounts.models import User
from memoryhub.governance import bulk, webhooks
from memoryhub.management import tour
from memoryhub.management.tour import Found, examples_of
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Kind, Role
from tests.factories.turns import night, post, refused_in
from tests.factories.visitors import Visitors, conclude, grant_right, join, offer_profile, offer_skill, packed, tell
from tests.factories.visitors import ask as ask_about


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
    conclude(ground, mira, "Mira likes window seats.")
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        webhooks.add(
            url="https://crm.example/memory", kinds=["memory.erased", "memory.queued"], agent="helper",
            by=ground.as_operator, now=timezone.now(),
        )  # fmt: skip
    decided = [conclude(ground, mira, text) for text in ("Mira likes blue.", "Mira walks to work.")]
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        bulk.decide(
            ids=[item.pk for item in decided], verb="reject", reason="It is not true", by=ground.as_cal,
            now=timezone.now(),
        )  # fmt: skip
    offer_skill(ground)
    offer_profile(ground, "# Helper\n\nBe brief.")
    tell(ground, mira, "I prefer tea.")
    tell(ground, mira, "My password is plain-harbour-7x.")
    grant_right(ground, mira, "Two free changes a year.")
    tell(
        ground, mira, "2026-11-02: changed a booking.", channel=Channel.DREAM, role=Role.DREAMER, kind=Kind.EPISODIC,
        session_ref="d",
    )  # fmt: skip
    ask_about(visitors)
    packed(visitors)
    return examples_of(ground.organisation.pk)


def find(people: dict[str, User], examples: dict[str, list[object]]) -> Found:
    """Go through the tables of URLs and ask for each address, nobody signed in first."""
    clients = {"": Client()}
    for who, person in people.items():
        clients[who] = Client()
        clients[who].force_login(person)

    def ask(who: str, address: str) -> tuple[int, str]:
        response = clients[who].get(address)
        whole = response.headers.get("Content-Type", "").startswith("text/html")
        return response.status_code, response.content.decode() if whole else ""

    return tour.find(people=list(clients), examples=examples, ask=ask)
