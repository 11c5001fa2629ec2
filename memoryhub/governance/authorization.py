"""May this principal write this claim, and does it need somebody else's yes? The gate's fourth step (R15, R92).

Asked after classifying, because whether a claim may be written depends on what it claims.
"""

from memoryhub.governance import commit
from memoryhub.governance.claims import Claim, Classification
from memoryhub.governance.policy import Policy
from memoryhub.governance.proposal import Proposal
from memoryhub.governance.reconciliation import Plan, seen_before
from memoryhub.models import ReviewItem, Subject
from memoryhub.permissions import grant, proposer_of, speaks_for
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Op, Reason, ReviewState, Role, Scope, SubjectKind
from memoryhub.working.redaction import is_only_marks

_NEEDS_NO_SPEAKER = frozenset({Role.CURATOR, Role.SYSTEM_OF_RECORD, Role.OPERATOR, Role.AGENT})


def refusal_of(
    claim: Claim, classification: Classification, proposal: Proposal, policy: Policy, *, op: str = "add"
) -> Reason | None:
    """Why this role may not write this, or None (R15). Asked after classifying: it depends on what is claimed.

    `op` is what the grant has to be for: add, or update where it would replace what is in force.
    """
    if is_only_marks(claim.value or claim.text):
        return Reason.SECRET  # what it stated was taken out: a husk is nothing to keep (R12)
    if claim.about_other and proposal.role in (Role.CUSTOMER, Role.DREAMER):
        return None  # routing sends it to a person; a third person's data was refused by the screen
    if _are_own_words(proposal) and claim.told.claims_authority(claim.key, claim.value):
        return Reason.AUTHORITY_CLAIM  # whatever key, correction or category it comes under
    granted = grant(
        role=proposal.role, channel=proposal.channel, kind=classification.kind, op=op,
        category=classification.category, grants=policy.grants,
    )  # fmt: skip
    if granted.allowed:
        return None
    return Reason.AUTHORITY_CLAIM if granted.authority_claim or classification.authority_claim else Reason.NOT_GRANTED


def doubts(claim: Claim, proposal: Proposal) -> bool:
    """Whether it speaks of its own speaker's terms without plainly claiming them: unsure means a person looks (R15)."""
    return _are_own_words(proposal) and claim.told.touches_authority(claim.key, claim.value)


def _are_own_words(proposal: Proposal) -> bool:
    """Whether the person says it of themselves, at once or as a dream reads it again later."""
    return proposal.role == Role.CUSTOMER or (proposal.role == Role.DREAMER and proposal.kind != Kind.EPISODIC)


def not_theirs(classification: Classification, proposal: Proposal, policy: Policy) -> Reason | None:
    """Why it is not the speaker's to say about the subject, or None: members add only the categories the policy lets
    them, others none (R15).
    """
    if proposal.role in _NEEDS_NO_SPEAKER:
        return None
    if proposal.role == Role.DREAMER and proposal.kind == Kind.EPISODIC:
        return None  # what happened; what somebody said in it is still theirs to be believed or not
    subject, speaker = proposal.subject, proposal.speaker
    if speaker is None or speaker.pk == subject.pk:
        return None if subject.kind == SubjectKind.PERSON else Reason.NOT_A_MEMBER
    if not speaks_for(speaker, subject):
        return Reason.NOT_A_MEMBER
    return None if classification.category in policy.member_may_add else Reason.BEYOND_MEMBERSHIP


def own_proposal(claim: Claim, subject: Subject, by: Principal) -> Plan | None:
    """The same statement waits, proposed by this curator or their agent: saying it is no way to approve it (R92)."""
    waiting = seen_before(claim, subject, Role.AGENT)
    if waiting is None or waiting.op != Op.NOOP:
        return None
    items = ReviewItem.objects.filter(entry=waiting.known, state=ReviewState.WAITING)
    return waiting if any(by.user in proposer_of(item) for item in items) else None


def is_widened(proposal: Proposal) -> bool:
    """Whether more people than usual would read it: an agent's write to any shared scope, a person's to a wider one
    (R15)."""
    if proposal.role == Role.AGENT:
        return commit.is_shared(proposal.subject, proposal.scope)
    if proposal.role != Role.CUSTOMER or proposal.scope is None or proposal.scope == Scope.SUBJECT:
        return False
    return commit.scope_of(proposal.subject, proposal.scope)[0] != commit.scope_of(proposal.subject, None)[0]
