"""What is given for a question: filters before ranking, the bar, budgets, time, the read log (R30–R38)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import sealing
from memoryhub.governance.checked_recall import recall
from memoryhub.governance.intake import Outcome, Proposal, propose
from memoryhub.governance.subjects import describe, readable
from memoryhub.models import AuditEvent, Entry, Recall, Subject
from memoryhub.recall import read_log
from memoryhub.recall.search import Query, Recalled
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role
from tests.factories.ground import NOW, Ground, make_ground

Tell = Callable[..., Outcome]
Ask = Callable[..., Recalled]


@pytest.fixture
def ground(db: None) -> Ground:
    return make_ground()


@pytest.fixture
def asha(ground: Ground) -> Subject:
    return ground.subject("asha")


@pytest.fixture
def tell(ground: Ground, asha: Subject) -> Tell:
    def offer(text: str, *, subject: Subject | None = None, **wishes: object) -> Outcome:
        now = wishes.pop("now", NOW)
        about = subject or asha
        proposal = Proposal(
            subject=about, text=text, channel=wishes.pop("channel", Channel.USER_MESSAGE),  # type: ignore[arg-type]
            role=wishes.pop("role", Role.CUSTOMER), **wishes,  # type: ignore[arg-type]
        )  # fmt: skip
        with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
            return propose(proposal=proposal, by=ground.as_agent, now=now)  # type: ignore[arg-type]

    return offer


@pytest.fixture
def ask(ground: Ground, asha: Subject) -> Ask:
    def question(text: str, *, subjects: tuple[Subject, ...] | None = None, **limits: object) -> Recalled:
        about = (asha,) if subjects is None else subjects
        now = limits.pop("now", NOW)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            within = [one for subject in about for one in readable(subject)]
        with acting_for(ground.as_agent, subjects=within):
            return recall(query=Query(subjects=about, text=text, **limits), by=ground.as_agent, now=now)  # type: ignore[arg-type]

    return question


def words(answer: Recalled) -> list[str]:
    return [item.note.text for item in answer.items]


def test_a_fact_is_found_by_its_meaning(tell: Tell, ask: Ask) -> None:
    tell("I moved to Lisbon")
    tell("I prefer tea")
    assert words(ask("Which city should the parcel go to?"))[0] == "I moved to Lisbon"


def test_a_fact_is_found_by_the_words_its_key_is_asked_for_by(tell: Tell, ask: Ask) -> None:
    for said in ("I moved to Lisbon", "My plan is the yearly one", "My phone number is 030 5557 2210"):
        tell(said)
    for question, answer in (
        ("Where does she live?", "I moved to Lisbon"),
        ("home town", "I moved to Lisbon"),
        ("Which subscription?", "My plan is the yearly one"),
        ("How can I ring them?", "My phone number is 030 5557 2210"),
    ):
        assert words(ask(question))[0] == answer


def test_an_order_number_is_found_exactly(tell: Tell, ask: Ask, ground: Ground) -> None:
    for number in (88121, 88122, 88123):
        tell(f"Order {number} arrived broken", channel=Channel.CURATOR, role=Role.CURATOR)
    answer = ask("what about order 88122?")
    assert words(answer)[0] == "Order 88122 arrived broken"
    assert answer.items[0].signals.relevance == 1.0


def test_nothing_that_fits_is_said_and_logged(tell: Tell, ask: Ask, ground: Ground) -> None:
    tell("I prefer tea")
    answer = ask("What is the boiling point of tungsten?")
    assert (answer.nothing_found, answer.items, answer.looked_for) == (
        True,
        (),
        "What is the boiling point of tungsten?",
    )
    assert "Nothing was found" in answer.rendered
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Recall.objects.get().items == []


def test_the_bar_can_be_switched_off(tell: Tell, ask: Ask) -> None:
    tell("I prefer tea")
    assert words(ask("What is the boiling point of tungsten?", min_relevance=0)) == ["I prefer tea"]


def test_a_superseded_fact_is_never_given_for_now_but_for_then(tell: Tell, ask: Ask) -> None:
    tell("I live in Lisbon", now=NOW - timedelta(days=30), said_at=NOW - timedelta(days=30))
    tell("I live in Porto")
    assert words(ask("where does the person live?", now=NOW + timedelta(hours=1))) == ["I live in Porto"]
    assert words(ask("where does the person live?", valid_at=NOW - timedelta(days=9))) == ["I live in Lisbon"]
    assert words(ask("where does the person live?", as_of=NOW - timedelta(days=9))) == ["I live in Lisbon"]


def test_an_expired_fact_is_given_up_to_its_last_second(tell: Tell, ask: Ask) -> None:
    ends = NOW + timedelta(days=2)
    tell("I prefer tea", expires_at=ends)
    assert words(ask("what does the person drink? tea?", now=ends - timedelta(seconds=1))) == ["I prefer tea"]
    assert words(ask("what does the person drink? tea?", now=ends)) == []


def test_another_person_s_fact_is_out_of_reach_whatever_is_asked(tell: Tell, ask: Ask, ground: Ground) -> None:
    tell("I prefer tea")
    stranger = ground.subject("ben")
    for limits in ({}, {"min_relevance": 0}, {"scopes": ("subject", "account", "team", "organisation")}):
        assert words(ask("tea?", subjects=(stranger,), **limits)) == []


def test_a_member_reads_what_their_project_knows_and_a_stranger_does_not(
    tell: Tell, ask: Ask, ground: Ground, asha: Subject
) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        project, _ = describe(external_id="atlas", kind="project", members=["asha"], by=ground.as_hub, now=NOW)
    tell("We use tabs, not spaces", subject=project, speaker=asha)
    assert words(ask("tabs or spaces?")) == ["We use tabs, not spaces"]
    assert words(ask("tabs or spaces?", scopes=("subject",))) == []
    assert words(ask("tabs or spaces?", subjects=(ground.subject("ben"),))) == []


def test_who_said_it_is_named_and_counts_also_where_only_the_project_is_read(
    tell: Tell, ask: Ask, ground: Ground
) -> None:
    relaunch = ground.subject("relaunch", "project")
    for name, colour in (("Ilse", "green"), ("Tomasz", "brown")):
        tell(
            f"The dock gate was painted {colour}", subject=relaunch, kind="episodic", role=Role.CURATOR,
            channel=Channel.CURATOR, speaker=ground.subject(name), session_ref=f"with {name}",
        )  # fmt: skip
    for name, other in (("Ilse", "Tomasz"), ("Tomasz", "Ilse")):
        answer = ask(f"What did {name} say about the gate?", subjects=(relaunch,))
        assert [item.note.speaker for item in answer.items] == [name, other]
        assert answer.items[0].signals.relevance > answer.items[1].signals.relevance


def test_what_stands_beside_a_hit_comes_with_it_and_what_only_asks_comes_after(tell: Tell, ask: Ask) -> None:
    said = ("Any news of the ferry?", "It leaves at dawn now", "Goats eat ivy")
    for minute, text in enumerate((*said, "Bread is rye")):
        tell(
            text, kind="episodic", role=Role.CURATOR, channel=Channel.CURATOR,
            session_ref="elsewhere" if text == "Bread is rye" else "one", said_at=NOW - timedelta(minutes=9 - minute),
        )  # fmt: skip
    relevance = {item.note.text: item.signals.relevance for item in ask("ferry?", min_relevance=0).items}
    assert relevance[said[1]] > relevance[said[2]] > relevance["Bread is rye"]


def test_limits_hold_and_nonsense_is_refused(tell: Tell, ask: Ask) -> None:
    for thing in ("tea", "jazz", "hiking", "rain"):
        tell(f"I love {thing}")
    assert len(ask("what does the person love?", min_relevance=0, limit=2).items) == 2
    for room in ({"limit": 0}, {"token_budget": 1}):
        none_fits = ask("what does the person love?", min_relevance=0, **room)
        assert (none_fits.items, none_fits.nothing_found) == ((), False)
    with pytest.raises(Invalid):
        ask("what?", limit=-1)


@pytest.mark.parametrize("text", ["", "   ", "& | ! ( ) <-> :* '", "\\", "a" * 100_000, "¿dónde vive?"])
def test_any_question_is_answered(tell: Tell, ask: Ask, text: str) -> None:
    tell("I prefer tea")
    assert isinstance(ask(text), Recalled)


def test_while_paused_nothing_is_given_only_if_the_person_said_so(
    tell: Tell, ask: Ask, ground: Ground, asha: Subject
) -> None:
    tell("I prefer tea")
    asha.paused_at, asha.paused_by, asha.use_existing = NOW, "asha", True
    assert words(ask("tea?")) == ["I prefer tea"]
    asha.use_existing = False
    assert words(ask("tea?")) == []


def test_explain_says_why_each_candidate_was_kept_or_dropped(tell: Tell, ask: Ask) -> None:
    tell("I prefer tea")
    tell("I love jazz")
    explained = ask("what tea does the person prefer?", explain=True).explain
    assert explained is not None
    candidates = explained["candidates"]
    assert isinstance(candidates, list)
    assert {one["why"] for one in candidates} <= {"kept", "below the bar", "did not fit"}
    assert explained["eligible"] == 2


def test_a_read_holds_who_and_what_but_no_words_and_is_sealed_into_the_chain(
    tell: Tell, ask: Ask, ground: Ground
) -> None:
    tell("I prefer tea")
    answer = ask("tea?")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        (row,) = Recall.objects.all()
        assert (row.pk, row.actor, [item["id"] for item in row.items]) == (
            answer.recall_id,
            "agent:helper",
            [answer.items[0].note.id],
        )
        assert "tea" not in str(Recall.objects.values().get())
    assert sealing.seal(organisation=ground.organisation.pk, now=NOW) == 1
    assert sealing.seal(organisation=ground.organisation.pk, now=NOW) == 0
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert AuditEvent.objects.filter(action="recall.seal").count() == 1


def test_a_seal_waits_for_the_end_of_the_chain_before_it_takes_reads_as_an_erasure_does(
    tell: Tell, ask: Ask, ground: Ground
) -> None:
    ask("tea?")
    with CaptureQueriesContext(connection) as seen:
        assert sealing.seal(organisation=ground.organisation.pk, now=NOW) == 1
    locked = [query["sql"] for query in seen if "FOR UPDATE" in query["sql"]]
    names = ("memoryhub_audithead", "memoryhub_recall")
    tables = [name for sql in locked for name in names if f"FROM {name} " in sql.replace('"', "")]
    assert tables[:2] == ["memoryhub_audithead", "memoryhub_recall"]


def test_reporting_use_counts_once_and_only_what_was_given(tell: Tell, ask: Ask, ground: Ground) -> None:
    tell("I prefer tea")
    answer = ask("tea?")
    given = answer.items[0].note.id
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        for _ in range(2):
            read_log.report_used(recall_id=answer.recall_id, ids=[given], by=ground.as_agent, now=NOW)
        assert Entry.objects.get(pk=given).use_count == 1
        with pytest.raises(Invalid):
            read_log.report_used(recall_id=answer.recall_id, ids=["something else"], by=ground.as_agent, now=NOW)
    other = make_ground()
    with acting_for(other.as_agent, subjects=ALL_SUBJECTS), pytest.raises(NotFound):
        read_log.find(recall_id=answer.recall_id, by=other.as_agent)
