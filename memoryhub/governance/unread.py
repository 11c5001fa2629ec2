"""What becomes of a message in a language that the rules do not read? It waits for a person whole, or as the claims
that a model finds in it, where one is set up (R13).

The model is asked before anybody has to wait for the subject, and never by a transaction that others wait for already
(docs/adr/0012). Not reached, it changes nothing.
"""

from dataclasses import replace

from django.conf import settings

from memoryhub import conf
from memoryhub.governance import audit, model_claims
from memoryhub.governance.claims import Claim, Extraction
from memoryhub.governance.negations import can_tell
from memoryhub.governance.offer import WAITING, screen_all
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.governance.reconciliation import Plan, holds_a_lock, seen_before
from memoryhub.governance.statements import OWN_WORDS
from memoryhub.governance.treatment import Treatments
from memoryhub.models import Entry
from memoryhub.providers import claim_model
from memoryhub.providers.claim_model import Endpoint
from memoryhub.vocabulary import Channel, Form, Op, Reason, Status


def read(
    extraction: Extraction, whole: Claim, *, channel: Channel, proposal: Proposal, treatments: Treatments, clean: bool
) -> Extraction:
    """The claims of a message that the rules could not read, `whole` being all of it: what a model found there and what
    it left out, or all of it as one. `channel`: through which the words came; `clean`: the screen found nothing.
    """
    one = replace(extraction, claims=(whole,))
    if not settings.MEMORYHUB_EXTRACTOR_URL or channel not in OWN_WORDS:
        return one
    text = model_claims.shown(whole.text)
    if not clean or not text or whole.told.claims_authority():
        return one
    if not can_tell(extraction.language):
        return _told(one, "The model was not asked: what denies in this language is not known here.")
    if len(text) > conf.EXTRACTOR_TEXT:
        return _told(one, f"The model was not asked: more than {conf.EXTRACTOR_TEXT} characters.")
    if holds_a_lock() or audit.holds_the_end():
        return _told(one, "The model was not asked: others would have to wait for it.")
    if seen_before(whole, proposal.subject, proposal.role) is not None:
        return one  # all of it waits already, or was declined
    heard = claim_model.ask(text, endpoint=_endpoint())
    if heard.reason:
        return _told(one, f"The model did not help: {heard.reason}.")
    judged = model_claims.judge(heard, text=whole.text, language=extraction.language)
    if not judged.claims:
        return _told(one, judged.detail)
    barred = [  # what may not be kept under its key is not kept beside it either
        claim.value or claim.quote for claim in judged.claims if why_refused(claim, proposal, treatments=treatments)
    ]
    claims = [
        claim for claim in judged.claims
        if not model_claims.holds(claim.quote, barred) or why_refused(claim, proposal, treatments=treatments)
    ]  # fmt: skip
    if rest := model_claims.uncovered(whole.text, [claim.quote for claim in claims], without=barred):
        claims.append(replace(whole, text=rest, quote=rest))
    return _told(replace(extraction, claims=tuple(claims)), judged.detail)


def is_a_models(claim: Claim) -> bool:
    """Whether a model proposed it: it is concluded from words that the rules do not read."""
    return claim.form is Form.INFERENCE and claim.language is not None


def why_refused(claim: Claim, proposal: Proposal, *, treatments: Treatments) -> Reason | None:
    """Why what a model made of clean words may not be kept: they were screened, but not under this key (R12)."""
    if not is_a_models(claim):
        return None
    alone = replace(proposal, text=claim.text, key=claim.key, value=claim.value, source=Source(), episode=None)
    screening = screen_all(alone, treatments=treatments).screening
    if screening.outcome in ("refuse", "discard") or screening.redacted:
        return screening.reason or Reason.SENSITIVE
    return None


def known_in_parts(claim: Claim, proposal: Proposal) -> Plan | None:
    """The same words wait or are kept already in parts, as a model found them: nobody is asked about them twice."""
    if claim.key:
        return None
    told = Entry.objects.filter(subject=proposal.subject, status__in=[*WAITING, Status.ACCEPTED])
    newest = told.select_related("provenance").defer("embedding", "search").order_by("-recorded_at", "-id")
    parts = [
        entry for entry in newest[: conf.MAX_PAGE] if all(line in claim.text for line in entry.content.split("\n"))
    ]
    if not parts or model_claims.uncovered(claim.text, [line for entry in parts for line in entry.content.split("\n")]):
        return None
    waits = next((entry for entry in parts if entry.status in WAITING), None)
    if waits is not None:
        return Plan(Op.NOOP, Reason.WAITING, "already in the queue, in parts", known=waits)
    return Plan(Op.NOOP, Reason.DUPLICATE, "already known, in parts", known=parts[0])


def _told(extraction: Extraction, more: str) -> Extraction:
    return replace(extraction, detail=f"{extraction.detail} {more}")


def _endpoint() -> Endpoint:
    return Endpoint(
        settings.MEMORYHUB_EXTRACTOR_URL, settings.MEMORYHUB_EXTRACTOR_MODEL, settings.MEMORYHUB_EXTRACTOR_KEY_FILE,
        float(settings.MEMORYHUB_EXTRACTOR_SECONDS),
    )  # fmt: skip
