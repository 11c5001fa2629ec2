"""How long do the queue's list and one of its items take when very many wait? (R92; U6) And a person's own page, when
very much is remembered about them? (own_page_bench.py)

In an organisation of its own, in whatever hub the command is given: claims come through the gate, as everywhere, from
several agents about many people; some contradict what is in force, some were read in documents. The pages are asked of
the hub's own code in this process, so that a figure is server time without a network.
"""

import functools
import random
import statistics
import time
import uuid
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.test import Client, override_settings

from accounts.models import User
from memoryhub.governance import access, organisations, review_queue, subjects, timeline
from memoryhub.governance.intake import Proposal, propose
from memoryhub.management import own_page_bench
from memoryhub.management.own_page_bench import OwnFigures
from memoryhub.models import ReviewItem, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import Channel, MemberRole, ReviewState, Role

AT_ONCE: Final = 50  # proposals of one transaction
EACH: Final = 25  # items about one person
AGENTS: Final = 20
THINGS: Final = ("parcel", "booking", "invoice", "meter", "ticket", "seat", "van", "crate", "permit", "badge")
PLACES: Final = ("locker", "depot", "yard", "desk", "bay", "shelf", "gate", "dock", "hall", "lane")


@dataclass
class Figures:
    """Milliseconds of each kind of call, and bytes of each page, compressed."""

    waiting: int = 0
    loaded_in: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)
    own: OwnFigures | None = None

    def lines(self) -> list[str]:
        """The figures as tables."""
        return [*(self._of_the_queue() if self.times else []), *(self.own.lines() if self.own else [])]

    def _of_the_queue(self) -> list[str]:
        told = [f"{self.waiting} items wait, loaded through the gate in {self.loaded_in:.0f} s",
                f"{'ms':<34} {'p50':>9} {'p95':>9} {'calls':>6}"]  # fmt: skip
        for name, taken in self.times.items():
            told.append(f"{name:<34} {statistics.median(taken):>9.1f} {_p95(taken):>9.1f} {len(taken):>6}")
        return told + [f"{name}: {size / 1000:.1f} kB compressed" for name, size in self.weights.items()]

    def as_json(self) -> dict[str, Any]:
        """The figures for a file."""
        times = {name: {"p50": statistics.median(all_), "p95": _p95(all_)} for name, all_ in self.times.items()}
        own = self.own.as_json() if self.own else None
        return {"waiting": self.waiting, "loaded_in": self.loaded_in, "ms": times, "bytes": self.weights, "own": own}


def run(*, items: int, kept: int, calls: int, now: datetime, said: Callable[[str], None]) -> Figures:
    """Load, measure, and take it all away again. `items` that wait in the queue, `kept` about one person; none of
    either leaves its pages out.
    """
    slug = f"queue-bench-{uuid.uuid4().hex[:8]}"
    organisation = access.organisation_of(slug, create=True)
    hub = system_principal(organisation.pk, "bench")
    figures = Figures()
    try:
        with using(HashingEmbedder()):
            if items:
                began = time.perf_counter()
                _load(items, slug=slug, by=hub, now=now, said=said)
                figures.loaded_in = time.perf_counter() - began
                _measure(figures, slug=slug, calls=calls, by=hub, now=now)
            if kept:
                said("what is remembered about one person")
                figures.own = own_page_bench.measure(slug=slug, kept=kept, calls=calls, by=hub, now=now)
    finally:
        said("taking it away")
        with acting_for(hub, subjects=ALL_SUBJECTS):
            organisations.describe(organisation=organisation, name=slug, timezone="UTC", demo=True, by=hub, now=now)
            organisations.remove_demo(organisation=organisation, by=hub, now=now)
    return figures


