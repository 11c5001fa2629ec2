"""Is what is offered fit to be judged, and is all that travels with the words clean? The gate's first step.

A title, a quote, a key or an episode is no side door: all of it goes through the same screen as the text (R11, R12).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memoryhub.errors import Invalid
from memoryhub.governance.authority import key_words
from memoryhub.governance.dates import faults_of
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.governance.screening import Screening, screen
from memoryhub.governance.treatment import SHIPPED, Treatments
from memoryhub.models import ReviewItem
from memoryhub.permissions import check_may_decide
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Reason, ReviewState, Role, SensitiveData, Status
from memoryhub.working.nested import cleaned
from memoryhub.working.normalisation import tidy
from memoryhub.working.redaction import redact

#: What names the fact itself: with something taken out of it, nothing is left to keep.
_NAMING = frozenset({"key", "value", "fact"})
_REFUSED = {True: Reason.SECRET, False: Reason.SENSITIVE}

WAITING = frozenset({Status.PROPOSED, Status.DISPUTED})


@dataclass(frozen=True)
class Offered:
    """The screen's word on all of a proposal, and what may be kept of what came with the text."""

    screening: Screening
    source: Source
    episode: dict[str, object] | None
    message_id: str


def check_form(proposal: Proposal, *, by: Principal) -> None:
    """Raise Invalid for times out of this age and for a customer's episode, NotGranted for a curator's own proposal."""
    times = ("said_at", "expires_at", "review_by")
    faults = {name: said for name in times if (said := faults_of(getattr(proposal, name)))}
    if proposal.episode is not None and proposal.role == Role.CUSTOMER:
        faults["episode"] = ["Episodes are told by agents, not through the person's own words."]
    if faults:
        raise Invalid(errors=faults)
    corrected = proposal.corrects
    if proposal.role == Role.CURATOR and corrected is not None and corrected.status in WAITING:
        for item in ReviewItem.objects.filter(entry=corrected, state=ReviewState.WAITING):
            check_may_decide(by, item)  # correcting a proposal decides it (R92)


def tidied(proposal: Proposal) -> Proposal:
    """The proposal with a key and a value as they would be kept: composed, with nothing hidden in them (R11). Raises
    Invalid where nothing is left.
    """
    key = tidy(proposal.key).strip() if proposal.key else proposal.key
    value = tidy(proposal.value).strip() if proposal.value else proposal.value
    emptied = [name for name, kept in (("key", key), ("value", value)) if getattr(proposal, name) and not kept]
    if emptied:
        raise Invalid(errors={name: ["It may not be blank."] for name in emptied})
    return replace(proposal, key=key, value=value)


def screen_all(proposal: Proposal, *, treatments: Treatments = SHIPPED) -> Offered:
    """Screen the text, and beside it source, key, value and episode; the worst of them counts. `treatments`: the
    policy's word on each family of sensitive data.
    """
    screening = screen(proposal.text, channel=proposal.channel, role=proposal.role, treatments=treatments)
    kept: dict[str, str] = {}
    for name, text in _beside(proposal):
        told = screen(text, channel=proposal.channel, role=proposal.role, treatments=treatments)
        names_fact = name in _NAMING
        if screening.outcome != "refuse":
            if told.outcome == "refuse":
                screening = replace(told, text="")
            elif told.redacted and names_fact:
                secret = SensitiveData.SECRET in told.taken_out
                screening = replace(told, outcome="refuse", reason=_REFUSED[secret], text="")
            elif told.outcome == "queue" and screening.outcome == "pass" and names_fact:
                screening = replace(screening, outcome="queue", reason=told.reason, detail=told.detail)
        kept[name] = told.text if told.outcome != "refuse" else ""
    source = Source(ref=kept.get("ref", ""), uri=kept.get("uri", ""), quote=kept.get("quote", ""))
    episode = None if proposal.episode is None else dict(cleaned(proposal.episode).items())  # type: ignore[attr-defined]
    return Offered(screening, source, episode, redact(proposal.message_id).text)


def _beside(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """Every text that comes with the words, by name."""
    named = {
        "ref": proposal.source.ref,
        "uri": proposal.source.uri,
        "quote": proposal.source.quote,
        "key": proposal.key or "",
        "value": proposal.value or "",
    }
    yield from ((name, text) for name, text in named.items() if text)
    if proposal.key and proposal.value:  # "wifi_password" and "walrus77": only together do they say it
        yield "fact", f"The {key_words(proposal.key).replace('_', ' ')} is {proposal.value}"
    yield from (("episode", text) for text in _texts_in(proposal.episode))


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts_in(inner)
