"""How does anything become a memory? One door, in this order: screen, extract, classify, authorize, reconcile, route,
commit (R10).

Reading `_judge` from top to bottom is reading the rules; what they are measured against is the `Policy` in force. The
steps do not know one another; each takes values and returns a value; only this module knows their order. Every proposal
ends in one decision row that names the policy's version and each step's outcome, written with what it decided and with
its audit rows in one transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone, tzinfo
from functools import partial

from django.db import transaction

from memoryhub import conf
from memoryhub.errors import TooLarge
from memoryhub.governance import audit, embedding, forgotten, notices, restoring, unread, zones
from memoryhub.governance.announcement import announce
from memoryhub.governance.authorization import doubts, is_widened, not_theirs, own_proposal, refusal_of
from memoryhub.governance.classification import Classification, classify
from memoryhub.governance.correction import carried_over
from memoryhub.governance.crowding import why_full
from memoryhub.governance.execution import Case, against, carry_out
from memoryhub.governance.extraction import Claim, Extraction, extract
from memoryhub.governance.four_eyes import is_of_two
from memoryhub.governance.language import ENGLISH
from memoryhub.governance.leaving import told_apart
from memoryhub.governance.offer import check_form, screen_all, tidied
from memoryhub.governance.people import may_tell_of_others, names_only
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force_for
from memoryhub.governance.proposal import Outcome, Proposal, Result, Source, StepOutcome
from memoryhub.governance.reconciliation import Plan, ended, keeps_history, lock, reconcile, seen_before
from memoryhub.governance.records import Checked
from memoryhub.governance.rewording import corrected, is_under
from memoryhub.governance.routing import Route, route
from memoryhub.governance.screening import Screening
from memoryhub.governance.settling import as_verified, ask, correction, settle
from memoryhub.governance.unwanted import is_unwanted
from memoryhub.models import Decision
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import (
    UNTRUSTED_CHANNELS,
    Channel,
    Form,
    Kind,
    Op,
    Reason,
    Role,
    Step,
)
from memoryhub.working.redaction import find
from memoryhub.working.session import is_off_record

__all__ = ["Outcome", "Proposal", "Result", "Source", "StepOutcome", "propose"]


def propose(
    *, proposal: Proposal, by: Principal, now: datetime, dry_run: bool = False, also: Sequence[audit.Row] = ()
) -> Outcome:
    """Decide about one text. Raises TooLarge above conf.MAX_TEXT_BYTES; a refusal is an outcome, not an error.

    Takes part in the caller's transaction (tenancy.acting_for). With `dry_run` the same is decided and nothing kept: no
    entry, decision, queue item or audit row. `also` are the caller's own audit rows, chained with the decision's.
    """
    if len(proposal.text.encode("utf-8", "surrogatepass")) > conf.MAX_TEXT_BYTES:
        raise TooLarge(f"A text may have at most {conf.MAX_TEXT_BYTES // 1024} KB.")
    check_form(proposal, by=by)
    proposal = tidied(proposal)
    if proposal.episode and proposal.kind is None and _is_vouched(proposal):
        proposal = replace(proposal, kind=Kind.EPISODIC)  # an agent that tells an episode tells what happened
    with transaction.atomic(savepoint=dry_run):
        policy = in_force_for(by)  # read once: one text is judged by one version from end to end
        decision = Decision(
            organisation_id=by.organisation, subject=proposal.subject, role=proposal.role, channel=proposal.channel,
            agent_id=by.agent, user_id=by.user, policy_version=policy.version, created_at=now,
        )  # fmt: skip
        announce(decision.pk)
        results = _judge(proposal, policy, decision, by=by, now=now)
        decision.results = [result.as_json() for result in results]
        decision.save(force_insert=True)  # what points to it was written before: foreign keys are checked at commit
        _audit(decision, results, also, by=by, now=now)
        notices.tell_decided(results, subject=proposal.subject, by=by, now=now)
        if dry_run:
            transaction.set_rollback(True)
    return Outcome(decision.pk, results)


def _judge(
    proposal: Proposal, policy: Policy, decision: Decision, *, by: Principal, now: datetime
) -> tuple[Result, ...]:
    """The gate, step by step, up to where claims part ways."""
    if proposal.restores is not None:
        return restoring.judge(proposal, policy, decision, by=by, now=now)
    if _paused(proposal) or _is_off_record(proposal, by):
        return (_ended(Op.REFUSED, Reason.PAUSED, (), values=(proposal.text,)),)
    if proposal.corrects is not None:
        lock(proposal.subject)
        proposal = carried_over(proposal)
    offered = screen_all(proposal, treatments=policy.treatments)
    screening = offered.screening
    steps: tuple[StepOutcome, ...] = (StepOutcome(Step.SCREEN, screening.outcome, screening.detail),)
    refused: tuple[Result, ...] = ()
    if screening.outcome == "discard":
        return (_ended(Op.DISCARDED, screening.reason or Reason.ASSERTS_NOTHING, steps, redacted=screening.redacted),)
    if screening.outcome == "refuse":
        reason = screening.reason or Reason.INJECTION
        refused = (_ended(Op.REFUSED, reason, steps, redacted=screening.redacted, values=screening.refused_values),)
        if not screening.text.strip() or _is_one_statement(proposal):
            return refused
        screening = _what_is_left(screening)
    said_at = _said_at(proposal, now)
    extraction = _extract(proposal, screening, said_at)
    if extraction.reason == Reason.LANGUAGE_NOT_HANDLED and not refused:
        extraction = unread.read(
            extraction, _whole(screening.text), channel=_spoken(proposal), proposal=proposal,
            treatments=policy.treatments, clean=screening.outcome == "pass",
        )  # fmt: skip
    steps += (StepOutcome(Step.EXTRACT, _counted(extraction.claims), extraction.detail),)
    if not extraction.claims:
        if refused:
            return refused
        reason = extraction.reason or Reason.ASSERTS_NOTHING
        return (_ended(Op.DISCARDED, reason, steps, redacted=screening.redacted),)
    known_as = tuple(_of_themselves(claim, proposal) for claim in extraction.claims)
    claims = tuple(told_apart(claim, subject=proposal.subject, now=now) for claim in known_as)
    if proposal.channel in UNTRUSTED_CHANNELS and len(claims) > policy.untrusted_claims:
        claims = claims[: policy.untrusted_claims]  # R15: a document can't flood the queue
        told = f"Nobody vouched for the text: the first {len(claims)} are looked at."
        steps = (*steps[:-1], replace(steps[-1], detail=told))
    case = Case(proposal, policy, screening, extraction, offered, said_at, steps, decision, by, now)
    case = replace(case, checked=_ask_records(claims, case))  # before anybody has to wait for this subject
    lock(proposal.subject)
    results = (*refused, *(_judge_claim(claim, case) for claim in claims))
    return (*results, *_follow_records(case))


def _of_themselves(claim: Claim, proposal: Proposal) -> Claim:
    """Who is told of by their own name is nobody else, except where a person speaks: of themselves they say "I"."""
    if not claim.about_other or claim.entity != "subject" or proposal.role == Role.CUSTOMER:
        return claim
    return replace(claim, about_other=not names_only(claim.text, proposal.subject.display_name))


def _what_is_left(screening: Screening) -> Screening:
    """The rest of a message proceeds (R61); beside an order planted in it, only as far as a person."""
    if screening.reason is Reason.INJECTION:
        return replace(screening, outcome="queue", reason=Reason.SUSPICIOUS)
    return replace(screening, outcome="pass", reason=None)


def _judge_claim(claim: Claim, case: Case) -> Result:
    """The gate for one claim: classify, authorize, reconcile, route, commit."""
    proposal, policy, by = case.proposal, case.policy, case.by
    classification = _classify(claim, proposal)
    steps = (
        *case.steps,
        StepOutcome(
            Step.CLASSIFY,
            f"{classification.kind}/{classification.category}",
            f"confidence {classification.confidence:.2f}",
        ),
    )
    refusal = _asked_not_to(claim, classification, proposal)
    refusal = refusal or unread.why_refused(claim, proposal, treatments=policy.treatments)
    refusal = refusal or refusal_of(claim, classification, proposal, policy)
    marks = forgotten.held(claim, proposal)
    refusal = refusal or forgotten.why_refused(marks, classification, proposal, said_at=case.said_at)
    steps += (StepOutcome(Step.AUTHORIZE, "refused" if refusal else "granted", refusal.label if refusal else ""),)
    refuse = partial(
        _ended, Op.REFUSED, redacted=case.screening.redacted, values=(claim.value or claim.text, claim.quote),
        words=claim.text,
    )  # fmt: skip
    if refusal:
        return refuse(refusal, steps)
    weigh = _weigher(claim, classification, case)
    begun = None
    if weigh(op=Op.ADD, reason=Reason.COMMITTED).op == Op.ADD:  # unless it is known, or stands against something
        begun = embedding.begin(kind=classification.kind, key=claim.key or "", content=claim.text)
    plan = settle(_reconcile(claim, classification, case), claim, classification, case.checked, proposal)
    if unread.is_a_models(claim):
        plan = replace(plan, confirms=False)  # nobody said it in words that the rules read
    if plan.verified_by:
        classification = replace(classification, authority=conf.AUTHORITY[Channel.SYSTEM_OF_RECORD])
        claim = as_verified(claim, case.checked)
        weigh = partial(_weigher(claim, classification, case), verified=True)
    steps += (StepOutcome(Step.RECONCILE, plan.op, plan.detail or plan.reason),)
    routed = weigh(op=plan.op, reason=plan.reason)
    if keeps_history(plan) and weigh(op=Op.ADD, reason=Reason.COMMITTED).op != Op.ADD:
        plan = replace(plan, known=plan.before)  # who may not write what is so may not write what was so
    if begun is not None and routed.op not in (Op.ADD, Op.UPDATE):
        begun.drop()
    if routed.op == Op.UPDATE and (refusal := refusal_of(claim, classification, proposal, policy, op="update")):
        return refuse(refusal, steps)
    earlier = seen_before(claim, proposal.subject, proposal.role) if routed.op == Op.QUEUED else None
    if earlier is None and routed.reason == Reason.LANGUAGE_NOT_HANDLED:
        earlier = unread.known_in_parts(claim, proposal)
    if earlier is None and proposal.role == Role.CURATOR:
        earlier = own_proposal(claim, proposal.subject, by)
    if earlier is not None:
        plan, routed = replace(earlier, rival=plan.rival), Route(earlier.op, earlier.reason, earlier.detail)
    elif routed.op == Op.QUEUED and case.group and (full := why_full(case.group, by=by, now=case.now)):
        routed = Route(Op.DISCARDED, Reason.QUEUE_FULL, full)
    steps += (StepOutcome(Step.ROUTE, routed.op, routed.detail),)
    entry = carry_out(claim, classification, plan, routed, case, begun=begun)
    if entry is not None:
        forgotten.lift(marks, proposal, by=by, now=case.now)
    return Result(
        routed.op, routed.reason, entry if routed.op not in (Op.REFUSED, Op.DISCARDED) else None,
        case.screening.redacted, steps, words=claim.text,
        replaces=plan.closes if routed.op == Op.UPDATE else (),
        against=against(plan) if routed.op == Op.QUEUED else None,
    )  # fmt: skip


def _counted(claims: Sequence[Claim]) -> str:
    return "1 claim" if len(claims) == 1 else f"{len(claims)} claims"


def _asked_not_to(claim: Claim, classification: Classification, proposal: Proposal) -> Reason | None:
    """Nobody keeps what the person asked never to keep; that something of the kind ended may be noted (R12)."""
    unwanted = is_unwanted(proposal.subject, category=classification.category, key=claim.key)
    return Reason.ASKED_NOT_TO_KEEP if unwanted and not proposal.ends else None


def _weigher(claim: Claim, classification: Classification, case: Case) -> Callable[..., Route]:
    """`route` for this claim: what is left to say is what reconciling found."""
    proposal, policy = case.proposal, case.policy
    return partial(
        route, classification=classification, channel=proposal.channel, role=proposal.role, policy=policy,
        suspicious=_suspicion(claim, case), shared=is_widened(proposal),
        not_theirs=not_theirs(classification, proposal, policy),
        of_two=_is_of_two(claim, proposal, policy, now=case.now),
    )  # fmt: skip


def _classify(claim: Claim, proposal: Proposal) -> Classification:
    kind, category = proposal.kind, proposal.category
    if proposal.corrects is not None and not is_under(claim, proposal.corrects) and kind != Kind.EPISODIC:
        kind, category = None, None  # those of the old statement; the words are about something else
    return classify(
        claim, channel=_spoken(proposal), role=proposal.role, confidence=proposal.confidence, kind=kind,
        category=category, sensitivity=proposal.sensitivity,
    )  # fmt: skip


def _is_of_two(claim: Claim, proposal: Proposal, policy: Policy, *, now: datetime) -> bool:
    """Whether a curator's own words are one yes of two that the policy asks for (R92)."""
    if proposal.role != Role.CURATOR:
        return False
    touched = [named for named in (proposal.category, proposal.corrects and proposal.corrects.category) if named]
    return is_of_two(touched, claim.text, policy=policy, now=now)


