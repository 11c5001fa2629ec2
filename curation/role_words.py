"""What may each role do, in words? One sentence for each action of permissions.ACTIONS, and who it is open to.

Which kinds of memory a role may write is the policy's to say (governance/policy_tables.py); what somebody may open and
change is the same everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_tables import ANY, granted
from memoryhub.permissions import ACTIONS, MEMBER_ROLES
from memoryhub.vocabulary import Category, KeyRole, Kind, MemberRole, Role

LOOK, CHANGE, SPEAK = "look", "change", "speak"

#: What each action lets somebody do, as the end of "may …", and whether it is looking, changing or speaking.
WORDS: Final[dict[str, tuple[str, str]]] = {
    "propose": (SPEAK, "offer something to be remembered"),
    "change_entry": (CHANGE, "change a memory, or say how it really is"),
    "erase_entry": (CHANGE, "forget a memory"),
    "confirm": (CHANGE, "say that a memory is still true"),
    "dispute": (CHANGE, "say that a memory is wrong"),
    "read_entries": (LOOK, "read memories"),
    "recall": (SPEAK, "ask what is remembered"),
    "read_graph": (LOOK, "see how memories hang together"),
    "post_turn": (SPEAK, "hand in finished turns of a conversation"),
    "use_session": (SPEAK, "keep the state of a conversation"),
    "read_session": (LOOK, "read the state of a conversation"),
    "export": (LOOK, "download all that is kept about somebody"),
    "erase_subject": (CHANGE, "forget everything about somebody"),
    "pause": (CHANGE, "stop or resume remembering somebody"),
    "page_link": (SPEAK, "make a link to somebody's own page, by the API"),
    "hand_out_page_link": (CHANGE, "hand out a link to somebody's own page"),
    "change_subject": (CHANGE, "say who somebody is, and to which team they belong"),
    "read_subjects": (LOOK, "see whom memories are about"),
    "dream": (CHANGE, "start dreams, and set when they begin"),
    "read_dreams": (LOOK, "see dreams, jobs and health"),
    "read_figures": (LOOK, "see the dashboard"),
    "read_events": (LOOK, "read what was handed in and is not consolidated yet"),
    "read_decision": (LOOK, "see why something was kept or refused"),
    "read_recall": (LOOK, "see why something was recalled"),
    "report_use": (SPEAK, "report what a memory was good for"),
    "read_queue": (LOOK, "see what waits for a decision, memories and skills"),
    "decide": (CHANGE, "decide what waits"),
    "try_out": (LOOK, "try the gate and recall, keeping nothing"),
    "read_skills": (LOOK, "read skills"),
    "propose_skill": (SPEAK, "propose a skill"),
    "configure_agent": (CHANGE, "say which tools and signals it has"),
    "read_audit": (LOOK, "read and verify the audit trail"),
    "push_records": (SPEAK, "state facts of the record"),
    "give_evidence": (SPEAK, "show that something was done"),
    "change_policy": (CHANGE, "sign the policy"),
    "read_policy": (LOOK, "read the policy"),
    "read_agents": (LOOK, "see agents"),
    "change_agent": (CHANGE, "make agents, and make and end their keys"),
    "read_members": (LOOK, "see who belongs here"),
    "change_members": (CHANGE, "let people in, change their roles, and sign them out"),
    "memory_files": (SPEAK, "keep notes as files, each of which goes through the gate"),
    "read_notices": (SPEAK, "hear which memories it was given are gone or changed"),
    "set_webhooks": (CHANGE, "set up webhooks, which tell agents' back ends what changed"),
    "read_roles": (LOOK, "see what each role may do"),
}

#: What a customer may do on their own page, which no table of actions has: it is theirs alone.
OF_CUSTOMERS: Final = {
    LOOK: ("see all that is remembered about them, and who read it", "download it"),
    CHANGE: (
        "say what is still true and what is not", "correct, forget, and refuse that a kind is remembered",
        "pause, and forget everything",
    ),
    SPEAK: (),
}  # fmt: skip
HEADINGS: Final = ((LOOK, "May look"), (CHANGE, "May change"), (SPEAK, "May say"))


@dataclass(frozen=True)
class RoleTold:
    """One role: whether people or programs have it, and what it may do, by what kind of thing it is."""

    role: str
    label: str
    of_people: bool
    may: tuple[tuple[str, tuple[str, ...]], ...]


def told() -> Iterator[RoleTold]:
    """Every role of people, then every role that only keys have."""
    for member in MemberRole:
        held = MEMBER_ROLES[member]
        words = OF_CUSTOMERS if member == MemberRole.CUSTOMER else _words(held)
        yield RoleTold(member.value, str(member.label), True, _by_heading(words))
    of_people = frozenset().union(*MEMBER_ROLES.values())
    for key in KeyRole:
        if key not in of_people:
            yield RoleTold(key.value, str(key.label), False, _by_heading(_words(frozenset({key}))))


def grants_in_words(policy: Policy) -> list[tuple[str, list[dict[str, str]]]]:
    """Role by role, its lines in words; a role that may write nothing has none."""
    rows: dict[Role, list[dict[str, str]]] = {role: [] for role in Role}
    for line in granted(policy):
        rows[line.role].append(
            {
                "kind": "any" if line.kind == ANY else Kind(line.kind).label,
                "ops": ", ".join("any" if op == ANY else op for op in line.ops),
                "about": ", ".join("any" if one == ANY else Category(one).label for one in line.categories),
            }
        )
    return [(role.label, rows[role]) for role in Role]


def _words(held: frozenset[str]) -> dict[str, tuple[str, ...]]:
    open_to = [WORDS[action] for action, roles in ACTIONS.items() if roles & held and action in WORDS]
    return {kind: tuple(words for of, words in open_to if of == kind) for kind, _ in HEADINGS}


def _by_heading(words: dict[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((heading, words[kind]) for kind, heading in HEADINGS if words[kind])
