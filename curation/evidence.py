"""What stands behind a claim or a skill? Gathers, for one page, what a person needs to judge it (R92)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.differences import Part, by_words
from memoryhub.governance import review_queue
from memoryhub.governance.procedures import active_profile, active_skills, document_of
from memoryhub.models import Entry, Event, Profile, ReviewItem, Skill
from memoryhub.skills.skillmd import write

SESSIONS = 20  # shown of those behind one skill; the count says how many there are


@dataclass(frozen=True)
class SessionShown:
    """One session in which a pattern was seen: whose, when, and the words and findings of that turn."""

    session_ref: str
    subject: str
    seen_at: datetime
    said: str
    withheld: bool
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Evidence:
    """Everything beside one review item."""

    similar: Sequence[Entry]
    against: Entry | None
    changes: Sequence[Part]
    document: str
    in_force: Skill | Profile | None
    sessions: Sequence[SessionShown]
    session_count: int


def behind(item: ReviewItem) -> Evidence:
    """Read, in a fixed number of queries, what is known beside the item."""
    similar = review_queue.similar_to(item)
    against = _against(item, similar)
    changes: Sequence[Part] = ()
    document = ""
    in_force: Skill | Profile | None = None
    sessions: Sequence[SessionShown] = ()
    count = 0
    if item.entry is not None and against is not None:
        changes = by_words(against.content, item.entry.content)
    if item.skill is not None:
        document = text_of(item.skill)
        if (older := _skill_in_force(item.skill)) is not None:
            in_force, changes = older, by_words(text_of(older), document)
        sessions, count = sessions_behind(item.skill), item.skill.evidence.count()
    if item.profile is not None:
        document = item.profile.text
        before = active_profile(item.profile.agent)
        if before is not None and before.pk != item.profile.pk:
            in_force, changes = before, by_words(before.text, document)
    return Evidence(
        similar=[entry for entry in similar if against is None or entry.pk != against.pk],
        against=against, changes=changes, document=document, in_force=in_force, sessions=sessions, session_count=count,
    )  # fmt: skip


def text_of(skill: Skill) -> str:
    """The SKILL.md as a file."""
    return write(document_of(skill))


def sessions_behind(skill: Skill) -> list[SessionShown]:
    """The sessions a learned skill rests on, newest first, with the words of their turns while those are kept (R74)."""
    seen = list(skill.evidence.select_related("subject").order_by("-seen_at", "id")[:SESSIONS])
    events = {
        event.external_id: event
        for event in Event.objects.filter(agent=skill.agent_id, external_id__in=[one.event_ref for one in seen])
    }
    shown = []
    for one in seen:
        event = events.get(one.event_ref)
        signals = event.signals if event else []
        shown.append(
            SessionShown(
                session_ref=one.session_ref,
                subject=(one.subject.display_name or one.subject.external_id) if one.subject else "",
                seen_at=one.seen_at,
                said=event.user_input if event else "",
                withheld=bool(event and event.withheld),
                findings=tuple(f"{signal.get('kind', '')}: {signal.get('value', '')}" for signal in signals),
            )
        )
    return shown


def _against(item: ReviewItem, similar: Sequence[Entry]) -> Entry | None:
    """The entry that approving would put out of force: the rival, or what holds the same single-valued key."""
    if item.rival is not None:
        return item.rival
    entry = item.entry
    if entry is None or not entry.key or not entry.single:
        return None
    return next((other for other in similar if other.key == entry.key and other.valid_to is None), None)


def _skill_in_force(skill: Skill) -> Skill | None:
    return next((one for one in active_skills(skill.agent) if one.name == skill.name and one.pk != skill.pk), None)
