"""Working memory of one session: bounded, redacted, gone with it (R50)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from memoryhub import conf, jobs
from memoryhub.errors import Invalid, NotFound
from memoryhub.models import Job, Offload, Session, Subject, Turn
from memoryhub.tenancy import acting_for
from memoryhub.working import hours
from memoryhub.working import session as working
from memoryhub.working.redaction import redact
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of, post

pytestmark = pytest.mark.django_db
SECRET = "ghp_" + "Zq8" * 12


@pytest.fixture
def ground() -> Ground:
    return make_ground()


@pytest.fixture
def guest(ground: Ground) -> Subject:
    return ground.subject()


@pytest.fixture
def session(ground: Ground, guest: Subject) -> Iterator[Session]:
    with acting_for(ground.as_agent, subjects=[guest.pk]):
        yield working.open_session(agent=ground.agent, external_id="visit", subject=guest, by=ground.as_agent, now=NOW)


def say(session: Session, words: str, **state: object) -> Turn:
    number = Turn.objects.filter(session=session).count() + 1
    return working.record_turn(
        session=session, event_ref=f"e-{number}", said=redact(words), answered=redact(f"answer {number}"), withheld=False,
        occurred_at=NOW, state=working.state_of(state), now=NOW,
    )  # fmt: skip


def shown(session: Session) -> dict[str, object]:
    return working.show(working.find(external_id="visit", agent=session.agent), now=NOW)


def test_the_last_six_turns_are_kept_whole_and_older_ones_shorter(session: Session) -> None:
    long = "a word " * 60
    for number in range(1, 10):
        say(session, f"{number} {long}")
    answer = shown(session)
    history = answer["history"]
    assert isinstance(history, list)
    assert [turn["turn"] for turn in history] == [4, 5, 6, 7, 8, 9]
    assert history[0]["user_input"].startswith("4 a word")
    lines = str(answer["summary"]).splitlines()
    assert [line[:7] for line in lines] == ["turn 1:", "turn 2:", "turn 3:"]
    assert all(len(line) < len(long) for line in lines)
    assert not Turn.objects.filter(number__lte=3).exclude(user_input="").exists()


def test_what_was_compacted_does_not_come_back_empty_when_a_later_turn_is_erased(session: Session) -> None:
    for number in range(1, 8):
        say(session, f"{number} is said")
    Turn.objects.filter(session=session, number=7).delete()
    history = shown(session)["history"]
    assert isinstance(history, list)
    assert [turn["turn"] for turn in history] == [2, 3, 4, 5, 6]


def test_what_is_compacted_has_a_bound(session: Session) -> None:
    for number in range(60):
        say(session, f"{number} " + "a word " * 60)
    session.refresh_from_db()
    assert len(session.compacted) <= conf.COMPACTED_CHARACTERS
    assert session.compacted.splitlines()[-1].startswith("turn 54:")


def test_state_is_merged_unpinned_by_null_and_redacted(session: Session) -> None:
    say(session, "hello", room="12", guest="verified")
    say(session, "hello", room="14", note=SECRET)
    assert SECRET not in str(shown(session)["state"])
    working.set_state(session=session, values={"room": None}, now=NOW)
    state = shown(session)["state"]
    assert isinstance(state, dict)
    assert "room" not in state
    assert state["guest"] == "verified"


@pytest.mark.parametrize(
    "values", [{f"k{n}": 1 for n in range(conf.STATE_KEYS + 1)}, {"k": "x" * 600}, {"k" * 101: 1}, {" ": 1}]
)
def test_state_is_a_handful_of_small_values(session: Session, values: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        working.set_state(session=session, values=values, now=NOW)


def test_the_current_turn_gathers_and_is_bounded(session: Session) -> None:
    for _ in range(2):
        working.add_to_current(session=session, actions=[{"tool": "get_room", "detail": SECRET}], now=NOW)
    current = shown(session)["current_turn"]
    assert isinstance(current, dict)
    assert [len(current["actions"]), len(current["observations"])] == [2, 0]
    assert SECRET not in str(current)
    with pytest.raises(Invalid):
        working.add_to_current(session=session, observations=[{}] * (conf.CURRENT_ITEMS + 1), now=NOW)


def test_a_passage_is_fetched_by_its_handle_in_its_session_alone(
    ground: Ground, guest: Subject, session: Session
) -> None:
    passage = working.offload(session=session, text=f"page one, {SECRET}", now=NOW)
    assert working.fetch(session=session, handle=str(passage.pk), now=NOW).text.startswith("page one, ")
    assert SECRET not in passage.text
    other = working.open_session(agent=ground.agent, external_id="other", subject=guest, by=ground.as_agent, now=NOW)
    for handle in (str(passage.pk), "no-handle", ""):
        with pytest.raises(NotFound):
            working.fetch(session=other, handle=handle, now=NOW)


def test_a_session_has_a_number_of_passages(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "OFFLOADS", 1)
    working.offload(session=session, text="one", now=NOW)
    with pytest.raises(Invalid):
        working.offload(session=session, text="two", now=NOW)


def test_ending_a_session_leaves_nothing_of_it(session: Session) -> None:
    say(session, "hello", room="12")
    working.offload(session=session, text="one", now=NOW)
    working.end(session=session, now=NOW)
    answer = shown(session)
    assert (answer["history"], answer["state"], answer["offloaded"], answer["summary"]) == ([], {}, [], "")
    assert answer["ended_at"] == NOW
    assert not Turn.objects.exists()
    assert not Offload.objects.exists()


def test_after_its_hours_nothing_is_shown_and_a_new_turn_begins_anew(ground: Ground, guest: Subject) -> None:
    post(ground, guest, "hello")
    later = NOW + conf.SESSION_LIFETIME + timedelta(minutes=1)
    with all_of(ground):
        session = working.find(external_id="visit")
        assert working.show(session, now=later)["history"] == []
    post(ground, guest, "hello again", now=later)
    with all_of(ground):
        history = working.show(working.find(external_id="visit"), now=later)["history"]
    assert [turn["user_input"] for turn in history] == ["hello again"]


def test_each_turn_gives_it_more_hours(session: Session) -> None:
    working.set_state(session=session, values={"room": "12"}, now=NOW + timedelta(hours=20))
    session.refresh_from_db()
    assert session.expires_at == NOW + timedelta(hours=20) + conf.SESSION_LIFETIME


def test_another_agents_session_of_the_same_name_is_another_session(ground: Ground, session: Session) -> None:
    other = make_ground()
    post(other, other.subject(), "mine", session="visit")
    say(session, "hers")
    history = shown(session)["history"]
    assert isinstance(history, list)
    assert [turn["user_input"] for turn in history] == ["hers"]
    with pytest.raises(NotFound):
        working.find(external_id="visit", agent=other.agent)


def test_clearing_looks_only_at_what_is_over(ground: Ground, guest: Subject) -> None:
    post(ground, guest, "hello", session="over")
    post(ground, guest, "hello", session="running", now=NOW + timedelta(hours=20))
    with all_of(ground):
        assert hours.forget_expired(now=NOW + timedelta(hours=30)) == 1
        assert [turn.session.external_id for turn in Turn.objects.all()] == ["running"]
        assert hours.forget_expired(now=NOW + timedelta(hours=30)) == 0


class TestOnceItIsOver:
    """Nothing said before comes back, whatever is asked of the session."""

    LATER = NOW + conf.SESSION_LIFETIME + timedelta(days=2)

    def test_a_write_begins_it_anew(self, session: Session) -> None:
        say(session, "hello", room="12")
        passage = working.offload(session=session, text="a manual", now=NOW)
        working.set_state(session=session, values={"guest": "verified"}, now=self.LATER)
        answer = working.show(working.find(external_id="visit"), now=self.LATER)
        assert (answer["history"], answer["state"], answer["offloaded"]) == ([], {"guest": "verified"}, [])
        with pytest.raises(NotFound):
            working.fetch(session=session, handle=str(passage.pk), now=self.LATER)

    def test_a_passage_is_not_fetched_although_nothing_cleared_it_yet(self, session: Session) -> None:
        passage = working.offload(session=session, text="a manual", now=NOW)
        with pytest.raises(NotFound):
            working.fetch(session=session, handle=str(passage.pk), now=self.LATER)

    def test_what_is_added_after_its_end_lives_its_hours_and_no_longer(self, session: Session) -> None:
        working.end(session=session, now=NOW)
        working.offload(session=session, text="late", now=NOW)
        working.add_to_current(session=session, observations=[{"kind": "late"}], now=NOW)
        assert hours.forget_expired(now=self.LATER) == 1
        assert not Offload.objects.exists()


def test_its_words_are_removed_in_time_where_no_dream_runs(ground: Ground, guest: Subject) -> None:
    post(ground, guest, "hello", session="over")
    post(ground, guest, "hello", session="running", now=NOW + timedelta(hours=20))
    with all_of(ground):
        (job,) = Job.objects.filter(kind=hours.JOB)
    assert job.run_after == NOW + conf.SESSION_LIFETIME
    claim = jobs.Claim(job.pk, ground.organisation.pk, hours.JOB, {}, 1)
    with time_machine.travel(NOW + timedelta(hours=25), tick=False), all_of(ground):
        Job.objects.filter(pk=job.pk).delete()
        hours.run_job(claim)
        assert [turn.session.external_id for turn in Turn.objects.all()] == ["running"]
        (following,) = Job.objects.filter(kind=hours.JOB)
        assert following.run_after == NOW + timedelta(hours=20) + conf.SESSION_LIFETIME
