"""What changes for the agent when a curator says yes, and when they say no? One sentence each (R92)."""

from dataclasses import dataclass

from curation.evidence import Evidence
from memoryhub.governance.procedures import tools_of
from memoryhub.models import Entry, ReviewItem, Skill
from memoryhub.vocabulary import ReviewType, Scope, Status

_SHOWN = 140  # characters of a statement inside a sentence
_READERS = {
    Scope.SUBJECT: "in conversations with {who}",
    Scope.ACCOUNT: "in conversations with everyone of {who}",
    Scope.TEAM: "in conversations with everyone of {who}",
    Scope.AGENT: "in all its conversations",
    Scope.ORGANISATION: "in every conversation of the organisation",
}


@dataclass(frozen=True)
class Effects:
    """What a yes and a no do. `acts`: tools that change things outside which a yes would put in an agent's hands."""

    yes: str
    no: str
    acts: tuple[str, ...] = ()


def effects_of(item: ReviewItem, evidence: Evidence) -> Effects:
    """Both sentences about an item that waits."""
    if item.skill is not None:
        return _of_skill(item.skill, evidence)
    if item.profile is not None:
        instead = f", in place of version {evidence.in_force.number}" if evidence.in_force else ""
        return Effects(f"{item.profile.agent.name} reads it on every turn{instead}.", "Nothing changes for the agent.")
    assert item.entry is not None  # exactly one of three
    return _of_entry(item, item.entry, evidence)


def acting_tools(skill: Skill) -> tuple[str, ...]:
    """The tools a skill names that change things outside: a yes to it asks once more."""
    acting = {tool.name for tool in tools_of(skill.agent) if tool.side_effects}
    return tuple(name for name in skill.tools if name in acting)


def _of_skill(skill: Skill, evidence: Evidence) -> Effects:
    acts = acting_tools(skill)
    when = "on every turn" if skill.always else "from the next turn that fits"
    instead = f", in place of version {evidence.in_force.number}" if evidence.in_force else ""
    warning = f" It may then use {' and '.join(acts)}, which changes things outside." if acts else ""
    return Effects(
        f"{skill.agent.name} follows it {when}{instead}.{warning}",
        "Nothing changes for the agent; the same pattern comes back only with more sessions behind it.",
        acts,
    )


def _of_entry(item: ReviewItem, entry: Entry, evidence: Evidence) -> Effects:
    if item.type == ReviewType.DISPUTE and entry.status == Status.ACCEPTED:
        return Effects(
            "The dispute is right: it is taken out of use, and agents are no longer told it.",
            "The dispute is not right: it stays in use.",
        )
    if entry.status == Status.ACCEPTED:
        return Effects(
            "It stays in use, and you vouch for it.",
            "It is in use now, and put away with a no.",
        )
    who = (item.subject.display_name or item.subject.external_id) if item.subject else "whom it is about"
    where = _READERS[Scope(entry.scope)].format(who=who)
    no = "Nothing changes for the agent; the same does not come back without new evidence."
    if evidence.against is not None and evidence.changes:
        old, new = _cut(evidence.against.content), _cut(entry.content)
        return Effects(f"From the next call on agents are told “{new}” instead of “{old}”, {where}.", no)
    return Effects(f"Agents may use it from the next call on, {where}.", no)


def _cut(text: str) -> str:
    text = text.strip().rstrip(".")
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"
