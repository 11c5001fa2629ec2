"""Who may do or see it? Roles, grants and the people behind keys; `check_…` raises, `can_…` answers (R15, R92; api.md).

Two tables decide. `ACTIONS` says which key roles may call what. Grants say which kinds of memory a role may write, as
`memory:<kind>:<op>:<category>` with `*` for any; they are asked after classification, because whether a claim may be
written depends on what it claims. `GRANTS` is the table as shipped; the organisation's policy may hold another.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.db.models import Q, QuerySet

from accounts.models import Agent
from memoryhub.errors import Invalid, NotGranted
from memoryhub.models import ReviewItem, SubjectMember
from memoryhub.models.subject import Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Category, Channel, KeyRole, Kind, MemberRole, Role, SubjectKind

AGENT, RELAY, RECORD = KeyRole.AGENT, KeyRole.CUSTOMER_RELAY, KeyRole.SYSTEM_OF_RECORD
CURATOR, OPERATOR, AUDITOR = KeyRole.CURATOR, KeyRole.OPERATOR, KeyRole.AUDITOR

#: Which key roles may do what (api.md, roles of keys).
ACTIONS: dict[str, frozenset[str]] = {
    "propose": frozenset({AGENT, RELAY, RECORD, CURATOR}),
    "change_entry": frozenset({RELAY, RECORD, CURATOR}),
    "erase_entry": frozenset({RELAY, OPERATOR}),
    "confirm": frozenset({RELAY, CURATOR}),
    "dispute": frozenset({RELAY, CURATOR}),
    "read_entries": frozenset({RELAY, AGENT, CURATOR, OPERATOR}),
    "recall": frozenset({AGENT, OPERATOR}),
    "memory_files": frozenset({AGENT, RELAY, CURATOR, OPERATOR}),  # each command asks for the right to what it does
    "read_graph": frozenset({AGENT, CURATOR, OPERATOR}),
    "post_turn": frozenset({AGENT}),
    "use_session": frozenset({AGENT}),
    "read_session": frozenset({AGENT, OPERATOR}),
    "export": frozenset({RELAY, OPERATOR}),
    "erase_subject": frozenset({RELAY, OPERATOR}),
    "pause": frozenset({RELAY, OPERATOR}),
    "page_link": frozenset({RELAY}),
    "hand_out_page_link": frozenset(
        {OPERATOR}
    ),  # on a page, to the person who asks for it; the API leaves it to relays
    "change_subject": frozenset({AGENT, RELAY, RECORD, OPERATOR}),
    "read_subjects": frozenset({AGENT, RELAY, CURATOR, OPERATOR}),
    "dream": frozenset({OPERATOR}),
    "read_dreams": frozenset({OPERATOR, CURATOR, AUDITOR}),
    "read_figures": frozenset({CURATOR, OPERATOR, AUDITOR}),
    "read_events": frozenset({OPERATOR}),
    "read_decision": frozenset({AGENT, RELAY, RECORD, CURATOR, OPERATOR, AUDITOR}),
    "read_recall": frozenset({AGENT, CURATOR, OPERATOR, AUDITOR}),
    "report_use": frozenset({AGENT}),
    "read_queue": frozenset({CURATOR, OPERATOR}),
    "decide": frozenset({CURATOR}),
    "try_out": frozenset({CURATOR, OPERATOR}),
    "read_skills": frozenset({AGENT, CURATOR, OPERATOR}),
    "propose_skill": frozenset({AGENT, CURATOR}),
    "configure_agent": frozenset({AGENT}),
    "read_audit": frozenset({OPERATOR, AUDITOR}),
    "push_records": frozenset({RECORD}),
    "give_evidence": frozenset({RECORD}),
    "change_policy": frozenset({OPERATOR}),
    "read_policy": frozenset({CURATOR, OPERATOR}),
    "read_agents": frozenset({CURATOR, OPERATOR}),
    "change_agent": frozenset({OPERATOR}),
    "read_notices": frozenset({AGENT}),
    "set_webhooks": frozenset({OPERATOR}),
    "read_members": frozenset({OPERATOR, AUDITOR}),
    "change_members": frozenset({OPERATOR}),
    "read_roles": frozenset({CURATOR, OPERATOR, AUDITOR}),
}

#: What a signed-in person's membership lets them do, in the words of key roles.
MEMBER_ROLES: dict[str, frozenset[str]] = {
    MemberRole.CURATOR: frozenset({CURATOR}),
    MemberRole.OPERATOR: frozenset({OPERATOR}),
    MemberRole.AUDITOR: frozenset({AUDITOR}),
    MemberRole.CUSTOMER: frozenset({"person"}),
}

#: Categories that give somebody a right, a limit or a verified name; nobody may write their own (R15).
AUTHORITY_CATEGORIES = frozenset({Category.POLICY_LIMIT, Category.ENTITLEMENT, Category.IDENTITY})
#: Who may state one nonetheless: whoever answers for it.
MAY_STATE_AUTHORITY = frozenset({Role.CURATOR, Role.SYSTEM_OF_RECORD})
#: What a grant can be for (R15), and which of it puts a statement in force.
GRANTED_OPS = ("add", "update", "delete", "read", "approve", "erase")
STATING = ("add", "update", "approve")

#: What a member may say about their project, site, team or account, as shipped (R15).
MEMBER_MAY_ADD = frozenset({Category.PREFERENCE, Category.PROJECT_FACT})

_OWN = ("preference", "contact", "account_fact", "project_fact", "instruction", "general")
#: Who may write what, as shipped.
GRANTS: dict[Role, frozenset[str]] = {
    Role.CUSTOMER: frozenset(
        f"memory:semantic:{op}:{category}" for op in ("add", "update", "delete") for category in _OWN
    ),
    Role.AGENT: frozenset(
        {f"memory:semantic:{op}:{category}" for op in ("add", "update") for category in (*_OWN, "lesson")}
        | {"memory:episodic:add:episode_outcome", "memory:procedural:add:*"}
    ),
    Role.DREAMER: frozenset(
        {f"memory:semantic:{op}:{category}" for op in ("add", "update") for category in _OWN}
        | {"memory:episodic:add:*", "memory:episodic:update:*", "memory:procedural:add:lesson"}
    ),
    Role.CURATOR: frozenset({"memory:*:*:*"}),
    Role.SYSTEM_OF_RECORD: frozenset(
        {
            "memory:semantic:*:*",
            # What its evidence backs (R19): it writes no notes, but shows that a fix was merged
            "memory:episodic:approve:episode_outcome",
            "memory:procedural:approve:lesson",
        }
    ),
    Role.OPERATOR: frozenset({"memory:episodic:add:*", "memory:*:erase:*", "memory:*:read:*"}),
}

#: Which key role may speak through a channel, and as which principal (R14: never from the text).
SPEAKS: dict[str, tuple[str, Role]] = {
    Channel.USER_MESSAGE: (RELAY, Role.CUSTOMER),
    Channel.AGENT_INFERENCE: (AGENT, Role.AGENT),
    Channel.TOOL_RESULT: (AGENT, Role.AGENT),
    Channel.DOCUMENT: (AGENT, Role.AGENT),
    Channel.WEB_PAGE: (AGENT, Role.AGENT),
    Channel.EMAIL: (AGENT, Role.AGENT),
    Channel.SYSTEM_OF_RECORD: (RECORD, Role.SYSTEM_OF_RECORD),
    Channel.EVIDENCE: (RECORD, Role.SYSTEM_OF_RECORD),
    Channel.CURATOR: (CURATOR, Role.CURATOR),
}


#: Whoever has one of these works here; everybody else is somebody who is remembered.
STAFF = frozenset({CURATOR, OPERATOR, AUDITOR})


@dataclass(frozen=True)
class Grant:
    """Whether a role may write such a memory: `allowed`, or refused because it claims authority or is not granted."""

    allowed: bool
    authority_claim: bool = False


def can_do(principal: Principal, action: str) -> bool:
    """Whether any of the principal's roles may do `action`."""
    return bool(ACTIONS[action] & principal.roles)


