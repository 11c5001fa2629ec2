"""How fast are recall and remember beside other memories? All in one run, in turn, on the same database and weights.

The others run as bare library calls in processes of an environment of their own (.ci/peer.py, .ci/peers.txt); this hub
is asked as its users ask it: over HTTP, with its gate, its row-level security and its read log. Below all of them is
the limit: the same embedding and one prepared statement, with nothing around it.
"""

import json
import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import httpx
import numpy
import psutil
import psycopg
from django.conf import settings
from pgvector.psycopg import register_vector

from memoryhub.errors import HubError
from memoryhub.management import machine, measured_hub, paired_timing, sample_texts
from memoryhub.management.measured_hub import Hub, Weight
from memoryhub.management.paired_timing import Goal, Ratio
from memoryhub.providers import database, secrets_file
from memoryhub.providers.embeddings import embedder, packaged_folder

ENTRIES: Final = 200
LIMIT: Final = 10
WARM_UP: Final = 30
SEED: Final = 20
SUBJECT, WRITER = "asked-about", "written-to"
EMBEDDED_WITHIN: Final = 120.0  # seconds

HUB, MEM0, LANGGRAPH, FLOOR = "Memory Hub, POST /recall", "mem0 search", "LangGraph search", "limit: embed + 1 query"
HUB_ADD, MEM0_ADD = "Memory Hub, POST /memories", "mem0 add(infer=False)"
PEERS: Final = {"mem0": MEM0, "langgraph": LANGGRAPH}

_NEAREST = """
PREPARE nearest (vector, uuid) AS SELECT id, content, 1 - (embedding <=> $1) AS cosine FROM memoryhub_entry
WHERE audience_id = $2 AND status = 'accepted' AND valid_to IS NULL AND expires_at > now()
ORDER BY embedding <=> $1 LIMIT 10
"""


class PeersMissing(HubError):
    """There is nothing to compare with."""

    code = "peers_missing"