def _ask_records(claims: Sequence[Claim], case: Case) -> Mapping[str, Checked]:
    return ask(
        claims, proposal=case.proposal, policy=case.policy, by=case.by, now=case.now,
        plan_of=lambda claim: _reconcile(claim, _classify(claim, case.proposal), case),
    )  # fmt: skip


def _follow_records(case: Case) -> tuple[Result, ...]:
    """Where a record that was asked says other than what is in force by now, what it says goes through the gate too."""
    offered = (correction(case.proposal.subject, key, told) for key, told in case.checked.items())
    outcomes = (propose(proposal=proposal, by=case.by, now=case.now) for proposal in offered if proposal is not None)
    return tuple(result for outcome in outcomes for result in outcome.results)


def _extract(proposal: Proposal, screening: Screening, said_at: datetime) -> Extraction:
    """The claims in the words. An agent's or a dream's episode is one statement; a correction states by being one.

    What nobody vouched for is read for keyed claims only, whatever kind the caller names (R15).
    """
    if _is_one_statement(proposal):
        return Extraction((_whole(screening.text),), None, "one statement", "en")
    if proposal.ends and proposal.key:
        ending = replace(_whole(screening.text), key=proposal.key, ends_key=True)
        return Extraction((ending,), None, "It says that there is none.", ENGLISH)
    keyed = (proposal.key, proposal.value) if proposal.key and proposal.value is not None else None
    extraction = extract(
        screening.text, said_at=said_at, zone=_zone(proposal), channel=_spoken(proposal),
        speaker_is_subject=proposal.speaker is None or proposal.speaker.pk == proposal.subject.pk, keyed=keyed,
    )  # fmt: skip
    if proposal.corrects is None:
        return extraction
    return corrected(
        extraction, proposal.corrects, screening.text, said_at=said_at, zone=_zone(proposal), keyed=keyed is not None
    )


