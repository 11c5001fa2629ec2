"""Which agents are there, and what came of what they proposed? And how is one made by an operator? (R16, R93)"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q, QuerySet

from accounts.models import Agent, Key, Membership, User
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import access, audit, policy_versions
from memoryhub.models import AgentPolicy, ReviewItem, Skill
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import MemberRole, ReviewState, ReviewType, SkillStatus


@dataclass(frozen=True)
class Glance:
    """One agent in a list: keys that open something, when one was used last, skills in force, what waits of it."""

    agent: Agent
    policy: AgentPolicy | None
    keys: int
    last_used: datetime | None
    skills: int
    waiting: int


@dataclass(frozen=True)
class Proposed:
    """Of one type of item that an agent brought about: how many there are of each state."""

    type: ReviewType
    counts: dict[ReviewState, int]

    @property
    def waiting(self) -> int:
        return self.counts[ReviewState.WAITING]

    @property
    def decided(self) -> list[tuple[ReviewState, int]]:
        """How the others ended, as far as any did."""
        return [(state, count) for state, count in self.counts.items() if count and state != ReviewState.WAITING]


@transaction.atomic
def make(*, slug: str, name: str, owner: uuid.UUID | None, by: Principal, now: datetime) -> Agent:
    """A new agent that only proposes, whatever the kind (R16). `owner`: the person its proposals count as (R92).

    Raises NotGranted, and Invalid for a slug that can't be or is taken, a blank name, an owner who is no member.
    """
    check_may(by, "change_agent")
    access.check_slug(slug, "slug")
    access.check_label(name)
    person = None
    if owner is not None:
        person = next((one for one in people(by.organisation) if one.pk == owner), None)
        if person is None:
            raise Invalid(errors={"owner": ["They are no curator or operator of this organisation."]})
    try:
        with transaction.atomic():
            agent = Agent.objects.create(organisation_id=by.organisation, slug=slug, name=name.strip(), owner=person)
    except IntegrityError as error:
        raise Invalid(errors={"slug": ["There is an agent with this slug already."]}) from error
    audit.record(by=by, now=now, action="agent.add", object_kind="agent", object_id=agent.pk)
    policy_versions.begin_agent(agent=agent, by=by, now=now)
    return agent


def one(*, agent_id: uuid.UUID, organisation: uuid.UUID) -> Agent:
    """An agent of the organisation. Raises NotFound."""
    found = Agent.objects.filter(organisation_id=organisation, pk=agent_id).select_related("owner").first()
    if found is None:
        raise NotFound
    return found


def people(organisation: uuid.UUID) -> list[User]:
    """Who may own an agent: the organisation's curators and operators, by address."""
    staff = Membership.objects.filter(
        organisation_id=organisation, role__in=[MemberRole.CURATOR, MemberRole.OPERATOR]
    ).values("user")
    return list(User.objects.filter(pk__in=staff, is_active=True).order_by("email"))


def glances(agents: Sequence[Agent], *, now: datetime) -> list[Glance]:
    """Each of these agents at a glance, in four queries however many they are."""
    alive = Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    counted = (
        Key.objects.filter(agent__in=agents)
        .values_list("agent")
        .annotate(alive=Count("pk", filter=alive), used=Max("last_used_at"))
        .order_by()
    )
    keys = {agent: (number, used) for agent, number, used in counted}
    policies = {policy.agent_id: policy for policy in AgentPolicy.objects.filter(agent__in=agents)}
    skills = _counted(Skill.objects.filter(agent__in=agents, status=SkillStatus.ACTIVE))
    waiting = _counted(ReviewItem.objects.filter(agent__in=agents, state=ReviewState.WAITING))
    return [
        Glance(
            agent=agent, policy=policies.get(agent.pk), keys=keys.get(agent.pk, (0, None))[0],
            last_used=keys.get(agent.pk, (0, None))[1], skills=skills.get(agent.pk, 0),
            waiting=waiting.get(agent.pk, 0),
        )
        for agent in agents
    ]  # fmt: skip


def proposed(agent: Agent) -> list[Proposed]:
    """What the agent brought before curators, type by type, and how it was decided; only types there are any of."""
    counts: dict[str, dict[str, int]] = {}
    for row in ReviewItem.objects.filter(agent=agent).values("type", "state").annotate(count=Count("pk")).order_by():
        counts.setdefault(row["type"], {})[row["state"]] = row["count"]
    return [
        Proposed(kind, {state: counts[kind].get(state, 0) for state in ReviewState})
        for kind in ReviewType
        if kind in counts
    ]


def _counted(rows: QuerySet[Any]) -> dict[uuid.UUID, int]:
    return dict(rows.values_list("agent").annotate(Count("pk")).order_by())
