"""Who used it: real recalls by agents and looks by staff are told, both plainly, and nothing else."""

from django.utils import timezone

from memoryhub.management.tour import examples_of
from memoryhub.models import Entry
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.visitors import Visitors, ask, make_visitors, tell
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import cards_of, page_of, words_of


def city_of(visitors: Visitors) -> Entry:
    (entry,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    return entry


def note(visitors: Visitors, entry: Entry, purpose: str, *subjects: str) -> None:
    """A read of the entry in the log, about Mira or about these."""
    by = visitors.ground.as_hub
    with acting_for(by, subjects=ALL_SUBJECTS):
        about = [visitors.ground.subject(name) for name in subjects] or [visitors.mira]
        read_log.write(
            by=by,
            now=timezone.now(),
            purpose=purpose,
            subjects=about,
            query="",
            items=[{"id": str(entry.pk), "score": 1}],
        )


def test_what_nobody_used_says_so(visitors: Visitors, signed_in: SignedIn) -> None:
    city_of(visitors)
    assert "Nobody has used it yet." in words_of(page_of(signed_in(visitors.mira_user)))


def test_an_agent_is_named_with_the_day_and_looking_at_the_own_page_is_no_use(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    city_of(visitors)
    ask(visitors)
    client = signed_in(visitors.mira_user)
    for _ in range(2):
        (card,) = cards_of(page_of(client))
        assert card.count(f"Helper was given it on {timezone.now():%-d %B %Y}.") == 1
        assert "looked at it" not in card


def test_a_look_by_staff_is_told_also_from_a_list_of_several_people(visitors: Visitors, signed_in: SignedIn) -> None:
    city = city_of(visitors)
    signed_in(visitors.cal).get(f"/memories/{city.pk}/")
    note(visitors, city, read_log.PAGE, "noor", "mira")
    (card,) = cards_of(page_of(signed_in(visitors.mira_user)))
    assert card.count("One of our people looked at it") == 2


def test_a_measurement_is_no_use(visitors: Visitors, signed_in: SignedIn) -> None:
    note(visitors, city_of(visitors), "bench")
    assert "Nobody has used it yet." in words_of(page_of(signed_in(visitors.mira_user)))


def test_five_stand_on_the_page_and_all_in_the_log(visitors: Visitors, signed_in: SignedIn) -> None:
    city = city_of(visitors)
    for _ in range(7):
        note(visitors, city, "recall")
    client = signed_in(visitors.mira_user)
    (card,) = cards_of(page_of(client))
    assert card.count("was given it on") == 5
    assert words_of(page_of(client, f"/me/memories/{city.pk}/reads/")).count("was given it on") == 7


def test_another_person_s_log_is_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    (theirs,) = tell(visitors.ground, visitors.ground.subject("noor"), "I live in Faro.")
    client = signed_in(visitors.mira_user)
    for entry in (theirs, city_of(make_visitors())):
        assert client.get(f"/me/memories/{entry.pk}/reads/").status_code == 404
    assert signed_in(visitors.cal).get(f"/me/memories/{theirs.pk}/reads/").status_code == 403


def test_a_tour_opens_the_log_of_something_that_was_read(visitors: Visitors) -> None:
    read = city_of(visitors)
    note(visitors, read, "recall")
    for number in range(9):
        tell(visitors.ground, visitors.ground.subject("noor"), f"My locker is number {number}.")
    assert next(iter(examples_of(visitors.ground.organisation.pk)["entry_id"])) == read.pk
