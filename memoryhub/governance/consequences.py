"""What changes for the agent when somebody says yes, or no? One sentence each, from what is beside the item (R92).

Pure: nothing is read or decided here. Words of the claim are quoted as they are; whoever shows them makes hidden
characters visible.
"""

from typing import Final, Protocol

from memoryhub.models import Entry, Profile, ReviewItem, Skill
from memoryhub.vocabulary import Kind, ReviewType, Scope, Status

QUOTED: Final = 90  # characters of a statement in a sentence


class Beside(Protocol):
    """What the sentence needs to know of what is in force: what the claim would put out of force, and the version of
    the skill or profile that it would retire."""

    @property
    def against(self) -> Entry | None: ...
    @property
    def in_force(self) -> Skill | Profile | None: ...


def in_words(item: ReviewItem, evidence: Beside) -> str:
    """What a yes changes, as one sentence."""
    if item.skill is not None:
        return _skill(item.skill, evidence.in_force)
    if item.profile is not None:
        return _profile(item.profile, evidence.in_force)
    entry = item.entry
    if entry is None:
        return ""
    known = quoted(entry.content)
    if item.type == ReviewType.DISPUTE and entry.status == Status.ACCEPTED:
        return f"The agent no longer recalls {known} {_where(entry)}, and nothing takes its place."
    if entry.status == Status.ACCEPTED:
        after = "counts as confirmed and is kept for longer" if item.type != ReviewType.SAMPLE else "stays as it is"
        return f"The agent goes on recalling {known} {_where(entry)}; it {after}."
    since = f"From {entry.valid_from:%-d %B %Y} on" if _begins_later(entry) else "From its next call on"
    recalls = "recalls that this happened:" if entry.kind == Kind.EPISODIC else "recalls"
    told = f"{since} the agent {recalls} {known} {_where(entry)}"
    against = evidence.against
    if against is None or against.pk == entry.pk:
        return f"{told}."
    return f"{told}, instead of {quoted(against.content)}, which becomes history."


def if_declined(item: ReviewItem) -> str:
    """What a no changes, as one sentence."""
    entry = item.entry
    if item.skill is not None or item.profile is not None:
        return "Nothing changes for the agent; a learned skill comes back only with more sessions behind it."
    if entry is None:
        return ""
    if entry.status != Status.ACCEPTED:
        return "Nothing changes for the agent; the same claim does not come back without new evidence."
    if item.type == ReviewType.DISPUTE:
        return f"The agent goes on recalling {quoted(entry.content)}, and it no longer counts as disputed."
    return f"The agent no longer recalls {quoted(entry.content)}; it is put aside."


def quoted(text: str) -> str:
    """A statement in a sentence: its beginning, in quotation marks."""
    words = " ".join(text.split())
    return f"“{words}”" if len(words) <= QUOTED else f"“{words[:QUOTED].rstrip()}…”"


def _begins_later(entry: Entry) -> bool:
    return entry.valid_from > max(entry.recorded_at, entry.provenance.said_at)


def _where(entry: Entry) -> str:
    """In whose conversations it is recalled."""
    name = (entry.subject.display_name or entry.subject.external_id) if entry.subject_id else ""
    return {
        Scope.SUBJECT: f"in conversations with {name}",
        Scope.ACCOUNT: f"in conversations with everyone of {name}",
        Scope.TEAM: f"in conversations with everyone of {name}",
        Scope.AGENT: "whoever it talks to",
        Scope.ORGANISATION: "whoever it talks to, and so does every other agent",
    }[Scope(entry.scope)]


def _skill(skill: Skill, in_force: Skill | Profile | None) -> str:
    if skill.always:
        when = "in every turn"
    elif skill.triggers:
        when = f"when a turn carries {_listed(skill.triggers)}"
    elif skill.keywords:
        when = f"when a turn speaks of {_listed(skill.keywords)}"
    else:
        when = "when a turn is about what its description says"
    first = f", and runs {_listed(skill.prefetch)} first" if skill.prefetch else ""
    told = f"From its next call on {_name(skill.agent)} follows {quoted(skill.name)} {when}{first}"
    if isinstance(in_force, Skill):
        return f"{told}: version {skill.number} in place of version {in_force.number}."
    return f"{told}; so far it had no such procedure."


def _profile(profile: Profile, in_force: Skill | Profile | None) -> str:
    told = f"From its next call on {_name(profile.agent)} reads version {profile.number} of its profile in every turn"
    return f"{told}, in place of version {in_force.number}." if in_force is not None else f"{told}; so far it had none."


def _name(agent: object) -> str:
    return str(getattr(agent, "name", "") or getattr(agent, "slug", "the agent"))


def _listed(words: list[str]) -> str:
    named = [f"{word}" for word in words[:3]]
    rest = f" and {len(words) - 3} more" if len(words) > 3 else ""
    return ", ".join(named) + rest if rest else " or ".join(named)
