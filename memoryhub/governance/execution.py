"""What is written once a claim is decided? The gate's last step: an entry, a queue item, a confirmation or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memoryhub.governance import audit, commit, disputes, lifecycle, review_queue
from memoryhub.governance.claims import Claim, Classification, Extraction
from memoryhub.governance.confirmation import touch, vouch
from memoryhub.governance.crowding import Group, group_of
from memoryhub.governance.embedding import Begun
from memoryhub.governance.offer import WAITING, Offered
from memoryhub.governance.policy import Policy
from memoryhub.governance.proposal import Proposal, StepOutcome
from memoryhub.governance.reconciliation import Plan, fingerprint, keeps_history
from memoryhub.governance.records import Checked
from memoryhub.governance.routing import Route
from memoryhub.governance.screening import Screening
from memoryhub.models import Decision, Entry, ReviewItem
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Op, Reason, ReviewType, Role, Status


@dataclass(frozen=True)
class Case:
    """What all claims of one proposal share. `checked`: what the records behind their keys say, by key."""

    proposal: Proposal
    policy: Policy
    screening: Screening
    extraction: Extraction
    offered: Offered
    said_at: datetime
    steps: tuple[StepOutcome, ...]
    decision: Decision
    by: Principal
    now: datetime
    checked: Mapping[str, Checked] = field(default_factory=dict)

    @property
    def group(self) -> Group | None:
        """The source that what is queued of it belongs to, where nobody vouched for the words."""
        return group_of(self.proposal, self.offered.source, by=self.by)


def carry_out(
    claim: Claim, classification: Classification, plan: Plan, routed: Route, case: Case, *, begun: Begun | None = None
) -> Entry | None:
    """Write what was decided; the entry it is about, or None. `begun`: the claim's embedding, if it is under way."""
    proposal, by, now = case.proposal, case.by, case.now
    if routed.op == Op.NOOP and plan.upheld is not None:
        if plan.vouches:
            vouch(plan.upheld, role=Role.SYSTEM_OF_RECORD, policy=case.policy, by=by, now=now)
        else:
            touch(plan.upheld, role=Role.SYSTEM_OF_RECORD, policy=case.policy, by=by, now=now)
        audit.record_entry(plan.upheld, "entry.confirm", by=by, now=now, reason=Reason.SETTLED)
    if plan.verified_by or plan.reason == Reason.SETTLED:
        _close_proposal(claim, routed, case)
    if keeps_history(plan) and routed.op == Op.NOOP:
        return _write(claim, classification, Status.REPLACED, case, valid_to=plan.valid_to, before=plan.before)
    if routed.op == Op.NOOP and routed.reason == Reason.WAITING and plan.known is not None:
        review_queue.propose_again(plan.known, by=by)
        _contest(plan, case)
    if routed.op == Op.NOOP and plan.known is not None:
        if plan.vouches:
            vouch(plan.known, role=proposal.role, policy=case.policy, by=by, now=now)
        elif plan.confirms and plan.known.status == Status.ACCEPTED:
            touch(plan.known, role=proposal.role, policy=case.policy, by=by, now=now)
        return plan.known
    if proposal.ends and routed.op == Op.UPDATE:
        for closed in plan.closes:
            lifecycle.move(closed, Status.REPLACED, by=by, now=now, valid_to=case.said_at)
        return plan.known
    if routed.op in (Op.ADD, Op.UPDATE):
        entry = _write(
            claim, classification, Status.ACCEPTED, case, closes=plan.closes, valid_to=plan.valid_to,
            verified_by=plan.verified_by, begun=begun,
        )  # fmt: skip
        _settle_proposal(proposal.corrects, by=by, now=now)
        over = [closed for closed in plan.closes if closed.status == Status.REPLACED]
        if over:  # nobody needs to decide about what is history
            review_queue.withdraw(ReviewItem.objects.filter(entry__in=over), by=by, now=now)
        return entry
    if routed.op != Op.QUEUED:
        return None
    disputed = plan.reason == Reason.CONTRADICTS
    entry = _write(claim, classification, Status.DISPUTED if disputed else Status.PROPOSED, case)
    review_queue.put(
        type=ReviewType.DISPUTE if disputed else ReviewType.FACT, reason=routed.reason, why=_why(routed, plan),
        entry=entry, subject=proposal.subject, rival=against(plan), decision=case.decision, group=case.group,
        by=by, now=now,
    )  # fmt: skip
    _contest(plan, case)
    return entry


