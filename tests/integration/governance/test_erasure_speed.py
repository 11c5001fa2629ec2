"""How long does it take to forget somebody of whom very much is known? Printed, and held far above the goal of 10 s."""

import time
from datetime import timedelta

import pytest

from memoryhub.governance import erasure, receipts
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Role
from tests.factories.ground import NOW, Ground, make_ground

FACTS, DERIVED = 2000, 500


@pytest.mark.long
@pytest.mark.usefixtures("committed_db")
def test_somebody_of_two_thousand_entries_and_five_hundred_made_of_them() -> None:
    ground = make_ground()
    asha = ground.subject("asha")
    known = [
        _told(ground, asha, f"I own a boat called {_name(number)}", now=NOW + timedelta(seconds=number))
        for number in range(FACTS)
    ]
    for number in range(DERIVED):
        told = {"channel": Channel.DREAM, "role": Role.DREAMER, "kind": Kind.EPISODIC}
        _told(
            ground, asha, f"2026-11-30: {_name(number)} and {_name(number + 1)} were named.",
            category=Category.EPISODE_OUTCOME, derived_from=(known[number], known[number + 1]), **told,
        )  # fmt: skip
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        assert Entry.objects.count() == FACTS + DERIVED
    began = time.monotonic()
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        receipt = erasure.erase_subject(subject=asha, by=ground.as_agent, now=NOW)
    took = time.monotonic() - began  # with all that the database checks when it is committed
    print(f"\n{FACTS} entries and {DERIVED} made of them forgotten in {took:.2f} s")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        assert (receipt.removed["entries"], receipts.left_of(asha)) == (FACTS + DERIVED, 0)
    assert took < 60


def _told(ground: Ground, subject: Subject, text: str, *, now=NOW, **wishes: object) -> Entry:
    offered = {"channel": Channel.USER_MESSAGE, "role": Role.CUSTOMER, **wishes}
    proposal = Proposal(subject=subject, text=text, **offered)  # type: ignore[arg-type]
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        (result,) = propose(proposal=proposal, by=ground.as_agent, now=now).results
    assert result.entry is not None, result
    return result.entry


def _name(number: int) -> str:
    """Names that are no near duplicates of one another."""
    letters = "bdfgklmnprstvz"
    first, rest = divmod(number, 14 * 14)
    second, third = divmod(rest, 14)
    return f"{letters[first % 14].upper()}a{letters[second]}o{letters[third]}i"
