"""How does an exported entry come back? Through the gate's own steps, but as the one statement it was (R10, R114).

It was extracted and classified once; what may be kept is asked anew, for rules, policies and wishes change: the screen,
the grants, what the person asked never to keep, what is in force by now. What a line says of its own trust is believed
where this hub sealed it, or a curator vouches for it; otherwise it is a document's text, which proposes at most, and no
history (docs/adr/0028).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from memoryhub.governance import commit, disputes, forgotten, review_queue
from memoryhub.governance.authorization import not_theirs, refusal_of
from memoryhub.governance.claims import Claim
from memoryhub.governance.offer import Offered, screen_all
from memoryhub.governance.policy import Policy
from memoryhub.governance.proposal import Proposal, Result, StepOutcome
from memoryhub.governance.reconciliation import fingerprint, lock
from memoryhub.governance.restored import Restored
from memoryhub.governance.routing import Route, route
from memoryhub.governance.unwanted import is_unwanted
from memoryhub.models import Decision, Entry, Erasure
from memoryhub.permissions import grant
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Ending, Kind, Op, PolicyMode, Reason, ReviewType, Role, Status, Step

WAITS = frozenset({Status.PROPOSED, Status.DISPUTED})
#: Statuses of what is over, and under which operation an entry begins in them.
OVER = {Status.REPLACED: Op.NOOP, Status.REJECTED: Op.NOOP, Status.EXPIRED: Op.ADD, Status.ARCHIVED: Op.ADD}


@dataclass(frozen=True)
class _Line:
    """One entry that comes back, and what the screen left of it."""

    proposal: Proposal
    told: Restored
    claim: Claim
    offered: Offered
    policy: Policy


def judge(
    proposal: Proposal, policy: Policy, decision: Decision, *, by: Principal, now: datetime
) -> tuple[Result, ...]:
    """Decide about one entry that comes back; one result. Takes part in the gate's transaction."""
    told = proposal.restores
    assert told is not None  # who asked
    if not told.vouched and told.is_presumptuous(role=proposal.role, channel=proposal.channel):
        told = told.humbled()
        proposal = replace(proposal, role=Role.AGENT, channel=Channel.DOCUMENT, restores=told)
    offered = screen_all(proposal, treatments=policy.treatments)
    screening = offered.screening
    steps = [StepOutcome(Step.SCREEN, screening.outcome, screening.detail)]
    if screening.outcome == "refuse":
        reason = screening.reason or Reason.INJECTION
        return (_result(Route(Op.REFUSED, reason, str(reason.label)), None, steps, redacted=screening.redacted),)
    claim = told.claim(screening.text.strip(), quote=offered.source.quote)
    steps.append(StepOutcome(Step.EXTRACT, "1 claims", "as it was exported"))
    steps.append(StepOutcome(Step.CLASSIFY, f"{told.kind}/{told.category}", f"confidence {told.confidence:.2f}"))
    line = _Line(proposal, told, claim, offered, policy)
    lock(proposal.subject)
    if (known := _known(line)) is not None:
        steps.append(StepOutcome(Step.RECONCILE, Op.NOOP, Reason.DUPLICATE))
        return (_result(Route(Op.NOOP, Reason.DUPLICATE, str(Reason.DUPLICATE.label)), known, steps),)
    rival = _rival(line)
    routed = max(_said(line, rival), key=lambda one: _SEVERITY.get(one.op, 0))
    steps.append(StepOutcome(Step.AUTHORIZE, "refused" if routed.op == Op.REFUSED else "granted"))
    entry = None
    if routed.op not in (Op.REFUSED, Op.DISCARDED):
        entry = _write(line, routed, rival, decision, by=by, now=now)
    return (_result(routed, entry, steps, redacted=screening.redacted, words=claim.text),)


_SEVERITY = {Op.REFUSED: 3, Op.DISCARDED: 2, Op.QUEUED: 1}


def _said(line: _Line, rival: Entry | None) -> Iterator[Route]:
    """Where the line would go by each rule; the worst of them wins, and of two alike the first."""
    told, proposal, policy = line.told, line.proposal, line.policy
    if _is_forgotten(line):
        yield Route(Op.REFUSED, Reason.FORGOTTEN, str(Reason.FORGOTTEN.label))
    if is_unwanted(proposal.subject, category=told.category, key=told.key or None):
        yield Route(Op.REFUSED, Reason.ASKED_NOT_TO_KEEP, str(Reason.ASKED_NOT_TO_KEEP.label))
    if proposal.subject.paused_at is not None and not told.vouched:
        yield Route(Op.REFUSED, Reason.PAUSED, str(Reason.PAUSED.label))
    refusal = _refusal(line)
    if refusal is not None:
        yield Route(Op.REFUSED, refusal, str(refusal.label))
    if policy.modes[told.kind] is PolicyMode.OFF:
        yield Route(Op.DISCARDED, Reason.KIND_OFF, f"The policy keeps nothing {told.kind.value}.")
    humble = proposal.channel == Channel.DOCUMENT and not told.vouched
    if told.status in OVER:
        if humble:
            yield Route(Op.DISCARDED, Reason.UNSUPPORTED, "It is over, and nobody vouches for what it says of itself.")
        reason = {Status.REPLACED: Reason.OLDER, Status.REJECTED: Reason.DECLINED_BEFORE}.get(told.status)
        yield Route(OVER[told.status], reason or Reason.COMMITTED, "as it was: over")
        return
    if rival is not None or told.status == Status.DISPUTED:
        yield Route(Op.QUEUED, Reason.CONTRADICTS, str(Reason.CONTRADICTS.label))
    if told.status == Status.PROPOSED:
        yield Route(Op.QUEUED, Reason.UNSUPPORTED, "It waited for a person where it came from.")
    if told.vouched:
        yield Route(Op.ADD, Reason.COMMITTED, "as it was: in use")
        return
    screening = line.offered.screening
    yield route(
        classification=told.classification, channel=proposal.channel, role=proposal.role, op=Op.ADD,
        reason=Reason.COMMITTED, policy=policy, shared=told.audience is None or told.audience.pk != proposal.subject.pk,
        suspicious=(screening.reason or Reason.SUSPICIOUS) if screening.outcome == "queue" else None,
        not_theirs=not_theirs(told.classification, proposal, policy),
    )  # fmt: skip


