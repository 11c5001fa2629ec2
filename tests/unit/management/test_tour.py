"""Does the tour find every page, say which it can't open, and what it lacks?"""

import pytest

from memoryhub.errors import Invalid
from memoryhub.management import pictures, tour
from memoryhub.management.commands.tour import document, with_nothing
from memoryhub.management.pictures import Shown
from memoryhub.management.tour import Stop

PAGE = "\n<!DOCTYPE html><html>"


def answers(status: int = 200, text: str = PAGE, **by_person: int):
    return lambda who, _: (by_person.get(who, status), text)


def names(stops: tuple[Stop, ...]) -> set[str]:
    return {stop.name for stop in stops}


def test_what_opens_as_a_document_is_a_page_and_is_shown_as_the_first_who_may_open_it() -> None:
    found = tour.find(people=["", "cal", "olu"], examples={}, ask=answers(302, cal=403, olu=200))
    assert found.lost == ()
    assert {"curation:dashboard", "curation:queue-item", "accounts:sign-in"} <= names(found.stops)
    assert {stop.who for stop in found.stops} == {"olu"}
    assert not names(found.stops) & {f"curation:{name}" for name in tour.NO_TOUR}


def test_forms_files_parts_and_what_sends_everybody_on_are_no_pages() -> None:
    for ask in (answers(405), answers(200, "<p>a part</p>"), answers(200, ""), answers(302)):
        assert tour.find(people=["cal"], examples={}, ask=ask) == tour.Found((), ())


def test_what_nobody_can_open_is_said_with_what_it_needs() -> None:
    found = tour.find(people=["cal"], examples={}, ask=answers(404))
    assert found.stops == ()
    (line,) = [line for line in found.lost if line.startswith("curation:queue-item:")]
    assert "needs an example of item_id" in line


def test_an_example_that_shows_nothing_gives_way_to_the_next() -> None:
    ids = ["0192f0c8-0000-7000-8000-000000000001", "0192f0c8-0000-7000-8000-000000000002"]
    found = tour.find(
        people=["cal"], examples={"dream_id": ids},
        ask=lambda _, address: (200 if address.endswith("2/") else 404, PAGE),
    )  # fmt: skip
    (stop,) = [stop for stop in found.stops if stop.name == "curation:dream-detail"]
    assert (stop.address, stop.route) == (f"/dreams/{ids[1]}/", "/dreams/<dream_id>/")


def test_without_playwright_or_a_browser_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures.shutil, "which", lambda _: None)
    with pytest.raises(Invalid, match="apt-get install chromium"), pictures.browser():
        pass
    monkeypatch.setattr(pictures, "sync_playwright", None)
    with pytest.raises(Invalid, match="pip install playwright"), pictures.browser():
        pass


def test_the_document_shows_each_page_under_the_part_it_belongs_to() -> None:
    looks = {look.name: b"" for look in pictures.LOOKS}
    shown = [
        Shown(Stop("curation:queue-list", "/queue/", "cal", "/queue/"), "Queue", "What waits.", looks),
        Shown(Stop("curation:queue-item", "/queue/7/", "cal", "/queue/<item_id>/"), "A claim", "", looks),
        Shown(Stop("curation:health", "/health/", "olu", "/health/"), "Health", "", looks),
    ]
    drawn = document(shown)
    assert drawn.count("## ") == 2
    assert "**Queue** (`/queue/`). What waits." in drawn
    assert '<img src="tour/queue-item-phone.webp" width="160" alt="queue-item, phone">' in drawn


def test_pages_with_nothing_on_them_have_a_part_of_their_own_if_anybody_looked() -> None:
    bare = Shown(Stop("curation:audit", "/audit/", "aud", "/audit/"), "Audit", "", {"empty": b""})
    assert with_nothing([]) == ""
    assert '<img src="tour/audit-empty.webp" width="300" alt="Audit, empty">' in with_nothing([bare])
