"""The gate itself against the authority table: every way to speak, kind and category, so that neither drifts (R15; S8)."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product

import pytest

from memoryhub.governance import policy_versions
from memoryhub.governance.intake import Proposal, Result, propose
from memoryhub.models import Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role
from tests.factories.authority import (
    CATEGORIES,
    CHANGED_DOCUMENT,
    CHANGED_TABLE,
    KINDS,
    SHIPPED_TABLE,
    UNTRUSTED,
    Table,
)
from tests.factories.ground import NOW, Ground

#: Every way anybody can speak to the gate: the channels open to callers, the page, and dreams.
VOICES = [
    ("customer", "user_message"), ("customer", "user_page"), ("agent", "agent_inference"), ("agent", "tool_result"),
    ("agent", "document"), ("agent", "web_page"), ("agent", "email"), ("dreamer", "dream"), ("curator", "curator"),
    ("system_of_record", "system_of_record"), ("system_of_record", "evidence"), ("operator", "agent_inference"),
    ("operator", "system_of_record"),
]  # fmt: skip
#: Channels whose word needs nobody else's.
SETTLING = ("curator", "system_of_record", "evidence")
#: Those whose certain word is kept at once, so that it can replace another.
REPLACING = [
    ("customer", "user_message"), ("dreamer", "dream"), ("curator", "curator"),
    ("system_of_record", "system_of_record"), ("operator", "user_message"),
]  # fmt: skip
#: Roles that may add nothing semantic: as shipped, and under the other policy.
ABSENT = {True: {"operator"}, False: {"dreamer"}}
REFUSALS = {Reason.NOT_GRANTED, Reason.AUTHORITY_CLAIM}


def speaker(ground: Ground, role: str) -> Principal:
    return {
        "curator": ground.as_cal, "system_of_record": ground.as_record, "operator": ground.as_operator,
    }.get(role, ground.as_agent)  # fmt: skip


def offer(
    ground: Ground, subject: Subject, role: str, channel: str, kind: str, category: str, *, key: str, value: str,
    dry_run: bool = True, days: int = 0,
) -> Result:  # fmt: skip
    by = speaker(ground, role)
    now = NOW + timedelta(days=days)
    proposal = Proposal(
        subject=subject, text=f"The {key} is {value}", channel=Channel(channel), role=Role(role), kind=Kind(kind),
        category=Category(category), key=key, value=value,
    )  # fmt: skip
    with acting_for(by, subjects=[subject.pk]):
        return propose(proposal=proposal, by=by, now=now, dry_run=dry_run).results[0]


def expected(table: Table, role: str, channel: str, kind: str, category: str) -> set[Op]:
    """What the gate may make of a new, plain and certain statement; how to act is procedural, whatever it is called."""
    what = "procedural" if category == "instruction" and kind == "semantic" else kind
    if not table.allows(role=role, kind=what, op="add", category=category, channel=channel):
        return {Op.REFUSED}
    if channel in UNTRUSTED or channel == "agent_inference":
        return {Op.QUEUED}
    if what == "procedural" and channel not in SETTLING:
        return {Op.QUEUED}
    return {Op.ADD}


def cells() -> Iterator[tuple[str, str, str, str]]:
    for (role, channel), kind, category in product(VOICES, KINDS, CATEGORIES):
        yield role, channel, kind, category


POLICIES = pytest.mark.parametrize(("document", "table"), [(None, SHIPPED_TABLE), (CHANGED_DOCUMENT, CHANGED_TABLE)])


def put_in_force(ground: Ground, document: object) -> None:
    if document is not None:
        with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
            policy_versions.change(document=document, reason="matrix", by=ground.as_operator, now=NOW)


@POLICIES
@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.long)])  # 4 shares no factor with 3 or 11
def test_the_gate_does_what_the_table_says(
    ground: Ground, asha: Subject, document: object, table: Table, stride: int
) -> None:
    put_in_force(ground, document)
    wrong = []
    for role, channel, kind, category in list(cells())[::stride]:
        result = offer(ground, asha, role, channel, kind, category, key="crate", value="blue")
        told = result.op in expected(table, role, channel, kind, category)
        if not told or (result.op == Op.REFUSED and result.reason not in REFUSALS):
            wrong.append((role, channel, kind, category, str(result.op), str(result.reason)))
    assert wrong == []


@POLICIES
def test_the_gate_replaces_what_is_in_force_where_the_table_says(
    ground: Ground, asha: Subject, document: object, table: Table
) -> None:
    """The same voice says another value under the same key: replaced where the role may update, else refused."""
    put_in_force(ground, document)
    wrong, seen = [], set()
    for (role, channel), category in product(REPLACING, CATEGORIES):
        if expected(table, role, channel, "semantic", category) != {Op.ADD}:
            continue
        key = f"crate_{CATEGORIES.index(category)}_{role}"
        said = {"key": key, "value": "blue", "dry_run": False}
        assert offer(ground, asha, role, channel, "semantic", category, **said).op == Op.ADD, (role, category)
        result = offer(ground, asha, role, channel, "semantic", category, key=key, value="red", days=1)
        may = table.allows(role=role, kind="semantic", op="update", category=category, channel=channel)
        if (result.op, result.reason) != ((Op.UPDATE, Reason.SUPERSEDED) if may else (Op.REFUSED, Reason.NOT_GRANTED)):
            wrong.append((role, category, str(result.op), str(result.reason)))
        seen.add(role)
    assert wrong == []
    assert seen == {role for role, _ in REPLACING} - ABSENT[document is None]