def is_staff(principal: Principal) -> bool:
    """Whether they work in the organisation, in whatever role."""
    return bool(STAFF & principal.roles)


def check_may(principal: Principal, action: str) -> None:
    """Raise NotGranted, with a sentence naming the roles that may, unless the principal may do `action`."""
    if not can_do(principal, action):
        needed = ", ".join(sorted(str(role) for role in ACTIONS[action]))
        raise NotGranted(f"This needs a key with one of these roles: {needed}.")


def role_through(principal: Principal, channel: str) -> Role:
    """The role in which the principal speaks through `channel`; raises NotGranted, or Invalid for an inner channel."""
    if channel not in SPEAKS:
        raise Invalid(errors={"channel": [f"'{channel}' is not open to callers."]})
    needed, role = SPEAKS[channel]
    if needed not in principal.roles:
        raise NotGranted(f"The channel '{channel}' needs a key with the role {needed}.")
    return role


def grant(
    *,
    role: Role,
    channel: str,
    kind: str,
    op: str,
    category: str,
    grants: Mapping[Role, frozenset[str]] = GRANTS,
) -> Grant:
    """May `role` do `op` to a memory of this kind and category, through this channel? (R15) `grants` is the policy's.

    An agent may pass on what it inferred about a limit for a person to decide, but text nobody vouched for may not.
    """
    if op in STATING and category in AUTHORITY_CATEGORIES and role not in MAY_STATE_AUTHORITY:
        return Grant(allowed=False, authority_claim=True)
    if role == Role.AGENT and channel in UNTRUSTED_CHANNELS and kind == Kind.PROCEDURAL:
        return Grant(allowed=False)
    wanted = f"memory:{kind}:{op}:{category}"
    return Grant(allowed=any(fnmatchcase(wanted, pattern) for pattern in grants[role]))


