"""What an agent says of itself: /agents/me with its profile, tools and signals (R73, R81, R82; api.md, skills)."""

from typing import Any

from rest_framework import serializers

from accounts.models import Agent
from memoryhub.api import rendering
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import Flag, Many, Strict, Text
from memoryhub.api.shapes import Shape
from memoryhub.errors import Invalid, NotGranted
from memoryhub.governance import agent_tools, policy_versions, procedures
from memoryhub.models import AgentPolicy, AgentSignal, AgentTool
from memoryhub.skills.validation import ToolSpec
from memoryhub.vocabulary import KeyRole, PolicyMode, Remembers, SkillStatus

MARKDOWN = "text/markdown"


class ToolIn(Strict):
    """A tool the agent offers."""

    name = Text(max_length=100)
    side_effects = Flag(help_text="whether using it changes anything outside")
    description = Text(max_length=500, allow_blank=True, default="")


class ToolsIn(serializers.ListSerializer[Any]):
    child = ToolIn()


class SignalRuleIn(Strict):
    """How one kind of signal becomes a lesson."""

    kind = Text(max_length=100)
    wording = Text(max_length=2000, allow_blank=True, default="", help_text="may use {value} and {sessions}")
    tools = Many(child=Text(max_length=100), max_length=50, default=list)
    prefetch = Many(child=Text(max_length=100), max_length=50, default=list)


class SignalRulesIn(serializers.ListSerializer[Any]):
    child = SignalRuleIn()


class ToolOut(Shape):
    name = serializers.CharField()
    side_effects = serializers.BooleanField()
    description = serializers.CharField()


class SignalRuleOut(Shape):
    kind = serializers.CharField()
    wording = serializers.CharField()
    tools = serializers.ListField(child=serializers.CharField())
    prefetch = serializers.ListField(child=serializers.CharField())


class PolicyOut(Shape):
    """How far the agent's memory may go by itself: its own policy within the organisation's (R16)."""

    commit_at = serializers.FloatField()
    discard_below = serializers.FloatField()
    episodic = serializers.ChoiceField(choices=PolicyMode.choices)
    semantic = serializers.ChoiceField(choices=PolicyMode.choices)
    procedural = serializers.ChoiceField(choices=PolicyMode.choices)
    remembers = serializers.ChoiceField(choices=Remembers.choices, help_text="what of its turns is kept")
    improves = serializers.CharField(help_text="the decision the memory improves")
    signed_by = serializers.CharField(allow_null=True)
    signed_at = serializers.DateTimeField(allow_null=True)
    organisation_version = serializers.IntegerField(help_text="of the organisation's policy; 0: as shipped")


class AgentProfileOut(Shape):
    version = serializers.IntegerField()
    text = serializers.CharField()
    status = serializers.ChoiceField(choices=SkillStatus.choices)
    etag = serializers.CharField()


class AgentOut(Shape):
    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(allow_null=True)
    roles = serializers.ListField(child=serializers.CharField(), help_text="of the key that asks")
    profile = AgentProfileOut(allow_null=True)
    tools = ToolOut(many=True)
    signals = SignalRuleOut(many=True)
    policy = PolicyOut(allow_null=True)
    skills = serializers.ListField(child=serializers.CharField(), help_text="names of those in force")


class Me(HubView):
    """/agents/me"""

    @operation("configure_agent", answers={200: AgentOut})
    def get(self, call: Call) -> Answer:
        """The agent behind this key."""
        return _shown(call, _me(call))


class MyProfile(HubView):
    """/agents/me/profile"""

    @operation("configure_agent", body=MARKDOWN, answers={200: AgentProfileOut})
    def put(self, call: Call) -> Answer:
        """Propose a new version of AGENT.md; it waits for a curator."""
        if not call.body.strip():
            raise Invalid(errors={"text": ["It may not be blank."]})
        return Answer(_profile(procedures.propose_profile(text=call.body, agent=_me(call), by=call.by, now=call.now)))


class MyTools(HubView):
    """/agents/me/tools"""

    @operation("configure_agent", body=ToolsIn, answers={200: AgentOut})
    def put(self, call: Call) -> Answer:
        """Replace the tools the agent offers; refused where a skill in force would lose one."""
        agent = _me(call)
        agent_tools.set_tools(
            agent=agent,
            tools=[ToolSpec(tool["name"], tool["side_effects"]) for tool in call.body],
            descriptions={tool["name"]: tool["description"] for tool in call.body},
            by=call.by,
            now=call.now,
        )
        return _shown(call, agent)


class MySignals(HubView):
    """/agents/me/signals"""

    @operation("configure_agent", body=SignalRulesIn, answers={200: AgentOut})
    def put(self, call: Call) -> Answer:
        """Replace how the agent's signals become lessons; for an operator's key or one of the agent's owner."""
        agent = _me(call)
        owns = agent.owner_id is not None and agent.owner_id == call.by.user
        if KeyRole.OPERATOR not in call.by.roles and not owns:
            raise NotGranted("This needs a key with the role operator, or one of the agent's owner.")
        kinds = [signal["kind"] for signal in call.body]
        if len(set(kinds)) != len(kinds):
            raise Invalid(errors={"kind": ["Each kind may be named once."]})
        signals = [
            agent_tools.SignalSpec(one["kind"], one["wording"], tuple(one["tools"]), tuple(one["prefetch"]))
            for one in call.body
        ]
        agent_tools.set_signals(agent=agent, signals=signals, by=call.by, now=call.now)
        return _shown(call, agent)


def _me(call: Call) -> Agent:
    return call.agent()


def _shown(call: Call, agent: Agent) -> Answer:
    profile = procedures.active_profile(agent)
    own = AgentPolicy.objects.filter(agent=agent).first()
    body: dict[str, Any] = {
        "id": str(agent.pk),
        "slug": agent.slug,
        "name": agent.name,
        "owner": agent.owner.email if agent.owner else None,
        "roles": sorted(call.by.roles),
        "profile": _profile(profile) if profile else None,
        "tools": list(
            AgentTool.objects.filter(agent=agent).order_by("name").values("name", "side_effects", "description")
        ),
        "signals": list(
            AgentSignal.objects.filter(agent=agent).order_by("kind").values("kind", "wording", "tools", "prefetch")
        ),
        "policy": _policy(own, call) if own else None,
        "skills": [skill.name for skill in procedures.active_skills(agent)],
    }
    return Answer(body)


def _policy(own: AgentPolicy, call: Call) -> dict[str, Any]:
    policy = policy_versions.in_force_for(call.by)
    return {
        "commit_at": policy.commit_at,
        "discard_below": policy.discard_below,
        **{kind.value: mode for kind, mode in policy.modes.items()},
        "remembers": own.remembers,
        "improves": own.improves,
        "signed_by": own.signed_by or None,
        "signed_at": rendering.moment(own.signed_at),
        "organisation_version": policy.version,
    }


def _profile(profile: Any) -> dict[str, Any]:
    return {"version": profile.number, "text": profile.text, "status": profile.status, "etag": profile.etag}
