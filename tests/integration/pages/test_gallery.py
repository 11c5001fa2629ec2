"""The gallery: is every state of every component there, and nothing of the organisation?"""

from curation.refusals import HEADINGS
from tests.factories.visitors import Visitors, tell
from tests.integration.pages.conftest import SignedIn

STATES = ("Nothing waits.", "Nothing fits these filters.", "The rows are on their way.", 'aria-busy="true"',
          'aria-invalid="true"', "disabled", "popover", "late",
          "Somebody decided this first", "Changed by dee@example.org", "It changed since you opened it.")  # fmt: skip


def test_every_empty_loading_error_and_conflict_state_is_shown(visitors: Visitors, signed_in: SignedIn) -> None:
    page = signed_in(visitors.cal).get("/gallery/").content.decode()
    assert [state for state in STATES if state not in page] == []
    assert [heading for heading in HEADINGS.values() if heading not in page] == []


def test_it_shows_staff_made_up_things_and_customers_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    assert "Lisbon" not in signed_in(visitors.cal).get("/gallery/").content.decode()
    assert signed_in(visitors.mira_user).get("/gallery/").status_code == 403
