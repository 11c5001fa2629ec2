"""What was true then, and what was believed then: answers against a plain list of what was said and when it was heard.

One person, one key. The model keeps every version as (value, true from, heard at, lapses at) and knows two rules: of
what had been heard, the version that began last holds; and a correction that reaches back undoes what it corrects.
"""

import itertools
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memoryhub import conf
from memoryhub.governance import decisions, erasure, reading
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.recall.filters import Window, in_force
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Op, Reason, ReviewState, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

CITIES = ("Tartu", "Narva", "Valga", "Elva")
LIFETIME = conf.LIFETIME["account_fact"]
DAY = timedelta(days=1)


@dataclass
class Version:
    value: str
    begins: datetime
    heard: datetime
    lapses: datetime
    undone: datetime | None = None  # a correction that reaches back before it began


class Model:
    """The plain answer."""

    def __init__(self) -> None:
        self.versions: list[Version] = []

    @property
    def current(self) -> Version | None:
        standing = [one for one in self.versions if one.undone is None]
        return max(standing, key=lambda one: (one.begins, one.heard), default=None)

    def hear(self, value: str, *, begins: datetime, now: datetime, instead: bool = False) -> Version | None:
        """Something is said: `instead` of the current version, whenever that began."""
        current = self.current
        if current is not None and current.value == value:
            current.lapses = max(current.lapses, now + LIFETIME)
            return None
        if instead and current is not None and begins <= current.begins:
            current.undone = now
        self.versions.append(Version(value, begins, now, now + LIFETIME))
        return self.versions[-1]

    def answer(self, *, as_of: datetime, valid_at: datetime) -> list[str]:
        known = [
            one
            for one in self.versions
            if one.heard <= as_of and one.begins <= valid_at and (one.undone is None or one.undone > as_of)
        ]
        last = max(known, key=lambda one: (one.begins, one.heard), default=None)
        return [last.value] if last is not None and last.lapses > valid_at else []


class Life:
    """The same steps through the gate and through the model."""

    def __init__(self, ground: Ground, subject: Subject) -> None:
        self.ground, self.subject, self.model, self.now = ground, subject, Model(), NOW
        self.erased: set[str] = set()

    def entries(self) -> list[Entry]:
        with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS):
            return list(Entry.objects.filter(subject=self.subject).select_related("subject", "provenance"))

    def current(self) -> Entry | None:
        return next((one for one in self.entries() if one.status == Status.ACCEPTED), None)

    def offer(self, city: str, said: datetime, corrects: Entry | None = None, inferred: bool = False) -> Op:
        proposal = Proposal(
            subject=self.subject, text=f"I live in {city}", said_at=said, corrects=corrects,
            channel=Channel.AGENT_INFERENCE if inferred else Channel.USER_MESSAGE,
            role=Role.AGENT if inferred else Role.CUSTOMER,
            key="city" if inferred else None, value=city if inferred else None,
        )  # fmt: skip
        with acting_for(self.ground.as_agent, subjects=[self.subject.pk]):
            (result,) = propose(proposal=proposal, by=self.ground.as_agent, now=self.now).results
        return result.op

    def say(self, city: str, said: datetime) -> None:
        self.offer(city, said)
        self.model.hear(city, begins=said, now=self.now)

    def correct(self, city: str, said: datetime) -> None:
        if (entry := self.current()) is not None:
            self.offer(city, said, corrects=entry)
            self.model.hear(city, begins=said, now=self.now, instead=True)

    def infer(self, city: str, said: datetime) -> None:
        self.offer(city, said, inferred=True)

    def approve(self, undo: bool) -> None:
        by = self.ground.as_cal
        with acting_for(by, subjects=ALL_SUBJECTS):
            item = ReviewItem.objects.filter(subject=self.subject, state=ReviewState.WAITING).first()
            if item is None or item.entry is None:
                return
            began = item.entry.valid_from
            decisions.approve(item_id=item.pk, by=by, now=self.now)
            if undo:
                decisions.undo(item_id=item.pk, by=by, now=self.now)
        if not undo:
            current = self.model.current
            if current is not None and current.value == item.entry.value:
                current.undone = self.now if began <= current.begins else None
                self.model.versions.append(Version(current.value, began, self.now, self.now + LIFETIME))
            else:
                self.model.hear(item.entry.value, begins=began, now=self.now, instead=True)

    def erase(self) -> None:
        if (entry := self.current()) is not None:
            self.erased |= {str(one.pk) for one in self.entries() if one.status != Status.PROPOSED}
            with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS):
                erasure.erase_entry(entry=entry, by=self.ground.as_hub, now=self.now)
            self.model.versions.clear()

    def listed(self, *, as_of: datetime | None, valid_at: datetime | None) -> list[Entry]:
        wanted = reading.Wanted(subject=self.subject, as_of=as_of, valid_at=valid_at)
        with acting_for(self.ground.as_cal, subjects=ALL_SUBJECTS):
            found = list(reading.entries(wanted=wanted, by=self.ground.as_cal))
            recalled = Entry.objects.filter(in_force(Window(as_of, valid_at), now=self.now), subject=self.subject)
            assert {one.pk for one in recalled} == {one.pk for one in found}, (
                "recall and the list look back differently"
            )
        return found


days = st.integers(0, 60)
steps = st.one_of(
    st.tuples(st.just("say"), st.sampled_from(CITIES), days),
    st.tuples(st.just("say"), st.sampled_from(CITIES), st.just(0)),
    st.tuples(st.just("correct"), st.sampled_from(CITIES), days),
    st.tuples(st.just("infer"), st.sampled_from(CITIES), st.integers(0, 3)),
    st.tuples(st.just("approve"), st.booleans(), st.just(0)),
    st.tuples(st.just("erase"), st.just(""), st.just(0)),
)
lives = st.lists(st.tuples(steps, st.integers(1, 70)), min_size=1, max_size=9)


