"""Who may do what to which memory, written out once more by hand: what the authority matrix is held against.

Every line is a role, a kind, operations and categories by name, without `*` and without the code's own tables, so that
neither can drift without the other. What no line names is not allowed.
"""

from dataclasses import dataclass
from typing import Any

ROLES = ("customer", "agent", "dreamer", "curator", "system_of_record", "operator")
KINDS = ("episodic", "semantic", "procedural")
OPS = ("add", "update", "delete", "read", "approve", "erase")
ORDINARY = (
    "preference", "contact", "account_fact", "project_fact", "instruction", "episode_outcome", "lesson", "general",
)  # fmt: skip
AUTHORITY = ("policy_limit", "entitlement", "identity")
CATEGORIES = (*ORDINARY, *AUTHORITY)
TRUSTED = ("user_message", "agent_inference", "system_of_record", "curator", "user_page", "dream", "evidence")
UNTRUSTED = ("tool_result", "document", "web_page", "email")
CHANNELS = (*TRUSTED, *UNTRUSTED)

_SHIPPED = """
customer          semantic    add update delete                       preference contact account_fact project_fact instruction general
agent             semantic    add update                              preference contact account_fact project_fact instruction general lesson
agent             episodic    add                                     episode_outcome
agent             procedural  add                                     ORDINARY
dreamer           semantic    add update                              preference contact account_fact project_fact instruction general
dreamer           episodic    add update                              ORDINARY
dreamer           procedural  add                                     lesson
curator           episodic    add update delete read approve erase    ORDINARY AUTHORITY
curator           semantic    add update delete read approve erase    ORDINARY AUTHORITY
curator           procedural  add update delete read approve erase    ORDINARY AUTHORITY
system_of_record  semantic    add update delete read approve erase    ORDINARY AUTHORITY
system_of_record  episodic    approve                                 episode_outcome
system_of_record  procedural  approve                                 lesson
operator          episodic    add                                     ORDINARY
operator          episodic    read erase                              ORDINARY AUTHORITY
operator          semantic    read erase                              ORDINARY AUTHORITY
operator          procedural  read erase                              ORDINARY AUTHORITY
"""

#: A policy unlike the shipped one in every role.
CHANGED_DOCUMENT: dict[str, Any] = {
    "grants": {
        "customer": ["memory:semantic:add:*", "memory:semantic:update:preference"],
        "agent": ["memory:*:add:*"],
        "dreamer": [],
        "curator": ["memory:semantic:add:*", "memory:semantic:approve:entitlement", "memory:episodic:*:general"],
        "system_of_record": ["memory:*:update:identity", "memory:semantic:add:contact"],
        "operator": ["memory:*:*:*"],
    }
}
_CHANGED = """
customer          semantic    add                                     ORDINARY
customer          semantic    update                                  preference
agent             semantic    add                                     ORDINARY
agent             episodic    add                                     ORDINARY
agent             procedural  add                                     ORDINARY
curator           semantic    add                                     ORDINARY AUTHORITY
curator           semantic    approve                                 entitlement
curator           episodic    add update delete read approve erase    general
system_of_record  episodic    update                                  identity
system_of_record  semantic    update                                  identity
system_of_record  procedural  update                                  identity
system_of_record  semantic    add                                     contact
operator          episodic    add update approve                      ORDINARY
operator          semantic    add update approve                      ORDINARY
operator          procedural  add update approve                      ORDINARY
operator          episodic    delete read erase                       ORDINARY AUTHORITY
operator          semantic    delete read erase                       ORDINARY AUTHORITY
operator          procedural  delete read erase                       ORDINARY AUTHORITY
"""


@dataclass(frozen=True)
class Table:
    """The cells that are allowed."""

    cells: frozenset[tuple[str, str, str, str]]

    def allows(self, *, role: str, kind: str, op: str, category: str, channel: str) -> bool:
        """One cell. What an agent read somewhere teaches it no procedure, whatever its grants."""
        if role == "agent" and kind == "procedural" and channel in UNTRUSTED:
            return False
        return (role, kind, op, category) in self.cells

    @staticmethod
    def claims_authority(*, role: str, op: str, category: str) -> bool:
        """Whether a refusal says that authority was claimed, rather than that the grant is missing."""
        states = op in ("add", "update", "approve")
        return states and category in AUTHORITY and role not in ("curator", "system_of_record")


def _table(text: str) -> Table:
    cells = set()
    for line in text.split("\n"):
        words = line.split()
        if not words:
            continue
        role, kind, *rest = words
        ops = [word for word in rest if word in OPS]
        named = [word for word in rest if word not in OPS]
        groups = {"ORDINARY": ORDINARY, "AUTHORITY": AUTHORITY}
        categories = [one for word in named for one in groups.get(word, (word,))]
        assert role in ROLES, line
        assert kind in KINDS, line
        assert set(categories) <= set(CATEGORIES), line
        cells |= {(role, kind, op, category) for op in ops for category in categories}
    return Table(frozenset(cells))


SHIPPED_TABLE = _table(_SHIPPED)
CHANGED_TABLE = _table(_CHANGED)