def _load(items: int, *, slug: str, by: Principal, now: datetime, said: Callable[[str], None]) -> None:
    luck = random.Random(7)
    with acting_for(by, subjects=ALL_SUBJECTS):
        curator = access.ensure_person(email=f"curator@{slug}.example.org", by=by, now=now)
        access.ensure_member(person=curator, role=MemberRole.CURATOR, by=by, now=now)
        agents = [access.ensure_agent(slug=f"{slug}-{n}", by=by, now=now).pk for n in range(AGENTS)]
        people = [
            subjects.ensure(external_id=f"{slug}-{n}", by=by, now=now) for n in range(max(1, items // EACH))
        ]  # fmt: skip
    done = 0
    while done < items:
        agent = Principal(
            by.organisation, f"agent:{slug}", frozenset({"agent", "customer_relay"}), agent=luck.choice(agents)
        )
        moment = now - timedelta(days=30) * (1 - done / items)
        with acting_for(agent, subjects=ALL_SUBJECTS):
            for _ in range(min(AT_ONCE, items - done)):
                propose(proposal=_claim(luck.choice(people), luck), by=agent, now=moment)
                done += 1
        if done % 1000 == 0:
            said(f"{done} of {items}")


def _claim(subject: Subject, luck: random.Random) -> Proposal:
    thing, place, number = luck.choice(THINGS), luck.choice(PLACES), luck.randrange(100_000)
    kind = luck.random()
    if kind < 0.1:
        return Proposal(
            subject=subject, text=f"The {thing} of this customer stands in {place} {number}.", channel=Channel.DOCUMENT,
            role=Role.AGENT,
        )  # fmt: skip
    if kind < 0.2:  # kept, and what the next ones stand against
        return Proposal(
            subject=subject, text=f"I keep my {thing} in {place} {number}", channel=Channel.USER_MESSAGE,
            role=Role.CUSTOMER,
        )  # fmt: skip
    text = f"The customer keeps {number} {thing}s in {place} {luck.randrange(900)}"
    return Proposal(subject=subject, text=text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT)


def _measure(figures: Figures, *, slug: str, calls: int, by: Principal, now: datetime) -> None:
    with acting_for(by, subjects=ALL_SUBJECTS):
        waits = ReviewItem.objects.filter(organisation_id=by.organisation, state=ReviewState.WAITING)
        figures.waiting = waits.count()
        ids = list(waits.order_by("?").values_list("pk", flat=True)[:calls])
    user = User.objects.get(email=f"curator@{slug}.example.org")
    curator = Principal(by.organisation, f"user:{user.pk}", frozenset({"curator"}), user=user.pk)

    def listed(_: int) -> None:
        with acting_for(curator, subjects=ALL_SUBJECTS):
            list(review_queue.by_source(review_queue.waiting(by=curator, person=curator.user, now=now))[:51])

    def counted(_: int) -> None:
        with acting_for(curator, subjects=ALL_SUBJECTS):
            review_queue.counts(review_queue.waiting(by=curator, now=now))

    def one(number: int) -> None:
        with acting_for(curator, subjects=ALL_SUBJECTS):
            item = review_queue.get(item_id=ids[number % len(ids)], by=curator)
            review_queue.similar_to(item)
            timeline.of(item)

    figures.times["list, 50 rows"] = _timed(listed, calls)
    figures.times["counts by type"] = _timed(counted, calls)
    figures.times["item, similar, timeline"] = _timed(one, calls)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        client = Client()
        client.force_login(user)
        pages = {"page of the list": ["/queue/"], "page of an item": [f"/queue/{pk}/" for pk in ids]}
        for name, paths in pages.items():
            figures.times[name] = _timed(functools.partial(_page, client, paths), calls)
            figures.weights[name] = len(zlib.compress(_page(client, paths, 0), 6))


def _page(client: Client, paths: list[str], number: int) -> bytes:
    return _got(client, paths[number % len(paths)])


def _got(client: Client, path: str) -> bytes:
    response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path.split('/')[1]} answered {response.status_code}")
    return response.content


def _timed(call: Callable[[int], object], times: int) -> list[float]:
    for number in range(3):
        call(number)
    taken = []
    for number in range(times):
        began = time.perf_counter()
        call(number)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def _p95(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
