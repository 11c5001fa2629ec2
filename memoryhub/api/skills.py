"""How an agent may act: /skills, as SKILL.md files and as JSON (R80–R82; api.md, skills)."""

from collections import defaultdict
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers

from accounts.models import Agent
from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import Choice, Strict, Text
from memoryhub.api.pagination import page
from memoryhub.api.shapes import PageQuery, Shape
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import access, procedures
from memoryhub.models import Skill, SkillEvidence
from memoryhub.skills.skillmd import parse, write
from memoryhub.vocabulary import KeyRole, Op, Reason, SkillStatus

MARKDOWN = "text/markdown"


class SkillsQuery(PageQuery):
    """Filters of a list of skills."""

    status = Choice(choices=SkillStatus.choices, default=SkillStatus.ACTIVE)
    agent = Text(max_length=80, default=None, help_text="slug; an agent's key reads its own alone")


class AgentQuery(Strict):
    agent = Text(max_length=80, default=None, help_text="slug; an agent's key means its own")


class EvidenceOut(Shape):
    sessions = serializers.IntegerField()
    session_ids = serializers.ListField(child=serializers.CharField())


class SkillOut(Shape):
    """One version of a skill."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    description = serializers.CharField()
    status = serializers.ChoiceField(choices=SkillStatus.choices)
    version = serializers.IntegerField()
    agent = serializers.CharField()
    owner = serializers.CharField(allow_null=True)
    learned = serializers.BooleanField()
    always = serializers.BooleanField()
    triggers = serializers.ListField(child=serializers.CharField())
    keywords = serializers.ListField(child=serializers.CharField())
    prefetch = serializers.ListField(child=serializers.CharField())
    tools = serializers.ListField(child=serializers.CharField())
    body = serializers.CharField()
    evidence = EvidenceOut()
    created_at = serializers.DateTimeField()
    etag = serializers.CharField()


class SkillPageOut(Shape):
    items = SkillOut(many=True)
    next = serializers.CharField(allow_null=True)


class ProposedSkillOut(Shape):
    """What became of a proposed skill; `skill` is null when it was refused."""

    op = serializers.ChoiceField(choices=Op.choices)
    reason = serializers.ChoiceField(choices=Reason.choices)
    message = serializers.CharField()
    skill = SkillOut(allow_null=True)
    queue_id = serializers.UUIDField(allow_null=True)


class Skills(HubView):
    """/skills"""

    @operation("read_skills", query=SkillsQuery, answers={200: SkillPageOut})
    def get(self, call: Call) -> Answer:
        """List skills, in force unless asked otherwise."""
        found = _readable(call).filter(status=call.query["status"])
        with call.anywhere():
            return Answer(page(found, order=("name", "id"), query=call.query, name="skills", render=skills_json))

    @operation("propose_skill", body=MARKDOWN, query=AgentQuery, answers={201: ProposedSkillOut, 200: ProposedSkillOut})
    def post(self, call: Call) -> Answer:
        """Propose a skill as a SKILL.md; it waits for a curator."""
        document = parse(call.body)
        agent = _agent(call)
        outcome = procedures.propose_skill(document=document, agent=agent, by=call.by, now=call.now)
        body = {
            "op": str(outcome.op),
            "reason": str(outcome.reason),
            "message": outcome.reason.label,
            "skill": skills_json([outcome.skill])[0] if outcome.skill else None,
            "queue_id": str(outcome.item.pk) if outcome.item else None,
        }
        return Answer(body, status=201 if outcome.op == Op.QUEUED else 200)


class OneSkill(HubView):
    """/skills/{name}"""

    @operation("read_skills", query=AgentQuery, answers={200: SkillOut})
    def get(self, call: Call, name: str) -> Answer:
        """The skill in force, else its newest version; as a file with `Accept: text/markdown`."""
        versions = list(_readable(call).filter(name=name).order_by("-number", "-created_at"))
        skill = next((one for one in versions if one.status == SkillStatus.ACTIVE), versions[0] if versions else None)
        if skill is None:
            raise NotFound
        headers = {"ETag": skill.etag, "Vary": "Accept"}
        if MARKDOWN in call.request.META.get("HTTP_ACCEPT", ""):
            return Answer(
                write(procedures.document_of(skill)), media_type=f"{MARKDOWN}; charset=utf-8", headers=headers
            )
        with call.anywhere():
            return Answer(skills_json([skill])[0], headers=headers)


def skills_json(skills: list[Skill]) -> list[dict[str, Any]]:
    """Skills with the sessions behind them that are in sight, in three queries however many skills there are."""
    sessions: dict[Any, list[str]] = defaultdict(list)
    rows = SkillEvidence.objects.filter(skill__in=[skill.pk for skill in skills]).order_by("seen_at", "id")
    for skill_id, session in rows.values_list("skill_id", "session_ref"):
        sessions[skill_id].append(session)
    full = Skill.objects.filter(pk__in=[skill.pk for skill in skills]).select_related("agent", "owner").in_bulk()
    return [
        {
            "id": str(skill.pk),
            "name": skill.name,
            "description": skill.description,
            "status": skill.status,
            "version": skill.number,
            "agent": full[skill.pk].agent.slug,
            "owner": owner.email if (owner := full[skill.pk].owner) else None,
            "learned": skill.learned,
            "always": skill.always,
            "triggers": skill.triggers,
            "keywords": skill.keywords,
            "prefetch": skill.prefetch,
            "tools": skill.tools,
            "body": skill.body,
            "evidence": {"sessions": len(sessions[skill.pk]), "session_ids": sessions[skill.pk]},
            "created_at": rendering.moment(skill.created_at),
            "etag": skill.etag,
        }
        for skill in skills
    ]


def _readable(call: Call) -> QuerySet[Skill]:
    """An agent's own; with a curator's or operator's key those of any agent, or of the one named.

    For a key bound to a subject, a learned one that is not in force only if nobody else's session is behind it.
    """
    found = Skill.objects.filter(organisation_id=call.by.organisation)
    if call.by.bound_subject:
        others = SkillEvidence.objects.exclude(subject__external_id=call.by.bound_subject)
        # a list, since others' sessions are out of sight by the time the page is read
        learned_from_others = list(others.values_list("skill", flat=True))
        found = found.exclude(~Q(status=SkillStatus.ACTIVE), learned=True, pk__in=learned_from_others)
    if not call.by.roles & {KeyRole.CURATOR, KeyRole.OPERATOR}:
        return found.filter(agent=call.agent())
    return found.filter(agent__slug=call.query["agent"]) if call.query["agent"] else found


def _agent(call: Call) -> Agent:
    """Whose skill it is to be: the caller's own agent, or the one a curator names."""
    slug = call.query["agent"]
    if call.by.agent is not None:
        mine = call.agent()
        if slug not in (None, mine.slug):
            raise NotFound
        return mine
    if slug is None:
        raise Invalid(errors={"agent": ["Say whose skill it is: ?agent=<slug>."]})
    return access.agent_of(slug=slug, by=call.by)
