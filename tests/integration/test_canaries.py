"""A secret sent along any way of writing is nowhere afterwards: no table, job, audit row, answer or log line (R12, S12).

The database is dumped as its superuser, whom no row-level security holds: every table, every column, as text.
"""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from psycopg import sql

from memoryhub.providers import database
from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast, Reply
from tests.integration.api.test_skills import SKILL, TOOLS
from tests.integration.api.test_turns import TURN

Write = Callable[[Cast, str], Reply]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def cast(committed_db: None) -> Cast:
    return Cast()


def _say(text: str, **fields: Any) -> Write:
    return lambda cast, secret: cast.say(text.format(secret), **_filled(fields, secret))


def _filled(value: Any, secret: str) -> Any:
    if isinstance(value, dict):
        return {_filled(name, secret): _filled(inner, secret) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, secret) for inner in value]
    return value.replace("{}", secret) if isinstance(value, str) else value


def _turn(**fields: Any) -> Write:
    return lambda cast, secret: cast.post("/turns", {**TURN, "event_id": f"e-{secret[-6:]}", **_filled(fields, secret)})


def _patched(cast: Cast, secret: str) -> Reply:
    entry = cast.say("I prefer the window seat").entry
    return cast.patch(f"/memories/{entry['id']}", {"text": f"My password is {secret}"})


def _in_session(path: str, body: Any, method: str = "POST") -> Write:
    def write(cast: Cast, secret: str) -> Reply:
        cast.post("/turns", TURN)
        return cast.call(method, f"/sessions/call-1{path}", _filled(body, secret))

    return write


def _disputed(cast: Cast, secret: str) -> Reply:
    entry = cast.say("I prefer the aisle seat").entry
    return cast.post(f"/memories/{entry['id']}/dispute", {"reason": f"No, the password is {secret}"})


def _decided(verb: str, body: Any) -> Write:
    def write(cast: Cast, secret: str) -> Reply:
        cast.infer("The customer prefers short calls")
        (item, *_) = cast.waiting()
        return cast.post(f"/queue/{item['id']}/{verb}", _filled(body, secret), by="rosa")

    return write


def _shown(cast: Cast, secret: str) -> Reply:
    """What backs a proposal is written beside it: what is called a run's name or a value may be a secret."""
    waiting = cast.infer("The customer prefers the quiet carriage").entry
    return cast.show("test", f"password={secret}", value=f"The password is {secret}", backs=[waiting["id"]])


def _skill(cast: Cast, secret: str) -> Reply:
    cast.put("/agents/me/tools", TOOLS)
    told = SKILL.replace("Look at the berth", f"The password is {secret}. Look at the berth")
    return cast.post("/skills", raw=told, kind="text/markdown")


