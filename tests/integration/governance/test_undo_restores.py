"""A decision that is taken back was never made: every row, the queue, its counts and what recall says are as before (U3).

Random decisions of every kind about a small world that goes on changing, each taken back a few seconds later; some are
let stand, so that the next ones are about history, too. All of it really commits, under the guards of the database.

What may differ, and why: `version` and `updated_at` count changes, so that a page that saw the decision is told that it
is stale; audit rows, decisions of the gate and the log of reads say what happened, and it did happen.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.db import connection

from memoryhub.errors import HubError
from memoryhub.governance import (
    audit,
    bulk,
    confirmation,
    decisions,
    merging,
    policy_versions,
    procedures,
    review_queue,
)
from memoryhub.governance.checked_recall import recall
from memoryhub.governance.intake import Proposal, propose
from memoryhub.governance.procedures import Learned, SessionSeen
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.recall.search import Query
from memoryhub.skills.skillmd import SkillDocument, write
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Reason, ReviewState, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground, make_ground

SECOND: Final = timedelta(seconds=1)
#: Every table that says what is remembered, how to act, what waits and what was said about it.
TABLES: Final = (
    "entry", "provenance", "lineage", "skill", "skillevidence", "profile", "reviewitem", "reviewnote", "reviewquestion",
    "evidence", "backing", "record", "subject", "policyversion",
)  # fmt: skip
CITIES: Final = ("Tartu", "Narva", "Valga", "Elva")
LIKES: Final = ("tea", "rye bread", "night trains", "window seats", "jazz", "long walks", "crosswords", "cold soup")
ASKED: Final = ("Where does she live?", "What does she like?", "How are refunds handled?")


@pytest.fixture(autouse=True)
def _no_meaning_needed(committed_db: None) -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@dataclass
class World:
    """Two people, one agent, and curators who decide about them."""

    luck: random.Random
    ground: Ground = field(default_factory=make_ground)
    now: datetime = NOW
    people: list[Subject] = field(default_factory=list)
    undone: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.people = [self.ground.subject("asha"), self.ground.subject("mira")]

    # What comes to wait ---------------------------------------------------------------------------------------------

    def happen(self) -> None:
        """Something comes in; most of it waits."""
        self.now += 7 * SECOND
        self.luck.choice((self.infer, self.infer, self.say, self.record, self.contradict, self.doubt, self.look_again,
                          self.skill, self.profile, self.limit))()  # fmt: skip

    def offer(self, text: str, *, by: Principal | None = None, channel: str, role: str, **wishes: Any) -> None:
        who, subject = by or self.ground.as_agent, self.luck.choice(self.people)
        with acting_for(who, subjects=ALL_SUBJECTS):
            proposal = Proposal(subject=subject, text=text, channel=Channel(channel), role=Role(role), **wishes)
            propose(proposal=proposal, by=who, now=self.now)

    def infer(self) -> None:
        words = f"The customer {self.luck.choice(('likes', 'often asks for'))} {self.luck.choice(LIKES)}"
        self.offer(words, channel="agent_inference", role="agent")

    def say(self) -> None:
        self.offer(self.luck.choice((f"I live in {self.luck.choice(CITIES)}", f"I like {self.luck.choice(LIKES)}")),
                   channel="user_message", role="customer")  # fmt: skip

    def record(self) -> None:
        plan = self.luck.choice(("gold", "silver"))
        self.offer(f"Plan: {plan}", key="plan", value=plan, channel="system_of_record", role="system_of_record",
                   by=self.ground.as_record)  # fmt: skip

    def contradict(self) -> None:
        self.offer(f"My plan is the {self.luck.choice(('bronze', 'annual', 'family'))} one", channel="user_message",
                   role="customer")  # fmt: skip

    def limit(self) -> None:
        value = str(self.luck.randrange(100, 900))
        by, (channel, role) = self.luck.choice((
            (self.ground.as_record, ("system_of_record", "system_of_record")), (self.ground.as_ada, ("curator",) * 2),
        ))  # fmt: skip
        self.offer(f"Refund limit: {value}", by=by, key="refund_limit", value=value, category=Category.POLICY_LIMIT,
                   channel=channel, role=role)  # fmt: skip

    def doubt(self) -> None:
        """Somebody says that something in force is wrong."""
        with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS):
            if (entry := self.in_force()) is not None:
                confirmation.dispute(entry=entry, reason="Not so.", by=self.ground.as_hub, now=self.now)

    def look_again(self) -> None:
        """A sample, or a re-confirmation, as dreams and housekeeping put them."""
        kind, action = self.luck.choice(((ReviewType.SAMPLE, "memory.add"), (ReviewType.RECONFIRM, "entry.ask")))
        with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS):
            entry = self.in_force()
            if entry is None or ReviewItem.objects.filter(entry=entry, state=ReviewState.WAITING).exists():
                return
            review_queue.put(type=kind, reason=Reason.SAMPLED, subject=entry.subject, entry=entry,
                             by=self.ground.as_hub, now=self.now)  # fmt: skip
            audit.record(by=self.ground.as_hub, now=self.now, action=action, object_kind="entry", object_id=entry.pk)

    def skill(self) -> None:
        name, number = self.luck.choice(("refunds", "parcels")), self.luck.randrange(10_000)
        document = SkillDocument(
            name=name, description=f"How {name} are handled, {number}", body=f"Look, step {number}."
        )
        learned = None
        if self.luck.random() < 0.5:
            seen = [SessionSeen(f"s-{number}-{n}", f"e-{n}", self.people[0].pk, self.now) for n in range(3)]
            learned = Learned(f"pattern-{number % 5}", tuple(seen))
        by = self.ground.as_agent
        with acting_for(by, subjects=ALL_SUBJECTS):
            procedures.propose_skill(document=document, agent=self.ground.agent, by=by, now=self.now, learned=learned)

    def profile(self) -> None:
        by = self.ground.as_agent
        with acting_for(by, subjects=ALL_SUBJECTS):
            text = f"You are the desk, version {self.luck.randrange(10_000)}."
            procedures.propose_profile(text=text, agent=self.ground.agent, by=by, now=self.now)

    def in_force(self, **about: Any) -> Entry | None:
        found = list(Entry.objects.filter(status=Status.ACCEPTED, **about).select_related("subject").order_by("pk"))
        return self.luck.choice(found) if found else None

    # What is decided, and how it is taken back ----------------------------------------------------------------------

    def decide(self, *, stays: bool) -> str:
        """One decision about something that waits, taken back unless it `stays`; which, or empty if it was refused."""
        cal = self.ground.as_cal
        with acting_for(cal, subjects=ALL_SUBJECTS):
            waiting = list(review_queue.waiting(by=cal, now=self.now))
        if not waiting:
            return ""
        item = self.luck.choice(waiting)
        if self.luck.random() < 0.2:
            self.act(decisions.claim, item_id=item.pk)
        verb = self.luck.choice(("approve", "approve", "edit", "reject", "merge", "merge_edit", "snooze", "bulk"))
        self.now += SECOND
        step = getattr(self, f"_{verb}")
        before = None if stays else self.picture()
        try:
            back: Callable[[], object] = step(item, waiting)
        except HubError:
            return ""
        if before is None:
            return ""
        self.now += 5 * SECOND
        back()
        assert self.picture() == before, f"{verb} of a {item.type} that was {item.entry and item.entry.status}"
        name = f"{verb} {item.type}"
        self.undone[name] += 1
        return name

    def act(self, call: Callable[..., Any], /, **words: Any) -> Any:
        by = self.ground.as_cal
        with acting_for(by, subjects=ALL_SUBJECTS):
            return call(by=by, now=self.now, **words)

    def undo(self, item: ReviewItem) -> Callable[[], object]:
        return lambda: self.act(decisions.undo, item_id=item.pk)

    def _approve(self, item: ReviewItem, _: list[ReviewItem]) -> Callable[[], object]:
        self.act(decisions.approve, item_id=item.pk)
        return self.undo(item)

    def _edit(self, item: ReviewItem, _: list[ReviewItem]) -> Callable[[], object]:
        text = f"The customer prefers {self.luck.choice(LIKES)}, as a rule"
        if item.entry is not None and item.entry.key == "city":
            text = f"I live in {self.luck.choice(CITIES)}"
        if item.skill is not None:
            name = self.luck.choice((item.skill.name, "returns"))
            text = write(SkillDocument(name=name, description="As edited.", body="Look twice.", keywords=("x",)))
        self.act(decisions.approve, item_id=item.pk, text=text)
        return self.undo(item)

    def _reject(self, item: ReviewItem, _: list[ReviewItem]) -> Callable[[], object]:
        self.act(decisions.reject, item_id=item.pk, reason="Not so.")
        return self.undo(item)

    def _merge(self, item: ReviewItem, _: list[ReviewItem], text: str | None = None) -> Callable[[], object]:
        with acting_for(self.ground.as_hub, subjects=ALL_SUBJECTS):
            into = item.rival or self.in_force(subject=item.subject, kind=Kind.SEMANTIC)
        self.act(merging.merge, item_id=item.pk, into=into.pk if into else item.pk, text=text)
        return self.undo(item)

    def _merge_edit(self, item: ReviewItem, waiting: list[ReviewItem]) -> Callable[[], object]:
        return self._merge(item, waiting, f"The customer enjoys {self.luck.choice(LIKES)} most of all")

    def _snooze(self, item: ReviewItem, _: list[ReviewItem]) -> Callable[[], object]:
        self.act(decisions.snooze, item_id=item.pk, until=self.now + timedelta(days=2))
        return lambda: self.act(decisions.wake, item_id=item.pk)

    def _bulk(self, _: ReviewItem, waiting: list[ReviewItem]) -> Callable[[], object]:
        some = self.luck.sample(waiting, k=min(3, len(waiting)))
        verb = self.luck.choice(("approve", "reject"))
        seen = self.act(bulk.preview, ids=[item.pk for item in some], verb=verb)
        ids = [item.pk for item in seen.eligible]
        batch = self.act(bulk.decide, ids=ids, verb=verb, reason="Together.")
        return lambda: self.act(bulk.undo, batch=batch.id)

    # What it all comes to -------------------------------------------------------------------------------------------

    def picture(self) -> dict[str, str]:
        """A hash of each table, of the queue and its counts, and of what recall answers."""
        by, found = self.ground.as_hub, {}
        with acting_for(by, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(
                    f"SELECT (to_jsonb(t) - ARRAY['version', 'updated_at'])::text FROM memoryhub_{table} t ORDER BY id"
                )
                found[table] = _hash(row[0] for row in cursor.fetchall())
        cal = self.ground.as_cal
        with acting_for(cal, subjects=ALL_SUBJECTS):
            waiting = review_queue.waiting(by=cal, now=NOW)
            found["queue"] = _hash(str(item.pk) for item in waiting)
            found["counts"] = repr(sorted(Counter(item.type for item in review_queue.by_source(waiting)).items()))
        for subject in self.people:
            for text in ASKED:
                with acting_for(self.ground.as_agent, subjects=[subject.pk]):
                    query = Query(subjects=(subject,), text=text)
                    answer = recall(query=query, by=self.ground.as_agent, now=NOW + timedelta(days=1))
                found[f"{subject.external_id}: {text}"] = repr((answer.items, answer.conflicts, answer.please_confirm))
        return found


def _hash(rows: Iterator[str] | Any) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(row.encode())
    return digest.hexdigest()


def run(seed: int, *, decisions_: int) -> World:
    """So many decisions taken back, in a world that goes on meanwhile."""
    world = World(random.Random(seed))
    for _ in range(12):
        world.happen()
    while world.undone.total() < decisions_:
        for _ in range(world.luck.randrange(3)):
            world.happen()
        world.decide(stays=world.luck.random() < 0.25)
    return world


def test_some_decisions_of_each_kind_are_as_if_never_made() -> None:
    world = run(3, decisions_=25)
    assert len(world.undone) >= 10


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_two_hundred_decisions_are_as_if_never_made(seed: int) -> None:
    world = run(seed, decisions_=200)
    verbs = Counter(name.split()[0] for name in world.undone.elements())
    types = Counter(name.split()[1] for name in world.undone.elements())
    assert set(verbs) == {"approve", "edit", "reject", "merge", "merge_edit", "snooze", "bulk"}
    assert set(types) == set(ReviewType.values)
    with acting_for(world.ground.as_hub, subjects=ALL_SUBJECTS):
        assert audit.first_broken_link(world.ground.organisation.pk) is None


def test_a_first_of_two_yeses_is_taken_back_without_a_trace() -> None:
    world = World(random.Random(5))
    with acting_for(world.ground.as_operator, subjects=ALL_SUBJECTS):
        document = {"four_eyes": ["skills"]}
        policy_versions.change(document=document, reason="Two look.", by=world.ground.as_operator, now=NOW)
    world.skill()
    with acting_for(world.ground.as_cal, subjects=ALL_SUBJECTS):
        (item,) = review_queue.waiting(by=world.ground.as_cal, now=world.now)
    before = world.picture()
    world.act(decisions.approve, item_id=item.pk)
    assert world.picture() != before
    world.act(decisions.undo, item_id=item.pk)
    assert world.picture() == before
