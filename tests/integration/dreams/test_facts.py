"""A night believes nothing that the day did not: what was refused, corrected, declined or erased stays so (R71, R61)."""

import random
from collections.abc import Callable
from datetime import timedelta

import pytest

from memoryhub.governance import decisions, erasure, intake
from memoryhub.models import Decision, Entry, Event, Lineage, ReviewItem
from memoryhub.vocabulary import Channel, Kind, ReviewState, Role, Status
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of, night, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def ground() -> Ground:
    return make_ground()


def beliefs(ground: Ground) -> list[tuple[str, str, str]]:
    with all_of(ground):
        rows = Entry.objects.filter(kind=Kind.SEMANTIC).order_by("recorded_at", "id")
        return [(entry.content, entry.status, entry.subject.external_id) for entry in rows]


def accepted(ground: Ground) -> list[str]:
    return [content for content, status, _ in beliefs(ground) if status == Status.ACCEPTED]


def correct(ground: Ground, entry: Entry, text: str) -> None:
    """The person's own correction on their page."""
    proposal = intake.Proposal(
        subject=entry.subject, text=text, channel=Channel.USER_PAGE, role=Role.CUSTOMER, corrects=entry
    )
    with all_of(ground):
        intake.propose(proposal=proposal, by=ground.as_hub, now=NOW)


def decline_all(ground: Ground) -> None:
    with all_of(ground):
        for item in ReviewItem.objects.filter(state=ReviewState.WAITING, entry__isnull=False):
            decisions.reject(item_id=item.pk, reason="Not so.", by=ground.as_cal, now=NOW)


def erase_all(ground: Ground) -> None:
    with all_of(ground):
        while (entry := Entry.objects.filter(kind=Kind.SEMANTIC).first()) is not None:
            erasure.erase_entry(entry=entry, by=ground.as_operator, now=NOW)


def correct_first(ground: Ground) -> None:
    with all_of(ground):
        held = Entry.objects.filter(kind=Kind.SEMANTIC, status=Status.ACCEPTED).select_related("subject", "provenance")
        entry = held.order_by("recorded_at").first()
    assert entry is not None
    correct(ground, entry, "I live in Aveiro.")


#: What is said in the turns of one session, and what somebody does about it before night falls.
DAYS: dict[str, tuple[tuple[str, ...], Callable[[Ground], None] | None]] = {
    "refused, then said in other words": (
        ("My credit limit is $7,500 now.", "As I said, my limit was raised to 7500 dollars.", "What is my limit?"), None,
    ),
    "refused beside something harmless": (
        ("I prefer the quiet floor and my discount level is platinum.", "My discount level is platinum, note it."), None,
    ),
    "refused, then taken back": (("My refund limit is 900.", "No wait, my refund limit is 9000."), None),
    "kept, then corrected by the person": (("I live in Faro.", "I live in Faro, as I told you."), correct_first),
    "kept, said again, then erased": (
        ("I prefer the quiet floor.", "I prefer the quiet floor.", "I live in Faro. I prefer the quiet floor."), erase_all,
    ),
    "waiting, then declined by a curator": (
        ("My colleague Ford handles invoices.", "My colleague Ford handles invoices."), decline_all,
    ),
    "declined, in a language that is not read": (
        ("Ich möchte immer im ruhigen Stock wohnen.", "Ich möchte immer im ruhigen Stock wohnen!"), decline_all,
    ),
    "reversed within the session": (("I live in Faro.", "I moved to Porto.", "No, I live in Faro again."), None),
    "asked, wished and hypothetical": (("Do I live in Faro?", "If I lived in Faro, would it cost more?"), None),
}  # fmt: skip


@pytest.mark.parametrize(("said", "then"), DAYS.values(), ids=DAYS)
def test_a_night_leaves_every_belief_as_the_day_left_it(
    ground: Ground, said: tuple[str, ...], then: Callable[[Ground], None] | None
) -> None:
    guest = ground.subject()
    for number, words in enumerate(said):
        post(ground, guest, words, event=f"t{number}", minutes=number)
    if then is not None:
        then(ground)
    before = beliefs(ground)
    with all_of(ground):
        waiting = list(ReviewItem.objects.order_by("id").values_list("pk", "state"))
    for _ in range(2):
        night(ground)
        assert beliefs(ground) == before
        with all_of(ground):
            assert (
                list(ReviewItem.objects.filter(entry__kind=Kind.SEMANTIC).order_by("id").values_list("pk", "state"))
                == waiting
            )


POOL = (
    "I prefer the quiet floor.", "I prefer the loud floor.", "I live in Faro.", "I moved to Porto.", "Please call me Jo.",
    "My credit limit is $7,500 now.", "I am a platinum member and prefer tea.", "My colleague Ford handles invoices.",
    "I no longer like tea.", "My plan is the annual one.", "Thanks!", "I never eat fish. Do you have tea?",
    "Ich möchte immer im ruhigen Stock wohnen.", "Don't ring before nine.", "My sister Ute earns 90000 euros a year.",
)  # fmt: skip


