"""Which key may do what: the table of api.md, walked over every operation of the OpenAPI document."""

import json
import re
from collections.abc import Iterator

import pytest

from tests.cast import OPENAPI, PARTS, Cast

EVERYBODY = frozenset(PARTS)
AGENTS = frozenset({"bot", "plain-bot"})
#: path → method → the parts that get past the door; what they then hear depends on what they asked for.
OPEN: dict[str, dict[str, frozenset[str]]] = {
    "/subjects": {"get": AGENTS | {"desk", "rosa", "timo", "olga"}},
    "/subjects/{external_id}": {
        "get": AGENTS | {"desk", "rosa", "timo", "olga"}, "put": AGENTS | {"desk", "crm", "olga"},
    },
    "/subjects/{external_id}/export": {"get": frozenset({"bot", "desk", "olga"})},
    "/subjects/{external_id}/memories": {"delete": frozenset({"bot", "desk", "olga"})},
    "/subjects/{external_id}/pause": {"post": frozenset({"bot", "desk", "olga"})},
    "/subjects/{external_id}/page-link": {"post": frozenset({"bot", "desk"})},
    "/memories": {
        "get": AGENTS | {"desk", "rosa", "timo", "olga"}, "post": AGENTS | {"desk", "crm", "rosa", "timo"},
    },
    "/memories/{entry_id}": {
        "get": AGENTS | {"desk", "rosa", "timo", "olga"}, "patch": frozenset({"bot", "desk", "crm", "rosa", "timo"}),
        "delete": frozenset({"bot", "desk", "olga"}),
    },
    "/memories/{entry_id}/confirm": {"post": frozenset({"bot", "desk", "rosa", "timo"})},
    "/memories/{entry_id}/dispute": {"post": frozenset({"bot", "desk", "rosa", "timo"})},
    "/memories/{entry_id}/review-by": {"post": frozenset({"bot", "desk", "crm", "rosa", "timo"})},
    "/records/{external_id}": {"put": frozenset({"crm"})},
    "/evidence": {"post": frozenset({"crm"})},
    "/decisions/{decision_id}": {"get": EVERYBODY},
    "/recall": {"post": AGENTS | {"olga"}},
    "/graph": {"get": AGENTS | {"rosa", "timo", "olga"}},
    "/memory-tool": {"post": AGENTS | {"desk", "rosa", "timo", "olga"}},
    "/recalls/{recall_id}": {"get": AGENTS | {"rosa", "timo", "olga", "kurt"}},
    "/recalls/{recall_id}/used": {"post": AGENTS},
    "/context": {"post": AGENTS},
    "/turns": {"post": AGENTS},
    "/turns:batch": {"post": AGENTS},
    "/sessions/search": {"get": AGENTS | {"olga"}},
    "/sessions/{session_id}": {"get": AGENTS | {"olga"}},
    "/sessions/{session_id}/state": {"patch": AGENTS},
    "/sessions/{session_id}/current": {"post": AGENTS},
    "/sessions/{session_id}/offload": {"post": AGENTS},
    "/sessions/{session_id}/offload/{handle}": {"get": AGENTS | {"olga"}},
    "/sessions/{session_id}/strike": {"post": AGENTS},
    "/sessions/{session_id}/end": {"post": AGENTS},
    "/dreams": {"get": frozenset({"rosa", "timo", "olga", "kurt"}), "post": frozenset({"olga"})},
    "/dreams/{dream_id}": {"get": frozenset({"rosa", "timo", "olga", "kurt"})},
    "/events": {"get": frozenset({"olga"})},
    "/agents/me": {"get": AGENTS},
    "/agents/me/profile": {"put": AGENTS},
    "/agents/me/tools": {"put": AGENTS},
    "/agents/me/signals": {"put": AGENTS},
    "/skills": {"get": AGENTS | {"rosa", "timo", "olga"}, "post": AGENTS | {"rosa", "timo"}},
    "/skills/{name}": {"get": AGENTS | {"rosa", "timo", "olga"}},
    "/queue": {"get": frozenset({"rosa", "timo", "olga"})},
    "/queue/{item_id}": {"get": frozenset({"rosa", "timo", "olga"})},
    **{
        f"/queue/{{item_id}}/{verb}": {"post": frozenset({"rosa", "timo"})}
        for verb in ("approve", "reject", "undo", "claim", "release")
    },
    "/notices": {"get": AGENTS},
    "/webhooks": {"get": frozenset({"olga"}), "post": frozenset({"olga"})},
    "/webhooks/{webhook_id}": {"delete": frozenset({"olga"})},
    **{f"/webhooks/{{webhook_id}}/{verb}": {"post": frozenset({"olga"})} for verb in ("stop", "resume", "renew")},
    "/audit": {"get": frozenset({"olga", "kurt"})},
    "/audit/verify": {"get": frozenset({"olga", "kurt"})},
}  # fmt: skip


def operations() -> Iterator[tuple[str, str]]:
    for path, methods in json.loads(OPENAPI.read_text())["paths"].items():
        for method in methods:
            yield method, path.removeprefix("/api/v1")


def test_the_table_covers_every_operation() -> None:
    assert {(method, path) for path, methods in OPEN.items() for method in methods} == set(operations())


@pytest.mark.parametrize(("method", "path"), sorted(operations()))
def test_only_the_parts_of_the_table_get_past_the_door(cast: Cast, method: str, path: str) -> None:
    address = re.sub(r"\{\w+\}", "unknown-1", path)
    for part in sorted(PARTS):
        status = cast.call(method.upper(), address, None, by=part).status
        assert (status == 403) != (part in OPEN[path][method]), (part, status)
        assert status != 500
    assert cast.call(method.upper(), address, None, by=None).status == 401