def check_may_touch_authority(principal: Principal, category: str) -> None:
    """Raise NotGranted when somebody who may not state a right, limit or verified name means to prolong, date or drop
    it (R15): a person, or a relay in their name. They may say that it is wrong, or have all about themselves erased.
    """
    if category in AUTHORITY_CATEGORIES and not principal.roles & {CURATOR, RECORD, OPERATOR}:
        raise NotGranted("This was set for you, so you can't change it yourself. Ask for a correction instead.")


def speaks_for(speaker: Subject | None, subject: Subject) -> bool:
    """Whether `speaker` is the subject itself or a member who may speak for it (R15)."""
    if speaker is None:
        return subject.kind == SubjectKind.PERSON
    if speaker.pk == subject.pk or speaker.account_id == subject.pk:
        return True
    return SubjectMember.objects.filter(group=subject, person=speaker).exists()


def proposer_of(item: ReviewItem) -> frozenset[object]:
    """The people behind a proposal: whoever proposed it, also while it waited, and owners of agents that did. An agent
    that was read with the item is not read again.
    """
    agent = item.agent if ReviewItem.agent.is_cached(item) else None
    people = (item.proposer_id, agent.owner_id if agent else owner_of(item.agent_id), *item.others)
    return frozenset(person for person in people if person is not None)


def owner_of(agent: uuid.UUID | None) -> uuid.UUID | None:
    """The person an agent's proposals count as."""
    return Agent.objects.filter(pk=agent).values_list("owner_id", flat=True).first() if agent else None


def check_may_decide(principal: Principal, item: ReviewItem) -> None:
    """Raise NotGranted unless the principal is a curator other than the proposer (R92); judged by person, not by
    key."""
    check_may(principal, "decide")
    if principal.user is None:
        raise NotGranted("Only a named curator decides; issue the key with --user.")
    if principal.user in proposer_of(item):
        raise NotGranted("You, or an agent you own, proposed this; somebody else has to decide.")


def may_decide(principal: Principal, item: ReviewItem) -> bool:
    """Whether `check_may_decide` lets the principal."""
    try:
        check_may_decide(principal, item)
    except NotGranted:
        return False
    return True


def groups_of(subject: Subject) -> QuerySet[Subject]:
    """The account of a subject and every account, site, project or team it is a member of."""
    return Subject.objects.filter(
        Q(pk=subject.account_id) | Q(pk__in=SubjectMember.objects.filter(person=subject).values("group"))
    )