def _is_one_statement(proposal: Proposal) -> bool:
    """Whether it is taken as it stands: what an agent, a dream or an operator tells of an episode. In part it would say
    something else than was told, so it is kept whole or not at all."""
    return proposal.kind == Kind.EPISODIC and _is_vouched(proposal)


def _is_vouched(proposal: Proposal) -> bool:
    """Whether an agent, a dream or somebody trusted says it in their own name."""
    return proposal.role != Role.CUSTOMER and proposal.channel not in UNTRUSTED_CHANNELS


def _spoken(proposal: Proposal) -> Channel:
    """The channel the words came through: a dream reads what a person said, and that raises no trust (R32)."""
    told = proposal.kind == Kind.EPISODIC
    return Channel.USER_MESSAGE if proposal.role == Role.DREAMER and not told else proposal.channel


def _whole(text: str) -> Claim:
    return Claim(text=text.strip(), quote=text.strip(), form=Form.ASSERTION)


def _reconcile(claim: Claim, classification: Classification, case: Case) -> Plan:
    proposal = case.proposal
    if proposal.ends:
        return ended(claim, subject=proposal.subject)
    if proposal.supersedes_all:
        return Plan(Op.UPDATE, Reason.SUPERSEDED, closes=proposal.supersedes_all)
    if proposal.kind == Kind.EPISODIC and proposal.role == Role.DREAMER:
        return Plan(Op.ADD, Reason.COMMITTED, "one a session")  # two sessions may have gone the same way
    return reconcile(
        claim, classification, subject=proposal.subject, role=proposal.role, channel=proposal.channel,
        said_at=case.said_at, now=case.now, corrects=proposal.corrects,
    )  # fmt: skip