def _refusal(line: _Line) -> Reason | None:
    """Why nobody who stands behind it may write it: the curator who vouches, else whoever said it."""
    told, proposal, grants = line.told, line.proposal, line.policy.grants
    if not told.vouched:
        return refusal_of(line.claim, told.classification, proposal, line.policy)
    granted = grant(
        role=Role.CURATOR, channel=Channel.CURATOR, kind=told.kind, op="add", category=told.category, grants=grants
    )
    return None if granted.allowed else Reason.NOT_GRANTED


def _is_forgotten(line: _Line) -> bool:
    """Whether it was erased here, or is what was: an old file brings nothing back (docs/adr/0023)."""
    told, proposal = line.told, line.proposal
    marks = forgotten.held(line.claim, proposal)
    said_at = proposal.said_at or told.recorded_at
    if forgotten.why_refused(marks, told.classification, proposal, said_at=said_at) is not None:
        return True
    everything = Q(ending=Ending.SUBJECT, target=proposal.subject.pk, erased_at__gt=told.recorded_at)
    taken = Q(subject_id=proposal.subject.pk, options__contains={"entries": [str(told.id)]})
    this = Q(ending=Ending.ENTRY, target=told.id)
    return Erasure.objects.filter(everything | taken | this, organisation=proposal.subject.organisation_id).exists()


def _known(line: _Line) -> Entry | None:
    """What is here already: the same entry, or another that says the same and stands alike."""
    told, said = line.told, Q(fingerprint=fingerprint(line.claim))
    same = Q(status=told.status, recorded_at=told.recorded_at, provenance__session_ref=line.proposal.session_ref)
    alike = Q(pk=told.id) | said & same
    if told.status not in OVER and told.kind != Kind.EPISODIC:  # two sessions may have gone the same way
        alike |= said & Q(status__in=WAITS)
        if told.valid_to is None:
            alike |= said & Q(status=Status.ACCEPTED, valid_to__isnull=True)
    return Entry.objects.filter(alike, subject=line.proposal.subject).order_by("recorded_at", "id").first()


def _rival(line: _Line) -> Entry | None:
    """What is in force under the same key and says otherwise."""
    told = line.told
    if not told.key or not told.single or told.status in OVER or told.valid_to is not None:
        return None
    held = Entry.objects.filter(
        subject=line.proposal.subject, entity=told.entity, key=told.key, single=True, status=Status.ACCEPTED,
        valid_to__isnull=True,
    )  # fmt: skip
    return held.exclude(fingerprint=fingerprint(line.claim)).select_related("provenance").first()


def _write(
    line: _Line, routed: Route, rival: Entry | None, decision: Decision, *, by: Principal, now: datetime
) -> Entry:
    proposal, told = line.proposal, line.told
    status = told.status
    if routed.op == Op.QUEUED:
        status = Status.DISPUTED if routed.reason == Reason.CONTRADICTS else Status.PROPOSED
        if not told.vouched:
            told = replace(told, recorded_until=None)
    origin = commit.Origin(
        role=proposal.role, channel=proposal.channel, said_at=min(proposal.said_at or now, now),
        speaker=proposal.speaker, session_ref=proposal.session_ref, event_ref=proposal.event_ref,
        message_id=line.offered.message_id, ref=line.offered.source.ref, uri=line.offered.source.uri,
        quote=line.offered.source.quote, verified_by=told.verified_by,
    )  # fmt: skip
    wish = commit.Wish(
        scope=proposal.scope, review_by=told.review_by, episode=line.offered.episode,
        derived_from=proposal.derived_from, restored=told,
    )  # fmt: skip
    entry = commit.write(
        line.claim, told.classification, status=status, subject=proposal.subject, origin=origin, wish=wish,
        language=told.language, policy=line.policy, by=by, now=now,
    )  # fmt: skip
    if routed.op == Op.QUEUED:
        disputed = status == Status.DISPUTED
        review_queue.put(
            type=ReviewType.DISPUTE if disputed else ReviewType.FACT, reason=routed.reason, why=routed.detail,
            entry=entry, subject=proposal.subject, rival=rival, decision=decision, by=by, now=now,
        )  # fmt: skip
        if rival is not None and disputes.has_standing(proposal.channel):
            disputes.contest(rival)
    return entry


def _result(
    routed: Route, entry: Entry | None, steps: list[StepOutcome], *, redacted: bool = False, words: str = ""
) -> Result:
    ended = StepOutcome(Step.ROUTE, routed.op, routed.detail)
    return Result(routed.op, routed.reason, entry, redacted, (*steps, ended), words=words)
