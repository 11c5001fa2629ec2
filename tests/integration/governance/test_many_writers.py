"""Many writers on one key at once: one current version, one chain, nothing lost, nobody stuck (R17, R20; races).

Real threads with connections of their own. Everybody writes the city of the same person: the person through two
relays, corrections, a system of record, two curators deciding what an agent inferred, dreams over the person's turns,
confirmations, disputes, pauses, and erasures in between.
"""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connections
from django.utils import timezone

from memoryhub.dreams import dreamer
from memoryhub.governance import audit
from memoryhub.governance.access import organisation_of
from memoryhub.models import AuditEvent, Decision, Entry, Event, ReviewItem, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import ReviewState, Status
from tests.cast import Cast, Reply

CITIES = [f"{first}{last}" for first in ("Nor", "Sud", "Ost", "Wes", "Mit") for last in ("bury", "ford", "ham", "wick")]
WRITERS = 6
FINE = {200, 201, 202, 403, 404, 409, 412}  # done, proposed by who decides, gone, decided first, changed meanwhile


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


class Town:
    """One person, one key, and the steps that anybody may take at any time."""

    def __init__(self, seed: int, *, erasing: bool) -> None:
        self.cast = Cast()
        for part in ("bot", "desk", "crm", "rosa", "timo", "olga", "kurt"):
            self.cast.key(part)
        self.seed = seed
        self.replies: list[tuple[str, Reply]] = []
        self.heard: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.steps: list[tuple[Callable[[random.Random], Reply | None], int]] = [
            (self.say, 8), (self.correct, 5), (self.record, 2), (self.curate, 2), (self.infer, 3), (self.decide, 6),
            (self.turn, 5), (self.confirm, 2), (self.dispute, 1), (self.undo, 1), (self.pause, 1),
            (self.read, 1),
        ]  # fmt: skip
        if erasing:
            self.steps += [(self.erase, 1)]

    @property
    def hub(self):
        return system_principal(organisation_of(self.cast.slug).pk, "test")

    def say(self, luck: random.Random) -> Reply:
        ago = luck.choice((0, 0, 0, 3))
        said = {"said_at": datetime(2026, 1 + luck.randrange(9), 2, tzinfo=UTC).isoformat()} if ago else {}
        return self.cast.say(f"I live in {luck.choice(CITIES)}", by=luck.choice(("bot", "desk")), **said)

    def correct(self, luck: random.Random) -> Reply | None:
        entries = self.cast.get("/memories?subject=nora&key=city").body["items"]
        if not entries:
            return None
        entry = luck.choice(entries)
        match = {"If_Match": entry["etag"]} if luck.random() < 0.5 else {}
        return self.cast.patch(f"/memories/{entry['id']}", {"text": f"I live in {luck.choice(CITIES)}"}, **match)

    def record(self, luck: random.Random) -> Reply:
        city = luck.choice(CITIES[:4])
        sent = {"subject": "nora", "text": f"City: {city}", "channel": "system_of_record", "key": "city", "value": city}
        return self.cast.post("/memories", sent, by="crm")

    def curate(self, luck: random.Random) -> Reply:
        city = luck.choice(CITIES[:4])
        sent = {"subject": "nora", "text": f"Lives in {city}", "channel": "curator", "key": "city", "value": city}
        return self.cast.post("/memories", sent, by="rosa")

    def infer(self, luck: random.Random) -> Reply:
        city = luck.choice(CITIES)
        return self.cast.infer(f"Lives in {city}", key="city", value=city)

    def decide(self, luck: random.Random) -> Reply | None:
        items = self.cast.waiting(subject="nora", limit="5")
        if not items:
            return None
        item, by = luck.choice(items), luck.choice(("rosa", "timo"))
        if luck.random() < 0.5:
            return self.cast.post(f"/queue/{item['id']}/approve", by=by, If_Match=item["etag"])
        return self.cast.post(f"/queue/{item['id']}/reject", {"reason": "not so"}, by=by)

    def undo(self, luck: random.Random) -> Reply | None:
        items = self.cast.waiting(subject="nora", state="approved", limit="20")
        return self.cast.post(f"/queue/{luck.choice(items)['id']}/undo", by="timo") if items else None

    def turn(self, luck: random.Random) -> Reply:
        number = luck.randrange(10**9)
        sent = {
            "event_id": f"e-{number}", "session_id": f"s-{luck.randrange(3)}", "subject": "nora",
            "user_input": f"I live in {luck.choice(CITIES)}",
        }  # fmt: skip
        return self.cast.post("/turns", sent)

    def confirm(self, luck: random.Random) -> Reply | None:
        entries = self.cast.get("/memories?subject=nora&key=city").body["items"]
        return self.cast.post(f"/memories/{luck.choice(entries)['id']}/confirm") if entries else None

    def dispute(self, luck: random.Random) -> Reply | None:
        entries = self.cast.get("/memories?subject=nora&key=city").body["items"]
        path = f"/memories/{luck.choice(entries)['id']}/dispute" if entries else ""
        return self.cast.post(path, {"reason": "It is wrong"}) if path else None

    def pause(self, luck: random.Random) -> Reply:
        self.cast.post("/subjects/nora/pause", {"paused": True})
        return self.cast.post("/subjects/nora/pause", {"paused": False})

    def erase(self, luck: random.Random) -> Reply | None:
        if luck.random() < 0.3:
            return self.cast.delete("/subjects/nora/memories")
        entries = self.cast.get("/memories?subject=nora&key=city").body["items"]
        return self.cast.delete(f"/memories/{luck.choice(entries)['id']}") if entries else None

    def read(self, luck: random.Random) -> Reply:
        return self.cast.post("/recall", {"subject": "nora", "query": "which city"})

    def live(self, number: int, steps: int) -> None:
        """One writer's steps, in its own order."""
        luck = random.Random(f"{self.seed}/{number}")
        verbs, weights = zip(*self.steps, strict=True)
        try:
            for _ in range(steps):
                (verb,) = luck.choices(verbs, weights)
                reply = verb(luck)
                if reply is not None:
                    with self.lock:
                        self.replies.append((verb.__name__, reply))
        finally:
            connections.close_all()

    def dream(self, until: threading.Event) -> None:
        try:
            while not until.wait(0.3):
                dreamer.dream_now(organisation=organisation_of(self.cast.slug).pk, now=timezone.now())
        finally:
            connections.close_all()