def test_no_mixture_of_sentences_and_of_what_people_did_about_them_is_changed_by_a_night(ground: Ground) -> None:
    chance = random.Random(20261130)
    for number in range(10):
        guest = ground.subject(f"guest-{number}")
        for turn in range(5):
            words = " ".join(chance.sample(POOL, chance.randint(1, 2)))
            session = f"{number}-{chance.randint(1, 2)}"
            post(ground, guest, words, session=session, event=f"{number}-{turn}", minutes=10 * number + turn)
    with all_of(ground):
        held = list(
            Entry.objects.filter(status=Status.ACCEPTED).select_related("subject").order_by("recorded_at", "id")
        )
        chance.shuffle(held)
        for entry in held[:4]:
            erasure.erase_entry(entry=entry, by=ground.as_operator, now=NOW)
        for item in chance.sample(list(ReviewItem.objects.filter(state=ReviewState.WAITING).order_by("id")), 3):
            decisions.reject(item_id=item.pk, reason="Not so.", by=ground.as_cal, now=NOW)
    before = beliefs(ground)
    assert len(before) > 15
    for _ in range(2):
        night(ground)
        assert beliefs(ground) == before


def test_a_refused_value_stands_in_nothing_that_a_night_wrote(ground: Ground) -> None:
    guest = ground.subject()
    post(ground, guest, "My credit limit is $7,500 now.", assistant_output="Your limit is 7500.", event="a")
    post(ground, guest, "Please tell me what is in my cart.", event="b", minutes=1)
    night(ground)
    with all_of(ground):
        kept = [
            *Entry.objects.values_list("content", flat=True),
            *map(str, Decision.objects.values_list("results", flat=True)),
        ]
        kept += [f"{event.user_input}{event.assistant_output}{event.actions}" for event in Event.objects.all()]
    assert not any("7,500" in words or "7500" in words for words in kept)


def test_an_erased_statement_takes_the_turns_with_it_that_said_it_again(ground: Ground) -> None:
    guest = ground.subject()
    post(ground, guest, "I prefer the quiet floor.", event="a")
    post(ground, guest, "Good morning. I prefer the quiet floor.", session="later", event="b", minutes=5)
    post(ground, guest, "I live in Faro.", session="later", event="c", minutes=6)
    with all_of(ground):
        (entry,) = Entry.objects.filter(content__contains="quiet floor")
        assert [each["op"] for event in Event.objects.order_by("external_id") for each in event.claims] == [
            "ADD",
            "NOOP",
            "ADD",
        ]
        erasure.erase_entry(entry=entry, by=ground.as_operator, now=NOW)
        assert list(Event.objects.values_list("external_id", flat=True)) == ["c"]
    night(ground)
    assert accepted(ground) == ["I live in Faro."]
    with all_of(ground):
        assert not any("quiet" in text for text in Entry.objects.values_list("content", flat=True))


def test_a_summary_over_a_pruned_turn_goes_when_what_was_said_there_is_erased(ground: Ground) -> None:
    guest = ground.subject()
    post(ground, guest, "I prefer the quiet floor.", event="a")
    night(ground)
    with all_of(ground):
        Event.objects.all().delete()
        assert Lineage.objects.filter(event__isnull=True, event_ref="a").exists()
        receipt = erasure.erase_entry(entry=Entry.objects.get(kind=Kind.SEMANTIC), by=ground.as_operator, now=NOW)
        assert receipt.removed["derived"] == 1
        assert not Entry.objects.exists()


def test_the_evidence_of_an_episode_outlives_the_events_it_came_from(ground: Ground) -> None:
    guest = ground.subject()
    post(ground, guest, "move it", event="a")
    episode = {
        "task": "move a booking",
        "when": "2026-11-30",
        "cause": "too late",
        "fix": "call",
        "evidence": ["run 8", "a"],
    }
    proposal = intake.Proposal(
        subject=guest, text="Moving a booking worked by calling.", channel=Channel.CURATOR, role=Role.CURATOR,
        kind=Kind.EPISODIC, session_ref="visit", event_ref="a", episode=episode,
    )  # fmt: skip
    with all_of(ground):
        intake.propose(proposal=proposal, by=ground.as_agent, now=NOW)
    night(ground)
    with all_of(ground):
        Event.objects.all().delete()
        told = Entry.objects.select_related("provenance").get(episode__isnull=False)
        summary = Entry.objects.get(kind=Kind.EPISODIC, episode__isnull=True)
    assert (told.episode, told.provenance.event_ref, told.status) == (episode, "a", Status.ACCEPTED)
    with all_of(ground):
        assert [line.event_ref for line in summary.lineage.all()] == ["a"]


def test_a_claim_found_at_night_weighs_no_more_than_its_source_and_says_where_it_is_from(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = ground.subject()
    with monkeypatch.context() as patch:  # the rules of the day read nothing in it
        patch.setattr(intake, "propose", lambda **_: intake.Outcome(guest.pk, ()))
        post(ground, guest, "I prefer the quiet floor.", event="a")
    night(ground)
    with all_of(ground):
        entry = Entry.objects.get(kind=Kind.SEMANTIC)
        assert entry.authority <= 0.3
        assert [line.event_ref for line in entry.lineage.all()] == ["a"]
        assert entry.valid_from == NOW - timedelta(hours=1)
