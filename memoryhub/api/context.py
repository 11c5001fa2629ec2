"""What does one call to a model get to see of memory? /context (R40–R42; api.md, context)."""

from typing import Any, Final

from rest_framework import serializers

from accounts.models import Agent
from memoryhub.api.calls import Answer, Call, HubView, operation
from memoryhub.api.fields import OPTIONAL, Choice, ExternalId, Many, Number, Strict, Text
from memoryhub.api.recall import MAX_SUBJECTS, RecallOut, asked_about, begun, question, recalled_json
from memoryhub.api.sessions import CurrentOut, HistoryOut, plain
from memoryhub.api.shapes import Shape
from memoryhub.api.turns import MEMORY
from memoryhub.context import builder
from memoryhub.errors import Invalid, NotFound
from memoryhub.models import Session
from memoryhub.providers.embeddings import embedder
from memoryhub.recall.filters import readers
from memoryhub.recall.named import Named, look_up
from memoryhub.tenancy import narrow
from memoryhub.working import session as working

PARTS: Final = tuple((part, part) for part in builder.PARTS)


class ContextIn(Strict):
    """What the next call to the model is about."""

    subject = ExternalId(**OPTIONAL)
    subjects = Many(child=ExternalId(), max_length=MAX_SUBJECTS, **OPTIONAL)
    session_id = ExternalId(**OPTIONAL)
    query = Text(allow_blank=True, default="")
    signals = Many(child=Text(max_length=200), default=list, help_text='such as "intent:REQUEST_REFUND"')
    token_budget = Number(
        min_value=0, max_value=100_000, help_text="of the recalled notes; the other parts have limits of their own",
        **OPTIONAL,
    )  # fmt: skip
    parts = Many(child=Choice(choices=PARTS), **OPTIONAL)
    memory = Choice(choices=MEMORY, default="on", help_text="off: nothing of memory is read or written")


class ProfileOut(Shape):
    version = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    tokens = serializers.IntegerField()


class IndexedOut(Shape):
    name = serializers.CharField()
    description = serializers.CharField()


class FileOut(Shape):
    text = serializers.CharField()
    tokens = serializers.IntegerField()


class ChosenOut(Shape):
    """A skill in force for this turn; `prefetch` names read-only tools to run before the model."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    reason = serializers.ChoiceField(choices=["always", "trigger", "keyword"])
    prefetch = serializers.ListField(child=serializers.CharField())
    tools = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()
    tokens = serializers.IntegerField()


class WorkingOut(Shape):
    history = HistoryOut(many=True)
    summary = serializers.CharField()
    state = serializers.JSONField()
    current_turn = CurrentOut()


class ContextOut(Shape):
    recall_id = serializers.UUIDField(allow_null=True)
    profile = ProfileOut()
    skill_index = IndexedOut(many=True)
    memory_file = FileOut()
    skills = ChosenOut(many=True)
    memories = RecallOut(allow_null=True)
    working = WorkingOut()
    rendered = serializers.CharField()
    tokens = serializers.DictField(child=serializers.IntegerField(), help_text="by part, and the total")


class ContextView(HubView):
    """/context"""

    @operation("post_turn", body=ContextIn, answers={200: ContextOut}, stores_answer=False, early=begun)
    def post(self, call: Call) -> Answer:
        """Build the memory part of one prompt: profile, skills, memory file, recalled notes, working memory."""
        sent = call.body
        off: bool = sent["memory"] == "off"
        text, meaning = question(call)
        agent = call.agent()
        session = None if off else _session(sent["session_id"], agent)
        if session is not None and session.off_record_at is not None:  # its person wants it so
            off, session = True, None
        known = _already_known(call, sent) if off else asked_about(call, sent)
        _check_belongs(session, known)
        request = builder.ContextRequest(
            agent=agent,
            known=known,
            session=session,
            query=text,
            meaning=meaning,
            signals=tuple(sent["signals"]),
            token_budget=sent["token_budget"],
            parts=tuple(sent["parts"]) if sent["parts"] is not None else builder.PARTS,
            memory_off=off,
        )
        return Answer(_context_json(builder.build(request=request, by=call.by, now=call.now)))


def _already_known(call: Call, sent: dict[str, Any]) -> Named:
    """Those already known, for whom alone the call acts from here on: with memory off nobody becomes known."""
    names = dict.fromkeys(sent["subjects"] or ([sent["subject"]] if sent["subject"] else []))
    known = look_up(names, by=call.by)
    if call.by.bound_subject and len(known.subjects) < len(names):
        raise NotFound
    narrow(subjects=readers(known.subjects))
    return known


def _session(external_id: str | None, agent: Agent) -> Session | None:
    """The running session, if there is one yet."""
    if external_id is None:
        return None
    try:
        return working.find(external_id=external_id, agent=agent)
    except NotFound:
        return None


def _check_belongs(session: Session | None, known: Named) -> None:
    """Raises Invalid for a session of another subject."""
    if session is not None and session.subject_id not in {subject.pk for subject in known.subjects}:
        raise Invalid(
            "This session belongs to another subject.",
            errors={"session_id": ["A session belongs to one subject from its first use."]},
            code="session_of_another_subject",
        )


def _context_json(built: builder.Context) -> dict[str, Any]:
    count = embedder().count_tokens
    shown = built.working
    return {
        "recall_id": str(built.recalled.recall_id) if built.recalled else None,
        "profile": {
            "version": built.profile.number if built.profile else None,
            "text": built.profile.text if built.profile else "",
            "tokens": built.tokens.get("profile", 0),
        },
        "skill_index": [{"name": skill.name, "description": skill.description} for skill in built.skill_index],
        "memory_file": {"text": built.memory_file, "tokens": built.tokens.get("memory_file", 0)},
        "skills": [
            {
                "name": chosen.skill.name,
                "version": chosen.skill.number,
                "reason": str(chosen.reason),
                "prefetch": list(chosen.skill.prefetch),
                "tools": list(chosen.skill.tools),
                "text": chosen.skill.body,
                "tokens": count(chosen.skill.body),
            }
            for chosen in built.skills
        ],
        "memories": recalled_json(built.recalled) if built.recalled else None,
        "working": plain(
            {
                "history": shown.get("history", []),
                "summary": shown.get("summary", ""),
                "state": shown.get("state", {}),
                "current_turn": {"actions": [], "observations": [], **shown.get("current_turn", {})},
            }
        ),
        "rendered": built.rendered,
        "tokens": dict(built.tokens),
    }
