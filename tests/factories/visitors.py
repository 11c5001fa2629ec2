"""People in front of pages: who signs in, what is known about Mira, and what waits for a curator."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from memoryhub import jobs
from memoryhub.governance import access, agent_tools, archives, checked_recall, intake, procedures
from memoryhub.governance.agent_tools import SignalSpec
from memoryhub.governance.subjects import readable
from memoryhub.models import Entry, ExportArchive, ReviewItem, Skill, Subject
from memoryhub.recall.search import Query, Recalled
from memoryhub.skills.skillmd import SkillDocument, compose_body
from memoryhub.skills.validation import ToolSpec
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, MemberRole, ReviewState, Role
from tests.factories.ground import NOW, Ground, make_ground

PASSWORD = "a-quiet-harbour-at-dawn"


@dataclass(frozen=True)
class Visitors:
    """Cal and Dee curate, Ada owns the agent and curates, Olu operates, Mira is a customer; `ground` is where."""

    ground: Ground
    cal: User
    dee: User
    ada: User
    olu: User
    mira_user: User
    mira: Subject


def make_visitors() -> Visitors:
    """A fresh organisation with people who can sign in with PASSWORD."""
    ground = make_ground()
    mira = ground.subject("mira")
    tail = ground.organisation.slug.removeprefix("org-")
    found = {user.email.split("-")[0]: user for user in User.objects.filter(email__endswith=f"{tail}@example.org")}
    found["mira"] = User.objects.create_user(f"mira-{tail}@example.org")
    for user in found.values():
        user.set_password(PASSWORD)
        user.save()
    join(ground, found["cal"], "curator")
    join(ground, found["dee"], "curator")
    join(ground, found["ada"], "curator")
    join(ground, found["olu"], "operator")
    join(ground, found["mira"], "customer", subject="mira")
    return Visitors(
        ground=ground, cal=found["cal"], dee=found["dee"], ada=found["ada"], olu=found["olu"], mira_user=found["mira"],
        mira=mira,
    )  # fmt: skip


def join(ground: Ground, user: User, role: str, *, subject: str = "") -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        access.ensure_member(person=user, role=MemberRole(role), subject=subject, by=ground.as_hub, now=NOW)


def tell(
    ground: Ground, subject: Subject, text: str, *, by: Principal | None = None, hours_ago: int = 1, **wishes: Any
) -> list[Entry]:
    """Offer words to the gate as the subject's own (or as `wishes` say); the entries that came of it."""
    who = by or ground.as_agent
    proposal = intake.Proposal(
        **{"subject": subject, "text": text, "channel": Channel.USER_MESSAGE, "role": Role.CUSTOMER, **wishes}
    )
    with acting_for(who, subjects=ALL_SUBJECTS):
        outcome = intake.propose(proposal=proposal, by=who, now=timezone.now() - timedelta(hours=hours_ago))
    return [result.entry for result in outcome.results if result.entry is not None]


def conclude(ground: Ground, subject: Subject, text: str, *, hours_ago: int = 1) -> ReviewItem:
    """An agent's own conclusion, which waits for a curator."""
    (entry,) = tell(ground, subject, text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT, hours_ago=hours_ago)
    return item_of(ground, entry=entry)


def grant_right(ground: Ground, subject: Subject, text: str) -> Entry:
    """A right on record: shown to its person, not theirs to change."""
    (entry,) = tell(
        ground, subject, text, by=ground.as_record, channel=Channel.SYSTEM_OF_RECORD, role=Role.SYSTEM_OF_RECORD,
        category=Category.ENTITLEMENT,
    )  # fmt: skip
    return entry


def offer_skill(ground: Ground, name: str = "change-a-booking", *, body: str = "") -> ReviewItem:
    """A skill that its agent offers, which waits for a curator."""
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        now = timezone.now() - timedelta(hours=2)
        agent_tools.set_tools(
            agent=ground.agent, tools=[ToolSpec("find_booking", side_effects=False)], by=ground.as_agent, now=now
        )
        agent_tools.set_signals(
            agent=ground.agent, signals=[SignalSpec("refused", prefetch=("find_booking",))], by=ground.as_agent, now=now
        )
        outcome = procedures.propose_skill(
            document=SkillDocument(
                name=name,
                description="How a booking is changed.",
                triggers=("intent:MOVE_BOOKING",),
                prefetch=("find_booking",),
                body=body or compose_body(procedure="1. Look the booking up.\n2. Read the **new** day back."),
            ),
            agent=ground.agent,
            by=ground.as_agent,
            now=now,
        )
    assert outcome.skill is not None
    return item_of(ground, skill=outcome.skill)


def offer_profile(ground: Ground, text: str) -> ReviewItem:
    """A version of AGENT.md, which waits for a curator."""
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        profile = procedures.propose_profile(text=text, agent=ground.agent, by=ground.as_agent, now=timezone.now())
        return ReviewItem.objects.get(profile=profile)


def ask(visitors: Visitors, text: str = "where does she live") -> Recalled:
    """What the agent is given when it asks about Mira."""
    ground = visitors.ground
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        within = readable(visitors.mira)
    with acting_for(ground.as_agent, subjects=within):
        query = Query(subjects=(visitors.mira,), text=text, min_relevance=0.0)
        return checked_recall.recall(query=query, by=ground.as_agent, now=timezone.now())


def packed(visitors: Visitors, *, by: Principal | None = None) -> ExportArchive:
    """What Mira takes along, put together as the worker does it."""
    ground = visitors.ground
    with acting_for(by or ground.as_hub, subjects=ALL_SUBJECTS):
        asked = archives.ask(subject=visitors.mira, by=by or ground.as_hub, now=timezone.now())
        payload = {"archive": str(asked.pk)}
        claim = jobs.start(archives.JOB, organisation=ground.organisation.pk, now=timezone.now(), payload=payload)
    jobs.run(claim)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return ExportArchive.objects.get(pk=asked.pk)


def item_of(ground: Ground, *, entry: Entry | None = None, skill: Skill | None = None) -> ReviewItem:
    about = {"entry": entry} if entry else {"skill": skill}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.get(state=ReviewState.WAITING, **about)
