"""The authority matrix: every role × kind × op × category × channel against the table written out by hand (R15; S8)."""

from itertools import product

import pytest

from memoryhub.governance.policy import SHIPPED, Policy
from memoryhub.governance.policy_document import read
from memoryhub.permissions import Grant, grant
from memoryhub.vocabulary import Category, Channel, Kind, Role
from tests.factories import authority
from tests.factories.authority import CHANGED_DOCUMENT, CHANGED_TABLE, SHIPPED_TABLE, Table

CHANGED = read(CHANGED_DOCUMENT, base=SHIPPED)
CELLS = list(
    product(authority.ROLES, authority.KINDS, authority.OPS, authority.CATEGORIES, authority.CHANNELS)
)  # 13,068


def test_the_matrix_leaves_no_word_out() -> None:
    assert set(authority.ROLES) == {str(role) for role in Role}
    assert set(authority.KINDS) == {str(kind) for kind in Kind}
    assert set(authority.CATEGORIES) == {str(category) for category in Category}
    assert set(authority.CHANNELS) == {str(channel) for channel in Channel}
    assert len(CELLS) == 6 * 3 * 6 * 11 * 11


@pytest.mark.parametrize(("policy", "table"), [(SHIPPED, SHIPPED_TABLE), (CHANGED, CHANGED_TABLE)])
def test_every_cell_is_as_the_table_says(policy: Policy, table: Table) -> None:
    wrong = []
    for role, kind, op, category, channel in CELLS:
        found = grant(role=Role(role), channel=channel, kind=kind, op=op, category=category, grants=policy.grants)
        allowed = table.allows(role=role, kind=kind, op=op, category=category, channel=channel)
        claims = table.claims_authority(role=role, op=op, category=category)
        if found != Grant(allowed=allowed, authority_claim=claims):
            wrong.append((role, kind, op, category, channel))
    assert wrong == []


def test_the_changed_policy_differs_in_every_role() -> None:
    differs = {cell[0] for cell in SHIPPED_TABLE.cells ^ CHANGED_TABLE.cells}
    assert differs == set(authority.ROLES)


def test_without_a_policy_the_shipped_grants_are_asked() -> None:
    asked = {"channel": "user_message", "kind": "semantic", "op": "add"}
    assert grant(role=Role.CUSTOMER, category="preference", **asked).allowed
    assert not grant(role=Role.CUSTOMER, category="lesson", **asked).allowed