#: Ways in: name → what is sent. "{}" is where the secret stands.
WAYS: dict[str, Write] = {
    "text": _say("My password is {}"),
    "text beside something": _say("The nightly export logs in with {} as its password and mails a report to the office."),
    "text abroad": _say("Mi contraseña es {}"),
    "text of a document": lambda cast, secret: cast.post(
        "/memories", {"subject": "nora", "text": f"The Wi-Fi password is {secret}", "channel": "document"}
    ),
    "text of an agent": lambda cast, secret: cast.infer(f"The customer's password is {secret}"),
    "key and value": _say("Noted.", key="wifi_password", value="{}"),
    "value": _say("I prefer tea", key="drink", value="my password is {}"),
    "key": _say("I prefer tea", key="password is {}", value="tea"),
    "source": _say("I prefer tea", source={"ref": "password: {}", "uri": "https://app:{}@host.test/x", "quote": "my password is {}"}),
    "message id": _say("I prefer tea", message_id="password={}"),
    "session": _say("I prefer tea", session_id="password={}"),
    "episode": lambda cast, secret: cast.post(
        "/memories",
        {"subject": "nora", "text": "The call was answered.", "channel": "agent_inference", "kind": "episodic",
         "episode": {"task": "a call", "fix": f"the password is {secret}", "evidence": [f"pwd={secret}"]}},
    ),
    "idempotent": lambda cast, secret: cast.say(f"My password is {secret}", Idempotency_Key=f"k-{secret[:4]}"),
    "idempotency key": lambda cast, secret: cast.say("I prefer tea", Idempotency_Key=f"password={secret}"),
    "user input": _turn(user_input="I like figs. My password is {}."),
    "assistant output": _turn(assistant_output="Your password is {}, keep it safe."),
    "actions": _turn(actions=[{"tool": "login", "arguments": {"password": "{}"}, "result": "pwd={}", "detail": "password: {}", "ok": True}]),
    "observations": _turn(observations=[{"kind": "log", "value": "password={}"}, {"kind": "password", "value": {"password": "{}"}}]),
    "signals": _turn(signals=[{"kind": "refused", "value": "the password is {}", "scope": "intent:MOVE_BERTH"}]),
    "turn state": _turn(state={"password": "{}", "note": "the password is {}"}),
    "refused and repeated": _turn(
        user_input="My password is {}", assistant_output="I noted {}", actions=[{"tool": "note", "arguments": {"text": "{}"}, "ok": True}],
    ),
    "batch": lambda cast, secret: cast.post("/turns:batch", [{**TURN, "event_id": "b-1", "user_input": f"My password is {secret}"}]),
    "correction": _patched,
    "dispute": _disputed,
    "state": _in_session("/state", {"wifi_password": "{}", "note": "pwd: {}"}, "PATCH"),
    "running turn": _in_session("/current", {"actions": [{"tool": "x", "result": "the password is {}", "ok": True}]}),
    "offload": _in_session("/offload", {"text": "A long page. The password is {}. More of it."}),
    "strike": _in_session("/strike", {"words": "the password is {}"}),
    "approval": _decided("approve", {"reason": "the password is {}", "text": "My password is {}"}),
    "rejection": _decided("reject", {"reason": "the password is {}"}),
    "skill": _skill,
    "profile": lambda cast, secret: cast.call("PUT", "/agents/me/profile", raw=f"# Desk\nThe password is {secret}.", kind="text/markdown"),
    "tools": lambda cast, secret: cast.put("/agents/me/tools", [{"name": "look", "side_effects": False, "description": f"password: {secret}"}]),
    "subject": lambda cast, secret: cast.put("/subjects/piet", {"kind": "person", "display_name": f"password is {secret}"}),
    "record": lambda cast, secret: cast.put("/records/nora", {"wifi_password": secret, "note": f"password: {secret}"}, by="crm"),
    "evidence": _shown,
    "recall": lambda cast, secret: cast.post("/recall", {"subject": "nora", "query": f"my password is {secret}"}),
    "not JSON": lambda cast, secret: cast.call("POST", "/memories", raw=f'{{"password": "{secret}"'),
    "an unknown field": lambda cast, secret: cast.post("/memories", {"subject": "nora", "text": "x", "password": secret}),
    "a wrong value": lambda cast, secret: cast.post("/memories", {"subject": "nora", "text": "x", "channel": f"password={secret}"}),
    "an unknown path": lambda cast, secret: cast.get(f"/memories/password={secret}"),
    "a wrong key": lambda cast, secret: cast.get("/subjects", by=None, Authorization=f"Bearer {secret}"),
}  # fmt: skip


def _dump() -> str:
    """Every row of every table, as text."""
    logins = settings.MEMORYHUB_LOGINS
    rows: list[str] = []
    with database.connect(logins.administrator | {"dbname": settings.DATABASES["default"]["NAME"]}) as administrator:
        tables = administrator.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for table in tables:
            query = sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(*table))
            rows += [f"{table[1]}: {row[0]}" for row in administrator.execute(query).fetchall()]
    return "\n".join(rows)


def test_no_way_of_writing_leaves_the_secret_anywhere(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told: dict[str, tuple[str, Reply]] = {}
    for number, (way, write) in enumerate(WAYS.items()):
        secret = f"kestrel{number:02}Zq{number * 7919 % 9973:04}x"
        told[way] = (secret, write(cast, secret))
    assert told["text"][1].ops == ["REFUSED"]
    call_command("dream", "--organisation", cast.slug)
    everything = _dump()
    logged = "\n".join(
        f"{record.getMessage()} {record.__dict__}" for record in caplog.records if record.name != "asyncio"
    )
    kept = [way for way, (secret, _) in told.items() if secret in everything]
    echoed = [way for way, (secret, reply) in told.items() if secret in str(reply.body) or secret in str(reply.headers)]
    written = [way for way, (secret, _) in told.items() if secret in logged]
    where = [line[:300] for way in kept for line in everything.splitlines() if told[way][0] in line]
    assert (kept, echoed, written) == ([], [], []), (where, {way: told[way][1].body for way in echoed})
    assert all(reply.status < 500 for _, reply in told.values()), {
        way: reply.status for way, (_, reply) in told.items()
    }


def test_the_dump_sees_what_is_kept(cast: Cast) -> None:
    cast.say("I prefer quinces in November")
    assert "quinces in November" in _dump()