@dataclass
class Peer:
    """Another memory's process; it answers one line for each line."""

    name: str
    process: subprocess.Popen[str]

    def tell(self, **asked: object) -> dict[str, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process of {self.name} ended; its reason is above")
        told: dict[str, float] = json.loads(answer)
        return told


def run(*, rounds: int, cores: int) -> dict[str, Any]:
    """Store the same texts everywhere, ask the same questions in turn, print, and return what was printed."""
    python = settings.BASE_DIR / ".venv-peers" / "bin" / "python"
    if not python.exists():
        raise PeersMissing("There is no .venv-peers here; `make bench-peers` makes it.")
    machine.clear_away_when_told_to_stop()
    described = machine.describe(machine.keep_to(cores))
    print(described.line, flush=True)
    with tempfile.TemporaryDirectory(prefix="memoryhub-peers-", dir="/var/tmp") as folder, ExitStack() as stack:
        os.chmod(folder, 0o755)
        data = Path(folder) / "data"
        hub, _ = stack.enter_context(measured_hub.running(data))
        administrator, theirs = _database_of_their_own(data)
        peers = {name: stack.enter_context(_peer(python, name, theirs)) for name in PEERS}
        client = stack.enter_context(_client(hub))
        _store(client, peers, administrator)
        given: dict[str, list[int]] = {name: [] for name in (HUB, *PEERS.values(), FLOOR)}
        asked = paired_timing.run(
            _asking(client, peers, administrator, given, rounds), times=rounds, warm_up=WARM_UP, seed=SEED
        )
        added = paired_timing.run(_adding(client, peers, rounds), times=rounds, warm_up=WARM_UP, seed=SEED + 1)
        weights = _weights(hub, peers)
    return _report(described, asked | added, given, weights)


def _store(client: httpx.Client, peers: Mapping[str, Peer], administrator: database.Parameters) -> None:
    """The same statements for everybody; ours through the gate, each committed, and waited for until it is embedded."""
    for text in islice(sample_texts.statements(SEED), ENTRIES):
        _commit(client, SUBJECT, text)
        for peer in peers.values():
            peer.tell(do="add", subject=SUBJECT, text=text)
    until = time.monotonic() + EMBEDDED_WITHIN
    with database.connect(administrator) as connection:
        while connection.execute("SELECT 1 FROM memoryhub_entry WHERE embedding_state <> 'ready'").fetchone():
            if time.monotonic() > until:
                raise RuntimeError("not every entry was embedded in time")
            time.sleep(0.2)
        connection.execute("ANALYZE")


def _asking(
    client: httpx.Client, peers: Mapping[str, Peer], administrator: database.Parameters, given: dict[str, list[int]],
    rounds: int,
) -> dict[str, Callable[[int], float]]:  # fmt: skip
    questions = list(islice(sample_texts.questions(SEED), WARM_UP + rounds))
    limit = _limit(administrator)

    def hub(number: int) -> float:
        body = {"subject": SUBJECT, "query": questions[number], "limit": LIMIT}
        took, answer = _post(client, "/recall", body)
        given[HUB].append(len(answer["items"]))
        return took

    def peer(name: str) -> Callable[[int], float]:
        def ask(number: int) -> float:
            told = peers[name].tell(do="search", subject=SUBJECT, query=questions[number], limit=LIMIT)
            given[PEERS[name]].append(int(told["found"]))
            return told["ms"]

        return ask

    def floor(number: int) -> float:
        took, found = limit(questions[number])
        given[FLOOR].append(found)
        return took

    return {HUB: hub, MEM0: peer("mem0"), LANGGRAPH: peer("langgraph"), FLOOR: floor}


def _adding(client: httpx.Client, peers: Mapping[str, Peer], rounds: int) -> dict[str, Callable[[int], float]]:
    texts = list(islice(sample_texts.statements(SEED + 1), WARM_UP + rounds))
    return {
        HUB_ADD: lambda number: _commit(client, WRITER, texts[number]),
        MEM0_ADD: lambda number: peers["mem0"].tell(do="add", subject=WRITER, text=texts[number])["ms"],
    }


def _limit(administrator: database.Parameters) -> Callable[[str], tuple[float, int]]:
    """Embedding and one prepared, filtered statement, past row-level security: what no memory can go below."""
    connection = database.connect(administrator)
    register_vector(connection)
    (subject,) = connection.execute(
        "SELECT id FROM memoryhub_subject WHERE external_id = %s", [SUBJECT]
    ).fetchone() or (None,)
    cursor, embed = psycopg.ClientCursor(connection), embedder().embed
    cursor.execute(_NEAREST)

    def ask(question: str) -> tuple[float, int]:
        began = time.perf_counter()
        (vector,) = embed([question])
        cursor.execute("EXECUTE nearest (%s, %s)", [numpy.array(vector, dtype=numpy.float32), subject])
        found = len(cursor.fetchall())
        return (time.perf_counter() - began) * 1000, found

    return ask


def _commit(client: httpx.Client, subject: str, text: str) -> float:
    """Remember one fact; a fact that is not committed would make the figure a lie."""
    took, answer = _post(client, "/memories", {"subject": subject, "text": text, "channel": "user_message"})
    if [result["op"] for result in answer["results"]] != ["ADD"]:
        raise RuntimeError(f"the gate did not commit {text!r} as one fact")
    return took


def _post(client: httpx.Client, path: str, body: Mapping[str, object]) -> tuple[float, dict[str, Any]]:
    """Milliseconds until the whole answer is here, and the answer."""
    began = time.perf_counter()
    response = client.post(path, json=body)
    took = (time.perf_counter() - began) * 1000
    response.raise_for_status()
    answer: dict[str, Any] = response.json()
    return took, answer


@contextmanager
def _client(hub: Hub) -> Iterator[httpx.Client]:
    """One connection that is kept, with the key of an agent that may relay its person's words."""
    roles = ("--role", "agent", "--role", "customer_relay")
    key = hub.command("issue_key", "--organisation", "bench", "--name", "bench", *roles)
    with httpx.Client(base_url=f"{hub.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
        yield client


@contextmanager
def _peer(python: Path, name: str, login: database.Parameters) -> Iterator[Peer]:
    place = psycopg.conninfo.make_conninfo(**{key: login[key] for key in ("host", "port", "user", "dbname")})
    script = settings.BASE_DIR / ".ci" / "peer.py"
    command = [str(python), str(script), name, "--model", str(packaged_folder()), "--database", place]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PGPASSWORD": login["password"]},
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            if not process.stdout.readline():
                raise PeersMissing(f"{name} did not start; its reason is above.")
            yield Peer(name, process)
        finally:
            process.terminate()


def _database_of_their_own(data: Path) -> tuple[database.Parameters, database.Parameters]:
    """The administrator's login to ours, and a login to a database beside it in the same server."""
    logins = database.logins(data, secrets_file.read(data))
    password, name = secrets.token_hex(16), "bench_peers"
    with database.connect(logins.administrator) as server:
        server.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        server.execute(f"CREATE DATABASE {name} OWNER {name}")
    with database.connect(logins.administrator | {"dbname": name}) as inside:
        inside.execute("CREATE EXTENSION vector")
    theirs = logins.administrator | {"user": name, "password": password, "dbname": name}
    return logins.administrator | {"dbname": database.NAME}, theirs


def _weights(hub: Hub, peers: Mapping[str, Peer]) -> dict[str, Weight]:
    found = {f"Memory Hub, {part}": measured_hub.weigh(processes) for part, processes in hub.parts().items()}
    return found | {name: measured_hub.weigh([psutil.Process(peer.process.pid)]) for name, peer in peers.items()}


def _report(
    described: machine.Machine, timings: paired_timing.Timings, given: Mapping[str, list[int]],
    weights: Mapping[str, Weight],
) -> dict[str, Any]:  # fmt: skip
    pairs = {
        "recall / mem0 search": (HUB, MEM0), "recall / LangGraph search": (HUB, LANGGRAPH),
        "recall / limit": (HUB, FLOOR), "memories / mem0 add": (HUB_ADD, MEM0_ADD),
    }  # fmt: skip
    ratios = {
        name: paired_timing.ratio(timings[ours], timings[theirs], seed=SEED) for name, (ours, theirs) in pairs.items()
    }
    goals = goals_of(ratios, weights)
    found = {name: sum(numbers) / len(numbers) for name, numbers in given.items()}
    print("\n".join(lines_of(timings, ratios, weights, goals, found)), flush=True)
    written = paired_timing.as_json(timings, ratios, goals)
    memory = {name: asdict(weight) for name, weight in weights.items()}
    return {"machine": asdict(described), **written, "items_given": found, "megabytes": memory}


def goals_of(ratios: Mapping[str, Ratio], weights: Mapping[str, Weight]) -> list[Goal]:
    """What the figures should be at most (docs/performance.md)."""
    return [
        Goal("recall / mem0 search, p50", ratios["recall / mem0 search"].value, 1.5, "x", aim=1.0),
        Goal("recall / LangGraph search, p50", ratios["recall / LangGraph search"].value, 1.5, "x", aim=1.0),
        Goal("recall / limit, p50", ratios["recall / limit"].value, 2.5, "x"),
        Goal("memories / mem0 add, p50", ratios["memories / mem0 add"].value, 1.5, "x"),
        Goal("web process, resident", weights["Memory Hub, web process"].resident, 350, "MB"),
    ]


def lines_of(
    timings: paired_timing.Timings, ratios: Mapping[str, Ratio], weights: Mapping[str, Weight], goals: list[Goal],
    found: Mapping[str, float],
) -> Iterator[str]:  # fmt: skip
    """The report, line by line."""
    yield ""
    yield from paired_timing.table(timings)
    yield f"\n{'ratio of medians':<52} {'value':>9} {'low':>9} {'high':>9}"
    for name, each in ratios.items():
        yield f"{name:<52} {each.value:>9.2f} {each.low:>9.2f} {each.high:>9.2f}"
    yield f"\n{'megabytes':<52} {'resident':>9} {'proport.':>9}"
    for name, weight in weights.items():
        yield f"{name:<52} {weight.resident:>9.0f} {weight.proportional:>9.0f}"
    yield f"\nitems given a question: {', '.join(f'{name} {number:.1f}' for name, number in found.items())}\n"
    yield from (goal.line for goal in goals)
