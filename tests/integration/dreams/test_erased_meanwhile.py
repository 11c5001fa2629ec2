"""Somebody is forgotten while a dream reads their turns, or by two at once: the end is as if they had been forgotten
before, and nothing returns (R75, R91)."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from memoryhub import conf
from memoryhub.dreams import lessons, summaries
from memoryhub.errors import NotFound
from memoryhub.governance import erasure
from memoryhub.models import DreamOperation, Entry, Event, Session, Skill, SkillEvidence, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.working import session as working
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import action, all_of, night, post, refused_in

pytestmark = pytest.mark.usefixtures("committed_db")

LATER = NOW + timedelta(hours=1)


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):  # around all threads of a test
        yield


class Elsewhere:
    """A call in a thread with a connection of its own."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._run, args=(call,))
        self._thread.start()

    def _run(self, call: Callable[[], object]) -> None:
        try:
            call()
        except Exception as error:  # told where it is joined
            self.error = error
        finally:
            connection.close()

    def join(self) -> Exception | None:
        self._thread.join(60)
        assert not self._thread.is_alive()
        return self.error


def forget(ground: Ground, subject: Subject) -> None:
    with all_of(ground):
        erasure.erase_subject(subject=subject, by=ground.as_operator, now=LATER)


def left(ground: Ground, subject: Subject) -> dict[str, int]:
    with all_of(ground):
        counts = {
            model.__name__: model.objects.filter(subject=subject).count()
            for model in (Entry, Event, Session, SkillEvidence, DreamOperation)
        }
    return {name: count for name, count in counts.items() if count}


def test_whoever_is_forgotten_before_their_session_is_taken_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = make_ground()
    guest, other = ground.subject("guest"), ground.subject("other")
    for who in (guest, other):
        post(ground, who, "I prefer the quiet floor.", session=f"of-{who.external_id}", actions=[action("book_room")])
    genuine: Any = summaries.proposed
    began = []

    def proposed(session_id: Any, **options: Any) -> Any:
        told = genuine(session_id, **options)
        if not began:
            began.append(Elsewhere(lambda: forget(ground, guest)))
            assert began[0].join() is None
        return told

    monkeypatch.setattr(summaries, "proposed", proposed)
    night(ground)
    assert left(ground, guest) == {}
    assert left(ground, other)["Entry"] == 2


def test_whoever_is_forgotten_while_their_session_is_summed_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = make_ground()
    guest = ground.subject("guest")
    post(ground, guest, "I prefer the quiet floor.", actions=[action("book_room")])
    genuine: Any = summaries.summarise
    began = []

    def summarise(**options: Any) -> Any:
        began.append(Elsewhere(lambda: forget(ground, guest)))  # waits until the session is through
        return genuine(**options)

    monkeypatch.setattr(summaries, "summarise", summarise)
    night(ground)
    assert began[0].join() is None
    assert left(ground, guest) == {}
    night(ground)
    assert left(ground, guest) == {}


def test_a_lesson_is_not_learnt_from_somebody_who_is_being_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = make_ground()
    refused_in(ground, *[f"stay-{number}" for number in range(conf.LESSON_SESSIONS)])
    with all_of(ground):
        guest = Subject.objects.get(external_id="guest-of-stay-1")
    genuine: Any = lessons.draft
    began = []

    def draft(*arguments: Any, **options: Any) -> Any:  # the turns were read, nothing is written yet
        began.append(Elsewhere(lambda: forget(ground, guest)))
        began[0]._thread.join(0.5)
        return genuine(*arguments, **options)

    monkeypatch.setattr(lessons, "draft", draft)
    night(ground)
    assert began[0].join() is None
    assert left(ground, guest) == {}
    with all_of(ground):
        assert Skill.objects.count() == 0  # two sessions are no lesson


def test_of_two_who_forget_the_same_at_once_one_hears_that_it_is_done() -> None:
    ground = make_ground()
    guest = ground.subject("guest")
    post(ground, guest, "I prefer the quiet floor.")
    with all_of(ground):
        entry = Entry.objects.select_related("subject").get()

    def one() -> None:
        with all_of(ground):
            erasure.erase_entry(entry=entry, by=ground.as_operator, now=LATER)

    tabs = [Elsewhere(one) for _ in range(4)]
    errors = [tab.join() for tab in tabs]
    assert [type(error) for error in errors if error is not None] == [NotFound] * 3
    assert left(ground, guest) == {"Session": 1}


def test_what_is_pinned_while_somebody_is_forgotten_does_not_stay() -> None:
    ground = make_ground()
    guest = ground.subject("guest")
    post(ground, guest, "I prefer the quiet floor.")

    def pin() -> None:
        for number in range(20):
            try:
                with all_of(ground):
                    session = working.find(external_id="visit", agent=ground.agent)
                    working.offload(session=session, text=f"A page, number {number}", now=NOW)
                    working.set_state(session=session, values={"floor": "quiet"}, now=NOW)
            except NotFound:
                return

    pinning = Elsewhere(pin)
    forget(ground, guest)
    assert pinning.join() is None
    assert left(ground, guest) == {}
