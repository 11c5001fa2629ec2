"""How long does the page take on which a person sees what is remembered about them, when that is very much? (R90)

One person of an organisation of its own: what they said and put right, what agents were given of it, what staff looked
at, what was refused. The pages are asked for as that person, in turn with one that shows nothing of theirs, so that
what every page costs is told beside; in this process, so that a figure is server time without a network.
"""

import html
import random
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from memoryhub.governance import access, reading, subjects
from memoryhub.governance.intake import Proposal, propose
from memoryhub.management import paired_timing
from memoryhub.management.paired_timing import Timings
from memoryhub.models import Entry, Subject
from memoryhub.recall import read_log, search
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, MemberRole, Role, Status

EACH_CORRECTED: Final = 4  # of so many statements one is put right by its person
READS: Final = 300  # times that an agent was given something of it
LOOKED: Final = 40  # times that one of the people had it on a page
ON_A_LIST: Final = 50  # entries that such a page shows
REFUSED: Final = 12  # secrets that the person asked to be remembered
AT_ONCE: Final = 50  # statements of one transaction
THINGS: Final = ("parcel", "booking", "invoice", "meter", "ticket", "seat", "van", "crate", "permit", "badge")
PLACES: Final = ("locker", "depot", "yard", "desk", "bay", "shelf", "gate", "dock", "hall", "lane")
PLAIN: Final = "a page with nothing of theirs"
OWN: Final = "the person's page"
GOAL: Final = 300.0  # milliseconds, p95 of it with 500 entries


@dataclass
class OwnFigures:
    """How much is kept, what each page took in milliseconds, what it weighs compressed, and its statements of SQL."""

    kept: int = 0
    versions: int = 0
    times: Timings = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)
    statements: dict[str, int] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The figures as a table."""
        told = [f"{self.kept} things are remembered about one person, {self.versions} with earlier versions"]
        told += paired_timing.table(self.times)
        for name, size in self.weights.items():
            told.append(f"{name}: {self.statements[name]} statements of SQL, {size / 1000:.1f} kB compressed")
        return told

    def as_json(self) -> dict[str, Any]:
        """The figures for a file."""
        goals = [paired_timing.Goal(OWN, paired_timing.spread(self.times[OWN]).p95, GOAL, "ms")]
        timed = paired_timing.as_json(self.times, {}, goals)
        return {
            "kept": self.kept,
            "versions": self.versions,
            "bytes": self.weights,
            "statements": self.statements,
            **timed,
        }


def measure(*, slug: str, kept: int, calls: int, by: Principal, now: datetime) -> OwnFigures:
    """Let a person of the organisation have so many entries, and ask for their pages."""
    name = f"{slug}-own"
    _plant(name, kept, by=by, now=now)
    figures = OwnFigures()
    with acting_for(by, subjects=ALL_SUBJECTS):
        person = subjects.find(external_id=name, by=by)
        rows = Entry.objects.filter(subject=person)
        figures.kept, figures.versions = rows.filter(status=Status.ACCEPTED).count(), rows.count()
        read = rows.filter(status=Status.ACCEPTED).order_by("recorded_at").values_list("pk", flat=True)[0]
        user = access.ensure_person(email=f"{name}@example.org", by=by, now=now)
        access.ensure_member(person=user, role=MemberRole.CUSTOMER, subject=name, by=by, now=now)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        _ask(figures, user=user, read=f"/me/memories/{read}/reads/", calls=calls)
    return figures


def _plant(name: str, kept: int, *, by: Principal, now: datetime) -> None:
    luck = random.Random(11)
    with acting_for(by, subjects=ALL_SUBJECTS):
        agent = Principal(
            by.organisation, f"agent:{name}", frozenset({"agent", "customer_relay"}),
            agent=access.ensure_agent(slug=name, by=by, now=now).pk,
        )  # fmt: skip
        staff = access.ensure_person(email=f"looks@{name}.example.org", by=by, now=now)
        person = subjects.ensure(external_id=name, by=by, now=now)
    said: list[Entry] = []
    while len(said) < kept:
        moment = now - timedelta(days=30) * (1 - len(said) / kept)
        with acting_for(agent, subjects=ALL_SUBJECTS):
            for _ in range(min(AT_ONCE, kept - len(said))):
                said += _told(person, _words(luck), agent, moment)
    own = Principal(by.organisation, f"user:{staff.pk}", frozenset({"person"}), bound_subject=name)
    with acting_for(own, subjects=ALL_SUBJECTS):
        for entry in said[::EACH_CORRECTED]:
            seen = reading.entry(entry_id=entry.pk, by=own)
            proposal = Proposal(
                subject=person, text=_words(luck), channel=Channel.USER_PAGE, role=Role.CUSTOMER, corrects=seen
            )
            propose(proposal=proposal, by=own, now=now)
    with acting_for(agent, subjects=ALL_SUBJECTS):
        for number in range(REFUSED):
            _told(person, f"My password is correct-horse-{number}-battery!", agent, now)
        for _ in range(READS):
            found = search.find(query=search.Query((person,), _words(luck), limit=10), by=agent, now=now)
            search.hand_out(found, by=agent, now=now, purpose="recall")
    looker = Principal(by.organisation, f"user:{staff.pk}", frozenset({"curator"}), user=staff.pk)
    with acting_for(looker, subjects=ALL_SUBJECTS):
        for _ in range(LOOKED):
            items: list[dict[str, object]] = [
                {"id": str(entry.pk)} for entry in luck.sample(said, min(ON_A_LIST, kept))
            ]
            read_log.write(by=looker, now=now, purpose=read_log.PAGE, subjects=[person], query="", items=items)


def _words(luck: random.Random) -> str:
    return f"I keep my {luck.choice(THINGS)} in {luck.choice(PLACES)} {luck.randrange(100_000)}"


def _told(person: Subject, words: str, agent: Principal, moment: datetime) -> Sequence[Entry]:
    proposal = Proposal(subject=person, text=words, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER)
    results = propose(proposal=proposal, by=agent, now=moment).results
    return [result.entry for result in results if result.entry is not None and result.entry.status == Status.ACCEPTED]


def _ask(figures: OwnFigures, *, user: User, read: str, calls: int) -> None:
    client = Client()
    client.force_login(user)
    pages = {
        PLAIN: "/me/policy/",
        OWN: "/me/",
        "its next page": _next_of(client),
        "with words sought": f"/me/?q={THINGS[0]}",
        "who used one of it": read,
        "the person's data": "/me/data/",
    }
    for name, path in pages.items():
        with CaptureQueriesContext(connection) as asked:
            figures.weights[name] = len(zlib.compress(_got(client, path), 6))
        figures.statements[name] = len(asked)
    asking = {name: _timed(client, path) for name, path in pages.items()}
    figures.times = paired_timing.run(asking, times=calls, warm_up=2, seed=5)


def _timed(client: Client, path: str) -> Callable[[int], float]:
    def took(_: int) -> float:
        began = time.perf_counter()
        _got(client, path)
        return (time.perf_counter() - began) * 1000

    return took


def _next_of(client: Client) -> str:
    """Where the page's own link to older things leads."""
    _, found, rest = _got(client, "/me/").decode().partition('rel="next" href="')
    return html.unescape(rest.partition('"')[0]) if found else "/me/"


def _got(client: Client, path: str) -> bytes:
    response: Any = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path.split('/')[1]} answered {response.status_code}")
    content: bytes = response.content
    return content