def _suspicion(claim: Claim, case: Case) -> Reason | None:
    """Why a person should look although nothing is refused, or None."""
    if case.screening.outcome == "queue" and not _by_own_name(case):
        return case.screening.reason or Reason.SUSPICIOUS
    if case.proposal.reflects:
        return Reason.REFLECTED
    if claim.about_other:
        return Reason.MENTIONS_OTHER
    if doubts(claim, case.proposal):
        return Reason.SUSPICIOUS
    unread = claim.language is not None or case.extraction.reason == Reason.LANGUAGE_NOT_HANDLED
    return Reason.LANGUAGE_NOT_HANDLED if unread else None


def _by_own_name(case: Case) -> bool:
    """Whether the other person whom an agent's words seem to name is who they are about: they wait as inferred."""
    inferred = case.proposal.channel is Channel.AGENT_INFERENCE and case.proposal.role == Role.AGENT
    if not inferred or case.screening.reason is not Reason.MENTIONS_OTHER or may_tell_of_others(case.screening.text):
        return False
    return names_only(case.screening.text, case.proposal.subject.display_name) and not find(case.screening.text)


def _paused(proposal: Proposal) -> bool:
    trusted = proposal.role in (Role.CURATOR, Role.SYSTEM_OF_RECORD, Role.OPERATOR)
    return proposal.subject.paused_at is not None and not trusted