def run(town: Town, writes: int) -> None:
    assert town.cast.say("I live in Anfang").ops == ["ADD"]
    over = threading.Event()
    with ThreadPoolExecutor(WRITERS + 1) as pool:
        dreams = pool.submit(town.dream, over)
        try:
            list(pool.map(lambda number: town.live(number, writes // WRITERS), range(WRITERS), timeout=900))
        finally:
            over.set()
        dreams.result(600)


def check(town: Town, *, erased: bool) -> None:
    bad = [(verb, reply.status, reply.body.get("code")) for verb, reply in town.replies if reply.status not in FINE]
    assert bad == [], "every call is answered as the contract has it"
    with acting_for(town.hub, subjects=ALL_SUBJECTS):
        subject = Subject.objects.get(external_id="nora")
        entries = list(Entry.objects.filter(subject=subject, key="city"))
        current = [one for one in entries if one.status == Status.ACCEPTED and one.valid_to is None]
        in_force = [one for one in entries if one.status == Status.ACCEPTED]
        assert len(current) == len(in_force) <= 1, [(one.value, one.valid_to) for one in in_force]
        if not erased:
            assert len(current) == 1
            _one_chain(entries, current[0])
            _nothing_lost(town, entries)
        waiting = ReviewItem.objects.filter(state=ReviewState.WAITING, subject=subject).select_related("entry")
        for item in waiting:
            assert item.entry is not None
            assert item.entry.status in (Status.PROPOSED, Status.DISPUTED, Status.ACCEPTED)
        assert Event.objects.filter(session__subject=subject, consolidated_at__isnull=True).count() < len(town.replies)
        assert audit.first_broken_link(town.hub.organisation) is None
        _every_decision_is_audited(town)


def _one_chain(entries: list[Entry], current: Entry) -> None:
    """From the current version back, every version that ever was in force is passed once."""
    by_id = {one.pk: one for one in entries}
    once = {one.pk for one in entries if one.status in (Status.ACCEPTED, Status.REPLACED)}
    seen: list[Entry] = []
    here: Entry | None = current
    while here is not None:
        assert here not in seen, "a chain without a ring"
        seen.append(here)
        here = by_id.get(here.supersedes_id) if here.supersedes_id else None
    assert {one.pk for one in seen} >= once, "no version in force stands beside the chain"
    followers = Counter(one.supersedes_id for one in entries if one.pk in once and one.supersedes_id)
    assert max(followers.values(), default=1) == 1, "no version is followed by two"


def _nothing_lost(town: Town, entries: list[Entry]) -> None:
    """Whatever was answered as written is there."""
    told = {
        result["entry"]["id"]
        for _, reply in town.replies
        for result in (reply.body.get("results") or reply.body.get("claims") or ())
        if result["op"] in ("ADD", "UPDATE", "QUEUED")
    }
    assert told <= {str(one.pk) for one in entries}


def _every_decision_is_audited(town: Town) -> None:
    told = {reply.body["decision_id"] for _, reply in town.replies if reply.body.get("decision_id")}
    kept = {
        str(pk) for pk in Decision.objects.filter(organisation_id=town.hub.organisation).values_list("pk", flat=True)
    }
    assert {one for one in told if one not in kept} == set() or "erase" in {verb for verb, _ in town.replies}
    rows = AuditEvent.objects.filter(organisation_id=town.hub.organisation)
    results = sum(len(one.results) for one in Decision.objects.filter(organisation_id=town.hub.organisation))
    assert rows.filter(action__startswith="memory.").count() >= results


@pytest.mark.parametrize(
    "erasing", [pytest.param(False, id="nothing erased", marks=pytest.mark.long), pytest.param(True, id="erasures")]
)
def test_many_writers_leave_one_current_version(committed_db: None, erasing: bool) -> None:
    town = Town(seed=7, erasing=erasing)
    run(town, 150)
    check(town, erased=erasing)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_two_thousand_writers_leave_one_current_version(committed_db: None, seed: int) -> None:
    town = Town(seed=seed, erasing=seed % 2 == 1)
    run(town, 500)
    check(town, erased=seed % 2 == 1)
