"""What becomes of a claim that may be written: kept, queued, or not kept? The last step of the gate (R15, R16).

Every rule that applies is gathered, and the worst wins: REFUSED before DISCARDED before QUEUED before what
reconciliation said. Refusing comes first because it also withholds the turn (R61); discarding comes before queueing so
that nobody is asked about what would not be kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.governance.claims import Classification
from memoryhub.governance.policy import Policy
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Kind, Op, PolicyMode, Reason, Role

_SEVERITY = {Op.REFUSED: 3, Op.DISCARDED: 2, Op.QUEUED: 1}
#: Channels that stand behind what they say: they need no second person (R18).
_SETTLING = frozenset({Channel.SYSTEM_OF_RECORD, Channel.CURATOR, Channel.EVIDENCE})

_UNOPPOSED = "Nothing stands against keeping it."


@dataclass(frozen=True)
class Route:
    """Where the claim goes, why, and in plain words."""

    op: Op
    reason: Reason
    detail: str


def route(
    *,
    classification: Classification,
    channel: Channel,
    role: Role,
    op: Op,
    reason: Reason,
    policy: Policy,
    suspicious: Reason | None = None,
    shared: bool = False,
    not_theirs: Reason | None = None,
    verified: bool = False,
    of_two: bool = False,
) -> Route:
    """Decide one claim. `op` and `reason`: what reconciliation proposes; `suspicious`: why an earlier step wants a
    person to look; `not_theirs`: why it is not the speaker's to say; `of_two`: two curators have to say yes; `policy`:
    the organisation's, as far as the agent's own goes (R16).

    A claim that is known already is neither queued nor discarded: nothing would be written.
    """
    case = _Case(classification, channel, role, policy, suspicious, shared, not_theirs, verified, of_two)
    objections = [found for found in _objections(case) if op is not Op.NOOP or found.op is Op.REFUSED]
    proposed = Route(op, reason, _UNOPPOSED if reason == Reason.COMMITTED else str(reason.label))
    return max([*objections, proposed], key=lambda found: _SEVERITY.get(found.op, 0))


@dataclass(frozen=True)
class _Case:
    classification: Classification
    channel: Channel
    role: Role
    policy: Policy
    suspicious: Reason | None
    shared: bool
    not_theirs: Reason | None
    verified: bool
    of_two: bool


def _objections(case: _Case) -> Iterator[Route]:
    """Every reason not simply to write it; of two as severe, the first is the one that is told."""
    found, policy = case.classification, case.policy
    mode = policy.modes[found.kind]
    if found.authority_claim and case.role in (Role.CUSTOMER, Role.DREAMER):
        yield Route(
            Op.REFUSED,
            Reason.AUTHORITY_CLAIM,
            "It claims a limit, a right or a verified identity for the one who says it.",
        )
    if mode is PolicyMode.OFF:
        yield Route(Op.DISCARDED, Reason.KIND_OFF, f"The policy keeps nothing {found.kind.value}.")
    if policy.failures_only and case.role in (Role.AGENT, Role.CUSTOMER):
        yield Route(Op.DISCARDED, Reason.KIND_OFF, "Of this agent only how its runs fail is kept.")
    if not found.durable:
        yield Route(Op.DISCARDED, Reason.NOT_DURABLE, "It matters only for this moment.")
    if found.confidence < policy.discard_below:
        yield Route(
            Op.DISCARDED,
            Reason.LOW_CONFIDENCE,
            f"Confidence {found.confidence:.2f} is below {policy.discard_below:.2f}.",
        )
    if case.suspicious is not None:
        yield Route(Op.QUEUED, case.suspicious, str(case.suspicious.label))
    if case.channel in UNTRUSTED_CHANNELS and not case.verified:
        yield Route(Op.QUEUED, Reason.UNTRUSTED_CHANNEL, "Nobody vouched for the text it came from.")
    if case.not_theirs is not None and not case.verified:
        yield Route(Op.QUEUED, case.not_theirs, str(case.not_theirs.label))
    if found.about_other:
        yield Route(Op.QUEUED, Reason.MENTIONS_OTHER, "It speaks of another person.")
    if case.of_two and not case.verified:
        yield Route(Op.QUEUED, Reason.NEEDS_TWO, "Two curators besides whoever says it have to say yes to it.")
    if case.channel in _SETTLING or case.verified:
        return
    if found.kind is Kind.PROCEDURAL:
        yield Route(Op.QUEUED, Reason.PROCEDURE, "It changes how the agent acts.")
    if case.shared:
        yield Route(Op.QUEUED, Reason.SHARED_SCOPE, "Others would read it.")
    if case.channel is Channel.AGENT_INFERENCE:
        yield Route(Op.QUEUED, Reason.INFERRED, "The agent concluded it; nobody said it.")
    if found.authority_claim:
        yield Route(Op.QUEUED, Reason.AUTHORITY_CLAIM, "Only a record or a curator can state a limit or a right.")
    if mode is PolicyMode.PROPOSE_ONLY:
        yield Route(Op.QUEUED, Reason.PROPOSE_ONLY, "The policy only lets the agent propose.")
    if found.confidence < policy.commit_at:
        yield Route(
            Op.QUEUED, Reason.LOW_CONFIDENCE, f"Confidence {found.confidence:.2f} is below {policy.commit_at:.2f}."
        )
