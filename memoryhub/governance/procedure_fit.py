"""Does a skill or a profile fit its agent, and how much room does it take? As it is shown to people (R81)."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Literal

from accounts.models import Agent
from memoryhub import conf
from memoryhub.governance.procedures import active_profile, active_skills, tools_of
from memoryhub.models import Profile, Skill
from memoryhub.providers.embeddings import embedder

Fault = Literal["", "missing", "acts"]


@dataclass(frozen=True)
class NamedTool:
    """A tool that a skill names or has looked up first. `fault`: it is `missing` at the agent, or it `acts` where only
    reading is allowed.
    """

    name: str
    prefetched: bool
    fault: Fault
    side_effects: bool


@dataclass(frozen=True)
class Share:
    """What one part takes of the budget, in tokens; `shown`: it is the one the page is about."""

    name: str
    tokens: int
    shown: bool = False


@dataclass(frozen=True)
class Room:
    """The profile and the largest skills against the budget, in tokens (R81). `others`: skills that count for nothing,
    because larger ones do."""

    shares: tuple[Share, ...]
    budget: int
    others: int

    @property
    def taken(self) -> int:
        """Tokens in all."""
        return sum(share.tokens for share in self.shares)

    @property
    def over(self) -> int:
        """Tokens past the budget."""
        return max(0, self.taken - self.budget)

    @property
    def free(self) -> int:
        """Tokens that are left."""
        return max(0, self.budget - self.taken)


def tools_named(skill: Skill) -> list[NamedTool]:
    """Every tool a skill names, held against those its agent declares, in one query."""
    declared = {tool.name: tool.side_effects for tool in tools_of(skill.agent)}
    found = []
    for names, prefetched in ((skill.prefetch, True), (skill.tools, False)):
        for name in names:
            fault: Fault = "missing" if name not in declared else "acts" if prefetched and declared[name] else ""
            found.append(NamedTool(name, prefetched, fault, declared.get(name, False)))
    return found


def room_of(agent: Agent, *, skill: Skill | None = None, profile: Profile | None = None) -> Room:
    """How the budget stands with this version of a skill or profile in force, or as it is where neither is given."""
    count = embedder().count_tokens
    shown = profile or active_profile(agent)
    rest = [one for one in active_skills(agent) if skill is None or one.name != skill.name]
    skills: Sequence[Skill] = [*rest, skill] if skill is not None else rest
    counted = [Share(one.name, count(one.body), shown=one is skill) for one in skills]
    largest = nlargest(conf.ACTIVE_SKILLS, counted, key=lambda share: share.tokens)
    first = [Share("AGENT.md", count(shown.text), shown=profile is not None)] if shown is not None else []
    return Room((*first, *largest), conf.PROCEDURE_TOKEN_BUDGET, others=len(counted) - len(largest))