def live(ground: Ground, life: list[tuple[tuple[str, object, int], int]], *, every: int = 1) -> None:
    """Live it, then ask: every pair of moments, or every third of them and so on."""
    one = Life(ground, ground.subject())
    moments = [NOW - 61 * DAY, NOW - 30 * DAY, NOW]
    for (what, argument, ago), pause in life:
        if what in ("say", "correct", "infer"):
            getattr(one, what)(argument, one.now - ago * DAY)
            moments += [one.now - ago * DAY, one.now]
        elif what == "approve":
            one.approve(bool(argument))
            moments.append(one.now)
        else:
            one.erase()
        one.now += pause * DAY
    moments += [one.now, one.now + LIFETIME]
    moments = sorted({moment + timedelta(hours=1) for moment in moments})
    for number, (as_of, valid_at) in enumerate(itertools.product(moments, moments)):
        if number % every == 0:
            shown = one.listed(as_of=as_of, valid_at=valid_at)
            assert [entry.value for entry in shown] == one.model.answer(as_of=as_of, valid_at=valid_at), (
                as_of,
                valid_at,
            )
            assert not {str(entry.pk) for entry in shown} & one.erased
    for moment in moments:
        now = moments[-1]
        assert [entry.value for entry in one.listed(as_of=None, valid_at=moment)] == one.model.answer(
            as_of=now, valid_at=moment
        )
        assert [entry.value for entry in one.listed(as_of=moment, valid_at=None)] == one.model.answer(
            as_of=moment, valid_at=moment
        )
    open_now = [entry for entry in one.entries() if entry.status == Status.ACCEPTED]
    assert len(open_now) <= 1
    if open_now:
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert len(reading.versions(open_now[0])) == len(one.model.versions), "all versions are one chain"


SETTINGS = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True}
SETTINGS["phases"] = [Phase.explicit, Phase.generate]  # shrinking a life takes minutes; it is short as it is


@given(life=lives)
@settings(max_examples=6, **SETTINGS)
def test_any_pair_of_times_is_answered_as_the_plain_list_does(ground: Ground, life: list) -> None:
    live(ground, life, every=5)


@pytest.mark.long
@given(life=lives)
@settings(max_examples=600, **SETTINGS)
def test_any_pair_of_times_in_many_lives(ground: Ground, life: list) -> None:
    live(ground, life)


def test_what_was_said_late_ends_what_it_ends(ground: Ground) -> None:
    """Tartu, then Narva; later we hear that there was Valga in between."""
    one = Life(ground, ground.subject())
    one.say("Tartu", NOW - 50 * DAY)
    one.now += DAY
    one.say("Narva", NOW - 10 * DAY)
    before = one.now
    one.now += DAY
    one.say("Valga", NOW - 30 * DAY)

    def at(day: int, as_of: datetime | None = None) -> list[str]:
        return [entry.value for entry in one.listed(as_of=as_of, valid_at=NOW - day * DAY)]

    assert [at(60), at(40), at(20), at(5)] == [[], ["Tartu"], ["Valga"], ["Narva"]]
    assert [at(40, before), at(20, before), at(5, before)] == [["Tartu"], ["Tartu"], ["Narva"]]
    assert [at(5, NOW)] == [["Tartu"]], "Narva was not heard of yet"


@pytest.mark.parametrize(("channel", "role"), [(Channel.DOCUMENT, Role.AGENT), (Channel.AGENT_INFERENCE, Role.AGENT)])
def test_history_is_not_written_by_those_who_may_only_propose(
    say: Say, ground: Ground, asha: Subject, channel: Channel, role: Role
) -> None:
    say("I live in Tartu")
    (late,) = say("City: Narva", channel=channel, role=role, said_at=NOW - 9 * DAY, key="city", value="Narva").results
    assert (late.op, late.reason, late.entry and late.entry.value) == (Op.NOOP, Reason.OLDER, "Tartu")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert list(Entry.objects.filter(subject=asha).values_list("value", flat=True)) == ["Tartu"]


def test_what_is_announced_holds_from_its_day_and_the_old_until_then(say: Say, ground: Ground, asha: Subject) -> None:
    say("I live in Tartu")
    assert say("From next month I live in Narva").results[0].op == Op.UPDATE
    assert say("I live in Elva", now=NOW + timedelta(hours=2)).results[0].op == Op.UPDATE
    moments = [NOW + timedelta(hours=1), NOW + timedelta(hours=3), NOW + 2 * DAY, NOW + 40 * DAY]
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        mine = Entry.objects.filter(subject=asha)
        for moment, city in zip(moments, ["Tartu", "Elva", "Narva", "Narva"], strict=True):
            assert [one.value for one in mine.filter(in_force(Window(valid_at=moment), now=moment))] == [city]
        for moment, city in zip(moments[1:], ["Elva", "Narva", "Narva"], strict=True):
            assert [one.value for one in mine.filter(in_force(Window(), now=moment))] == [city]


def test_a_clock_that_ran_ahead_announces_nothing(say: Say, ground: Ground, asha: Subject) -> None:
    say("I live in Tartu")
    say("I live in Narva", said_at=NOW + timedelta(minutes=2), now=NOW + timedelta(minutes=1))
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        accepted = Entry.objects.filter(subject=asha, status=Status.ACCEPTED)
        assert [one.value for one in accepted] == ["Narva"]
