"""What stands behind a claim or a skill? Gathers, for one page, what a person needs to judge it (R92)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.differences import Part, by_words
from memoryhub import conf
from memoryhub.governance import reading, review_queue
from memoryhub.governance.procedures import active_profile, active_skills, document_of
from memoryhub.models import Backing, Entry, Event, Profile, ReviewItem, Skill
from memoryhub.models.sealed import in_clear
from memoryhub.skills.skillmd import write
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Kind, Op, Role, Scope, Status

_PUT_IN_FORCE = (Op.ADD, Op.UPDATE)
FOUND = 8  # memories offered to merge into, for the words searched
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
class Known:
    """Something in force, and who stands behind it."""

    entry: Entry
    behind: str


@dataclass(frozen=True)
class Evidence:
    """Everything beside one review item. `similar`: what else is known of it, what it stands against first; `own`: who
    stands behind the item's entry, where it is in force itself.
    """

    similar: Sequence[Known]
    against: Entry | None
    against_behind: str
    own: str
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
    known = [entry for entry in similar if against is None or entry.pk != against.pk]
    if against is not None and against.status == Status.ACCEPTED:
        known = [against, *known]
    disputed = item.entry if item.entry is not None and item.entry.status == Status.ACCEPTED else None
    shown = [*known, *(entry for entry in (against, disputed) if entry is not None)]
    backed = set(Backing.objects.filter(entry__in=shown, op__in=_PUT_IN_FORCE).values_list("entry", flat=True))
    whose = {entry.pk: who_stands_behind(entry, backed=entry.pk in backed) for entry in shown}
    return Evidence(
        similar=[Known(entry, whose[entry.pk]) for entry in known],
        against=against, against_behind=whose[against.pk] if against is not None else "",
        own=whose[disputed.pk] if disputed is not None else "", changes=changes, document=document, in_force=in_force,
        sessions=sessions, session_count=count,
    )  # fmt: skip


def to_merge_into(item: ReviewItem, words: str, *, by: Principal) -> list[Entry]:
    """What is in force about the same, read by the same, and holds the words (or has that id): newest first."""
    entry = item.entry
    if entry is None or not words:
        return []
    wanted = reading.Wanted(subject=entry.subject, kind=entry.kind, sought=words)
    found = reading.entries(wanted=wanted, by=by).filter(
        subject_id=entry.subject_id, status=Status.ACCEPTED, scope=entry.scope, audience_id=entry.audience_id
    )
    if entry.scope == Scope.AGENT:
        found = found.filter(agent=entry.agent)
    return list(found.exclude(pk=entry.pk).order_by("-recorded_at", "-id")[:FOUND])


def who_stands_behind(entry: Entry, *, backed: bool = False) -> str:
    """Whose word something in force is, the strongest first (R18), as the end of a sentence. `backed`: evidence put it
    in force.
    """
    origin = entry.provenance
    if entry.authority >= conf.VERIFIED:
        if Role.SYSTEM_OF_RECORD in (entry.confirmed_by, origin.role) or origin.verified_by:
            backed = backed or origin.channel == Channel.EVIDENCE
            return "evidence was given for it" if backed else "a system of record says so"
        if Role.CURATOR in (entry.confirmed_by, origin.role):
            return "confirmed by a curator"
    if origin.channel in UNTRUSTED_CHANNELS:
        return f"read in {origin.get_channel_display()}; nobody vouched for it"
    if origin.role in (Role.CUSTOMER, Role.DREAMER) and entry.kind != Kind.EPISODIC:
        other = origin.speaker if origin.speaker_id != entry.subject_id else None
        return f"said by {other.display_name or other.external_id}" if other else "said by the person"
    return f"from {origin.get_role_display()}, nobody else confirmed it"


def text_of(skill: Skill) -> str:
    """The SKILL.md as a file."""
    return write(document_of(skill))


def sessions_behind(skill: Skill) -> list[SessionShown]:
    """The sessions a learned skill rests on, newest first, with the words of their turns while those are kept (R74)."""
    seen = list(skill.evidence.select_related("subject").order_by("-seen_at", "id")[:SESSIONS])
    events = {
        event.external_id: event
        for event in in_clear(
            Event.objects.filter(agent=skill.agent_id, external_id__in=[one.event_ref for one in seen])
        )
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