def against(plan: Plan) -> Entry | None:
    """What stands against a claim while a person decides: what it contradicts, or would put out of force."""
    return plan.rival or (plan.closes[0] if plan.closes else None)


def _why(routed: Route, plan: Plan) -> str:
    """Why a person is asked; that it contradicts what is in force is told whatever else stands against it."""
    if plan.reason != Reason.CONTRADICTS or routed.reason == Reason.CONTRADICTS:
        return routed.detail
    return f"{routed.detail} {Reason.CONTRADICTS.label}"


def _contest(plan: Plan, case: Case) -> None:
    """Mark what is in force as disputed, where somebody stands behind what contradicts it."""
    if plan.rival is not None and disputes.has_standing(case.proposal.channel):
        disputes.contest(plan.rival)


def _close_proposal(claim: Claim, routed: Route, case: Case) -> None:
    """The same claim waits already, and a record has decided it: nobody needs to."""
    if routed.op not in (Op.ADD, Op.UPDATE, Op.NOOP):
        return
    waiting = Entry.objects.filter(
        subject=case.proposal.subject, fingerprint=fingerprint(claim), status__in=WAITING
    ).select_related("subject")
    for entry in waiting:
        _give_way(entry, Reason.SETTLED, by=case.by, now=case.now)


def _settle_proposal(corrected: Entry | None, *, by: Principal, now: datetime) -> None:
    """A correction of something still waiting takes its place in the queue as well."""
    if corrected is not None and corrected.status in WAITING:
        _give_way(corrected, Reason.SUPERSEDED, by=by, now=now)


def _give_way(entry: Entry, reason: Reason, *, by: Principal, now: datetime) -> None:
    """What waits leaves the queue undecided, and is kept as declined for `reason`."""
    review_queue.withdraw(ReviewItem.objects.filter(entry=entry), by=by, now=now)
    lifecycle.move(entry, Status.REJECTED, by=by, now=now, reason=reason)


def _write(
    claim: Claim,
    classification: Classification,
    status: Status,
    case: Case,
    *,
    closes: Sequence[Entry] = (),
    valid_to: datetime | None = None,
    before: Entry | None = None,
    verified_by: str = "",
    begun: Begun | None = None,
) -> Entry:
    proposal = case.proposal
    origin = commit.Origin(
        role=proposal.role, channel=proposal.channel, said_at=case.said_at,
        speaker=proposal.speaker or (proposal.subject if proposal.role == Role.CUSTOMER else None),
        session_ref=proposal.session_ref, event_ref=proposal.event_ref, message_id=case.offered.message_id,
        ref=case.offered.source.ref, uri=case.offered.source.uri,
        quote=case.offered.source.quote or claim.quote, verified_by=verified_by,
    )  # fmt: skip
    wish = commit.Wish(
        scope=proposal.scope, expires_at=proposal.expires_at, review_by=proposal.review_by,
        episode=case.offered.episode, derived_from=proposal.derived_from, events=proposal.events,
        corrects=proposal.corrects, folds=proposal.folds, weighs_at_most=proposal.weighs_at_most,
    )  # fmt: skip
    return commit.write(
        claim, classification, status=status, subject=proposal.subject, origin=origin, wish=wish,
        language=case.extraction.language, policy=case.policy, by=case.by, now=case.now,
        closes=closes, valid_to=valid_to, before=before, begun=begun,
    )  # fmt: skip
