"""Does recall stay fast when much is stored? Two hubs side by side, a small one and a large one, asked in turn.

Both hold subjects of equally many entries, so that only what lies around a subject differs; the large one also holds
one subject of very many. Asked over HTTP as users ask. What is given of the big subject is compared with what ranking
every one of its entries by the same score would have given.
"""

import os
import random
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import httpx
from django.db import connection

from memoryhub.errors import HubError
from memoryhub.governance import subjects
from memoryhub.management import machine, measured_hub, paired_timing, sample_texts, scale_load
from memoryhub.management.paired_timing import Goal
from memoryhub.management.scale_load import BIG, Store
from memoryhub.providers import database, secrets_file
from memoryhub.recall import ranking, search
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole, Kind

LIMIT: Final = 10
WARM_UP: Final = 50
SEED: Final = 21
ORGANISATION: Final = "scale"
SMALL, LARGE, BIG_SUBJECT = "recall, small store", "recall, large store", "recall, big subject"


class NoRoom(HubError):
    """The disk is too small for what was asked."""

    code = "no_room"


@dataclass(frozen=True)
class Loaded:
    """A hub with its entries in it."""

    store: Store
    data: Path
    organisation: uuid.UUID
    client: httpx.Client
    seconds: float


def run(*, small: Store, large: Store, rounds: int, questions: int, cores: int, folder: Path) -> dict[str, Any]:
    """Load both, ask both in turn, compare with exact, print, and return what was printed. All data is deleted."""
    check_room(small.entries + large.entries, shutil.disk_usage(folder).free)
    machine.clear_away_when_told_to_stop()
    described = machine.describe(machine.keep_to(cores))
    print(described.line, flush=True)
    with tempfile.TemporaryDirectory(prefix="memoryhub-scale-", dir=folder) as scratch, ExitStack() as stack:
        os.chmod(scratch, 0o755)
        made_of = scale_load.sample(SEED)
        less = stack.enter_context(_loaded(small, made_of, Path(scratch) / "small"))
        more = stack.enter_context(_loaded(large, made_of, Path(scratch) / "large"))
        timings = paired_timing.run(_asking(less, more, rounds), times=rounds, warm_up=WARM_UP, seed=SEED)
        found = _exactness(more, questions) if large.big else None
        weight = _weight_of_data(more.data)
    ratio = paired_timing.ratio(timings[LARGE], timings[SMALL], seed=SEED)
    goals = goals_of(timings, found.score if found else None)
    print("\n".join(["", *paired_timing.table(timings), "", *(goal.line for goal in goals)]), flush=True)
    if found:
        print(f"{'the same by relevance alone':<52} {found.relevance:>9.2f}", flush=True)
    loading = {
        name: {"entries": each.store.entries, "seconds": each.seconds, "a_second": each.store.entries / each.seconds}
        for name, each in (("small", less), ("large", more))
    }
    written = paired_timing.as_json(timings, {"large / small, p50": ratio}, goals)
    return {
        "machine": asdict(described),
        "loading": loading,
        "data_gb": weight,
        "recall_of_exact": found and asdict(found),
        **written,
    }


def check_room(entries: int, free: int) -> None:
    """Raises NoRoom when that many entries would fill the disk."""
    needed = entries * scale_load.BYTES_AN_ENTRY
    if needed > 0.8 * free:
        raise NoRoom(
            f"{entries:,} entries take about {needed / 2**30:.0f} GB while they are loaded, and {free / 2**30:.0f} GB "
            "are free. Name a folder on a larger disk with --folder, or measure fewer."
        )


def goals_of(timings: paired_timing.Timings, recall_of_exact: float | None) -> list[Goal]:
    """What the figures should be (docs/performance.md)."""
    grown = paired_timing.spread(timings[LARGE]).p95 / paired_timing.spread(timings[SMALL]).p95
    goals = [Goal("large store / small store, p95", grown, 1.5, "x")]
    if BIG_SUBJECT in timings:
        goals.append(Goal("big subject, p95", paired_timing.spread(timings[BIG_SUBJECT]).p95, 150, "ms"))
    if recall_of_exact is not None:
        goals.append(Goal("big subject, recall@10 of exact", recall_of_exact, 0.98, at_least=True))
    return goals


def share_of_exact(given: Sequence[str], exact: Sequence[tuple[str, float]]) -> float:
    """Of the best LIMIT by the exact order, how many were given; what scores as well as the last of them counts too.

    `exact`: every entry with its score, best first.
    """
    best = exact[:LIMIT]
    if not best:
        return 1.0
    as_good = {id for id, score in exact if score >= best[-1][1]}
    return min(len(as_good & set(given[:LIMIT])), len(best)) / len(best)