def _is_off_record(proposal: Proposal, by: Principal) -> bool:
    """Whether it comes out of a conversation that its person does not want remembered. A dream isn't asked: it reads
    what was kept before.
    """
    told = proposal.role in (Role.CUSTOMER, Role.AGENT)
    return told and is_off_record(external_id=proposal.session_ref, by=by)


def _said_at(proposal: Proposal, now: datetime) -> datetime:
    """When it was said. Nothing is said in the future: from a clock that is ahead it would go before all that is said
    until then. A dream goes by what was received, whatever the clock did since.
    """
    said_at = proposal.said_at or now
    return said_at if proposal.role == Role.DREAMER else min(said_at, now)


def _zone(proposal: Proposal) -> tzinfo:
    """The subject's zone, else the message's own offset, else the organisation's, else UTC (api.md, habits)."""
    if (own := zones.named(proposal.subject.timezone)) is not None:
        return own
    if proposal.said_at is not None and proposal.said_at.utcoffset() not in (None, timedelta(0)):
        return timezone(proposal.said_at.utcoffset() or timedelta(0))
    return zones.first_of(proposal.subject.organisation.timezone)


def _ended(
    op: Op,
    reason: Reason,
    steps: tuple[StepOutcome, ...],
    *,
    redacted: bool = False,
    values: tuple[str, ...] = (),
    words: str = "",
) -> Result:
    ended = StepOutcome(Step.ROUTE, op, reason.label)
    return Result(op, reason, None, redacted, (*steps, ended), tuple(value for value in values if value), words)


def _audit(
    decision: Decision, results: Sequence[Result], also: Sequence[audit.Row], *, by: Principal, now: datetime
) -> None:
    """The caller's own rows, then one per result: about the entry where there is one, else about the decision."""
    rows = [
        audit.Row(
            action=f"memory.{result.op.lower()}",
            object_kind="entry" if result.entry else "decision",
            object_id=str(result.entry.pk if result.entry else decision.pk),
            subject=decision.subject_id,
            reason=result.reason,
            content=result.entry.content if result.entry else "",
        )
        for result in results
    ]
    if any(result.op == Op.REFUSED for result in results):  # of what may not be kept no hash is kept either
        also = [replace(row, content="") for row in also]
    audit.record_all(by=by, now=now, rows=[*also, *rows])
