"""What would become of this message, and what would an agent be given for this question? To try, not to keep (R92).

What is typed comes in a POST, so that it stands in no address and no log, and is shown back and kept nowhere. A message
and a turn leave nothing, but for a line in the log of reads where they show words of what is known; a question is a
read, and is logged as one (R37).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.models import Agent
from curation.bars import bars, width_of
from curation.fragments import page
from curation.refusals import check_page
from curation.rehearsed import claims, taken_out
from curation.trials import ContextForm, MessageForm, QueryForm, Trial, TurnForm
from curation.visitor import PageRequest
from memoryhub.context import trial
from memoryhub.dreams import rehearsal
from memoryhub.dreams.inbox import FinishedTurn
from memoryhub.errors import HubError, Invalid
from memoryhub.http_errors import status_of
from memoryhub.models import Subject
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel

STAFF = "The playground is for curators and operators of this organisation."
KNOWN = 50  # newest subjects that are offered while an id is typed
TABS: Final = (
    ("message", "A message", "curation:playground"),
    ("turn", "A turn", "curation:playground-turn"),
    ("query", "A question", "curation:playground-query"),
    ("context", "A whole context", "curation:playground-context"),
)

Found = dict[str, Any]


@dataclass(frozen=True)
class Share:
    """One part of a context: its tokens, and how wide its bar is."""

    label: str
    tokens: int
    width: int


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def message(request: PageRequest) -> HttpResponse:
    """A text at the gate, step by step."""

    def found(form: Any, agent: Agent | None) -> Found:
        given = form.cleaned_data
        scene = rehearsal.Scene(
            subject=given["subject"], channel=Channel(given["channel"]), agent=agent, speaker=given["speaker"],
            said_at=given["said_at"],
        )  # fmt: skip
        tried = rehearsal.say(
            scene=scene, text=given["text"], key=given["key"], value=given["value"], ref=given["ref"],
            by=request.principal, now=timezone.now(),
        )  # fmt: skip
        return {"tried": tried, "claims": claims(tried), "taken_out": taken_out(given["text"], tried.text)}

    return _tab(request, "message", "curation/playground/message.html", MessageForm, found)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def turn(request: PageRequest) -> HttpResponse:
    """A finished turn: its claims, and whether its words would be withheld."""

    def found(form: Any, agent: Agent | None) -> Found:
        given = form.cleaned_data
        name = rehearsal.new_name()
        finished = FinishedTurn(
            event_id=name, session_id=name, user_input=given["user_input"], occurred_at=given["occurred_at"],
            actions=form.actions, quarantined=given["quarantined"],
        )  # fmt: skip
        scene = rehearsal.Scene(subject=given["subject"], agent=agent, speaker=given["speaker"])
        tried = rehearsal.finish_turn(scene=scene, turn=finished, by=request.principal, now=timezone.now())
        withheld = tried.event == "withheld"
        changed = () if withheld else taken_out(given["user_input"], tried.text)
        return {"tried": tried, "claims": claims(tried), "taken_out": changed, "withheld": withheld}

    return _tab(request, "turn", "curation/playground/turn.html", TurnForm, found)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def query(request: PageRequest) -> HttpResponse:
    """A question to recall: candidates, their scores signal by signal, what was dropped, and the block."""

    def found(form: Any, agent: Agent | None) -> Found:
        given = form.cleaned_data
        asked = trial.ask(
            subjects=given["subjects"], text=given["query"], agent=agent, by=request.principal, now=timezone.now(),
            **form.limits,
        )  # fmt: skip
        candidates = trial.candidates_of(asked.recalled)
        notes = {item.note.id: item.note for item in asked.recalled.items}
        rows = [
            {**one, "entry": asked.words.get(one["id"]), "note": notes.get(one["id"]), "bars": bars(one["signals"])}
            for one in candidates[: trial.SHOWN]
        ]
        return {
            "asked": asked, "recalled": asked.recalled, "rows": rows, "more": len(candidates) - len(rows),
            "dropped": sum(not one["kept"] for one in candidates),
            "weighed": asked.weighed,
        }  # fmt: skip

    return _tab(request, "query", "curation/playground/query.html", QueryForm, found)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def context(request: PageRequest) -> HttpResponse:
    """The whole memory part of one prompt, part by part with its tokens."""

    def found(form: Any, agent: Agent | None) -> Found:
        given = form.cleaned_data
        if agent is None:
            raise Invalid(errors={"agent": ["Choose an agent."]})
        built = trial.build(
            subjects=given["subjects"], text=given["query"], agent=agent, signals=given["signals"],
            session_id=given["session_id"], token_budget=given["token_budget"], by=request.principal,
            now=timezone.now(),
        )  # fmt: skip
        total = built.tokens["total"]
        parts = [
            Share(name.replace("_", " ").capitalize(), count, width_of(count / total if total else 0.0))
            for name, count in built.tokens.items()
            if name != "total" and (name != "working" or can_do(request.principal, "read_session"))
        ]
        return {"built": built, "parts": parts, "total": total, "recalled": built.recalled}

    return _tab(request, "context", "curation/playground/context.html", ContextForm, found)


def _tab(
    request: PageRequest, tab: str, template: str, kind: type[Trial], found: Callable[[Any, Agent | None], Found]
) -> HttpResponse:
    """One tab: its form, and after a POST what was found, or what has to be put right first."""
    check_page(request.principal, "try_out", sentence=STAFF)
    status, shown = 200, Found()
    with timezone.override(request.visitor.zone_of()):
        agents, known = _beside(request)
        choices = [(agent.slug, agent.name) for agent in agents]
        if request.method != "POST":
            named = request.GET.getlist("subject")
            about = {"subject": "".join(named[:1]), "subjects": "\n".join(named)}
            form = kind(agents=choices, initial={**about, **_first(agents)})
        else:
            form = kind(request.POST, agents=choices)
            chosen = next((agent for agent in agents if agent.slug == request.POST.get("agent")), None)
            if form.is_valid():
                try:
                    shown = found(form, chosen)
                except HubError as refusal:
                    faults = refusal.errors if isinstance(refusal, Invalid) else {}
                    form.refuse(faults, refusal.detail)
                    status = status_of(refusal)
            else:
                status = 422
        shown |= {
            "section": "playground", "tab": tab, "tabs": TABS, "form": form, "known": known,
            "reads_sessions": can_do(request.principal, "read_session"),
        }  # fmt: skip
        return page(request, template, shown, part="trial", status=status)


def _first(agents: list[Agent]) -> Found:
    """The agent that is chosen before anybody chooses: the only one there is."""
    return {"agent": agents[0].slug} if len(agents) == 1 else {}


def _beside(request: PageRequest) -> tuple[list[Agent], list[str]]:
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        agents = list(Agent.objects.filter(organisation_id=request.principal.organisation).order_by("slug")[:200])
        newest = Subject.objects.filter(organisation_id=request.principal.organisation).order_by("-id")
        return agents, list(newest.values_list("external_id", flat=True)[:KNOWN])