@contextmanager
def _loaded(store: Store, made_of: scale_load.Sample, data: Path) -> Iterator[Loaded]:
    with measured_hub.running(data) as (hub, _):
        key = hub.command("issue_key", "--organisation", ORGANISATION, "--name", "scale", "--role", "agent")
        administrator = _logins(data).administrator | {"dbname": database.NAME}
        with database.connect(administrator) as server:
            (organisation,) = server.execute(
                "SELECT id FROM accounts_organisation WHERE slug = %s", [ORGANISATION]
            ).fetchone() or (None,)
        print(f"loading {store.entries:,} entries of {store.subjects:,} subjects", flush=True)
        seconds = scale_load.load(
            store, made_of, organisation=organisation, administrator=administrator, seed=SEED,
            said=lambda line: print(line, flush=True),
        )  # fmt: skip
        print(f"loaded in {seconds:.0f} s, {store.entries / seconds:,.0f} entries a second", flush=True)
        headers = {"Authorization": f"Bearer {key}"}
        with httpx.Client(base_url=f"{hub.url}/api/v1", headers=headers, timeout=120) as client:
            yield Loaded(store, data, organisation, client, seconds)


def _asking(less: Loaded, more: Loaded, rounds: int) -> dict[str, Callable[[int], float]]:
    """Each round asks about another subject, so that nothing is at hand from the round before."""
    asked = list(islice(sample_texts.questions(SEED), WARM_UP + rounds))

    def of(loaded: Loaded) -> Callable[[int], float]:
        chosen = random.Random(SEED).choices(loaded.store.names, k=len(asked))
        return lambda number: _recall(loaded.client, chosen[number], asked[number])

    calls = {SMALL: of(less), LARGE: of(more)}
    if more.store.big:
        calls[BIG_SUBJECT] = lambda number: _recall(more.client, BIG, asked[number])
    return calls


def _recall(client: httpx.Client, subject: str, question: str) -> float:
    began = time.perf_counter()
    response = client.post("/recall", json={"subject": subject, "query": question, "limit": LIMIT})
    took = (time.perf_counter() - began) * 1000
    response.raise_for_status()
    return took


@dataclass(frozen=True)
class Exactness:
    """Of the ten that rank best among all entries of a subject, the share that recall gives: by the whole score, and by
    relevance alone, which is what candidates are chosen by.
    """

    score: float
    relevance: float


def _exactness(loaded: Loaded, questions: int) -> Exactness:
    """In this process, by the product's own search: what it finds, against every entry of the subject ranked."""
    shares: list[tuple[float, float]] = []
    with _connected_to(loaded.data):
        by = Principal(loaded.organisation, "bench", frozenset({KeyRole.OPERATOR}))
        with acting_for(by, subjects=ALL_SUBJECTS):
            subject = subjects.find(external_id=BIG, by=by)
        for number, text in enumerate(islice(sample_texts.questions(SEED + 1), questions)):
            kinds = (Kind.EPISODIC,) if number % 2 else ()  # every other one with a filter besides
            query = search.Query((subject,), text, kinds, limit=LIMIT, min_relevance=0.0)
            # Nothing passes a bar of 1, so nothing is rendered; what was ranked is everything there is.
            all_of_it = replace(query, limit=loaded.store.big, min_relevance=1.0)
            now = datetime.now(UTC)
            with acting_for(by, subjects=subjects.readable(subject)):
                usual = search.find(query=query, by=by, now=now)
                every = search.find(query=all_of_it, by=by, now=now)
                there = usual.reach.entries.count()
            if len(every.ranked) != there:
                raise RuntimeError(f"{len(every.ranked)} of {there} entries were ranked: that is not exact")
            shares.append(_shares(usual.ranked, every.ranked))
    return Exactness(*(fmean(each) for each in zip(*shares, strict=True)))


def _shares(usual: Sequence[ranking.Ranked], every: Sequence[ranking.Ranked]) -> tuple[float, float]:
    def by(measure: Callable[[ranking.Ranked], float]) -> float:
        given, exact = (
            sorted(((one.candidate.id, measure(one)) for one in some), key=lambda pair: -pair[1])
            for some in (usual, every)
        )
        return share_of_exact([id for id, _ in given], exact)

    return by(lambda one: one.score), by(lambda one: one.signals.relevance)


@contextmanager
def _connected_to(data: Path) -> Iterator[None]:
    """This process's own database connection, as the web role of that hub."""
    login = dict(_logins(data).web)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    before = {name: connection.settings_dict[name] for name in names}
    connection.close()
    connection.settings_dict.update({name: login[value] for name, value in names.items()})
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


def _logins(data: Path) -> database.Logins:
    return database.logins(data, secrets_file.read(data))


def _weight_of_data(data: Path) -> float:
    """Gigabytes on disk."""
    files = (path for path in database.embedded_folder(data).rglob("*") if path.is_file())
    return sum(path.stat().st_size for path in files) / 2**30
