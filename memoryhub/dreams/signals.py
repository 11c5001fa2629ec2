"""Which findings may an agent learn from? Those its configuration declares (R73, R79).

An agent that declares kinds of signals learns from these alone; one that declares none learns from every kind, in
wording that says no more than what was recorded, and with no tools. Of an agent that remembers only how its runs fail
nothing but these findings is kept; where it declares none they are the kinds in which runs fail.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.models import Agent
from memoryhub import conf
from memoryhub.models import AgentSignal


def declared(agent: Agent) -> frozenset[str]:
    """The kinds of signals the agent's configuration names; empty: none are named."""
    return frozenset(AgentSignal.objects.filter(agent=agent).values_list("kind", flat=True))


def teaches(kind: str, kinds: frozenset[str]) -> bool:
    """Whether a finding of this kind may become a lesson, `kinds` being those the agent declares."""
    return not kinds or kind in kinds


def of_failures(signals: Iterable[object], agent: Agent) -> list[Mapping[str, Any]]:
    """Of a turn's signals those that say how a run failed, in the agent's own kinds (R79)."""
    kinds = declared(agent) or conf.FAILURE_SIGNALS
    return [each for each in signals if isinstance(each, Mapping) and each.get("kind") in kinds]
