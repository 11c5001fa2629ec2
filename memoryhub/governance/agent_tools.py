"""What may an agent use, and how do its signals become lessons? Its declared tools and signals (R73, R81).

Declared by the agent or its owner, never learned; a skill may name no tool that is not declared here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import Agent
from memoryhub.errors import Invalid
from memoryhub.governance import audit
from memoryhub.governance.procedures import active_profile, active_skills, check_words, document_of, tools_of
from memoryhub.models import AgentSignal, AgentTool
from memoryhub.providers.embeddings import embedder
from memoryhub.skills.validation import ToolSpec, check_set
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Role


@dataclass(frozen=True)
class SignalSpec:
    """How one kind of signal becomes a lesson; wording may use {value} and {sessions}."""

    kind: str
    wording: str = ""
    tools: tuple[str, ...] = ()
    prefetch: tuple[str, ...] = ()


@transaction.atomic
def set_tools(
    *, agent: Agent, tools: Sequence[ToolSpec], by: Principal, now: datetime, descriptions: dict[str, str] | None = None
) -> None:
    """Replace the agent's declared tools. Raises Invalid when an active skill would no longer fit (R81)."""
    for text in (*(descriptions or {}).values(), *(tool.name for tool in tools)):
        check_words(text, channel=Channel.CURATOR, role=Role.CURATOR, field="tools", by=by)
    if len({tool.name for tool in tools}) != len(tools):
        raise Invalid(errors={"tools": ["Each tool may be named once."]})
    count, profile = embedder().count_tokens, active_profile(agent)
    check_set(
        [document_of(skill) for skill in active_skills(agent)], tools=tools,
        profile_tokens=count(profile.text) if profile else 0, count_tokens=count,
    )  # fmt: skip
    AgentTool.objects.filter(agent=agent).delete()
    AgentTool.objects.bulk_create(
        [
            AgentTool(
                organisation_id=by.organisation, agent=agent, name=tool.name, side_effects=tool.side_effects,
                description=(descriptions or {}).get(tool.name, ""),
            )
            for tool in tools
        ]
    )  # fmt: skip
    audit.record(by=by, now=now, action="agent.tools", object_kind="agent", object_id=agent.pk)


@transaction.atomic
def set_signals(*, agent: Agent, signals: Sequence[SignalSpec], by: Principal, now: datetime) -> None:
    """Replace how the agent's signals become lessons. Raises Invalid for a tool it lacks or a prefetch that would
    act."""
    for signal in signals:
        check_words(
            f"{signal.kind}\n{signal.wording}", channel=Channel.CURATOR, role=Role.CURATOR, field="signals", by=by
        )
    known = {tool.name: tool.side_effects for tool in tools_of(agent)}
    faults = [
        f"'{name}' is no {'read-only ' if name in signal.prefetch else ''}tool of this agent."
        for signal in signals
        for name in (*signal.tools, *signal.prefetch)
        if name not in known or (name in signal.prefetch and known[name])
    ]
    if faults:
        raise Invalid(errors={"signals": faults})
    AgentSignal.objects.filter(agent=agent).delete()
    AgentSignal.objects.bulk_create(
        [
            AgentSignal(
                organisation_id=by.organisation, agent=agent, kind=signal.kind, wording=signal.wording,
                tools=list(signal.tools), prefetch=list(signal.prefetch),
            )
            for signal in signals
        ]
    )  # fmt: skip
    audit.record(by=by, now=now, action="agent.signals", object_kind="agent", object_id=agent.pk)
