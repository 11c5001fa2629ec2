"""What becomes of a claim that may be written: kept, queued, or not kept? The last step of the gate (R15, R16).

Every rule that applies is gathered, and the worst wins: REFUSED before DISCARDED before QUEUED before what reconciliation said. Refusing
comes first because it also withholds the turn (R61); discarding comes before queueing so that nobody is asked about what would not be kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memoryhub import conf
from memoryhub.governance.classification import Classification
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Kind, Op, PolicyMode, Reason, Role

_SEVERITY = {Op.REFUSED: 3, Op.DISCARDED: 2, Op.QUEUED: 1}
#: Channels that stand behind what they say: they need no second person (R18).
_SETTLING = frozenset({Channel.SYSTEM_OF_RECORD, Channel.CURATOR, Channel.EVIDENCE})


def _every_kind_by_rules() -> Mapping[Kind, PolicyMode]:
    return dict.fromkeys(Kind, PolicyMode.RULES)


@dataclass(frozen=True)
class RoutingPolicy:
    """An agent's policy, as far as routing reads it (R16). Thresholds are confidences; `mode` says per kind how far it may go."""

    commit_at: float = conf.COMMIT_AT
    discard_below: float = conf.DISCARD_BELOW
    mode: Mapping[Kind, PolicyMode] = field(default_factory=_every_kind_by_rules)


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
    op_hint: Op,
    policy: RoutingPolicy,
    suspicious: bool = False,
    about_other: bool = False,
    shared_scope: bool = False,
    language_handled: bool = True,
    member: bool = True,
    hint_reason: Reason | None = None,
) -> Route:
    """Decide one claim. `op_hint`: what reconciliation proposes (ADD, UPDATE, NOOP, QUEUED …), with its own `hint_reason`."""
    found = list(
        _objections(
            classification, channel, role, policy, suspicious=suspicious, about_other=about_other, shared_scope=shared_scope, language_handled=language_handled, member=member
        )
    )
    proposed = Route(op_hint, hint_reason or _REASONS.get(op_hint, Reason.COMMITTED), "Decided by comparing with what is known.")
    if op_hint is Op.NOOP:
        found = [objection for objection in found if objection.op is Op.REFUSED]  # known already: nothing to queue, nothing to discard
    return max([*found, proposed], key=lambda candidate: _SEVERITY.get(candidate.op, 0))


_REASONS = {Op.ADD: Reason.COMMITTED, Op.UPDATE: Reason.SUPERSEDED, Op.NOOP: Reason.DUPLICATE, Op.QUEUED: Reason.CONTRADICTS}


def _objections(
    classification: Classification,
    channel: Channel,
    role: Role,
    policy: RoutingPolicy,
    *,
    suspicious: bool,
    about_other: bool,
    shared_scope: bool,
    language_handled: bool,
    member: bool,
) -> Iterator[Route]:
    """Every reason not simply to write it, the most telling first."""
    mode = policy.mode.get(classification.kind, PolicyMode.PROPOSE_ONLY)
    if classification.authority_claim and role is Role.CUSTOMER:
        yield Route(Op.REFUSED, Reason.AUTHORITY_CLAIM, "It claims a limit, a right or a verified identity for the person who says it.")
    if mode is PolicyMode.OFF:
        yield Route(Op.DISCARDED, Reason.KIND_OFF, f"The policy keeps nothing {classification.kind.label}.")
    if not classification.durable:
        yield Route(Op.DISCARDED, Reason.NOT_DURABLE, "It matters only for this moment.")
    if classification.confidence < policy.discard_below:
        yield Route(Op.DISCARDED, Reason.LOW_CONFIDENCE, f"Confidence {classification.confidence:.2f} is below {policy.discard_below:.2f}.")
    if not language_handled:
        yield Route(Op.QUEUED, Reason.LANGUAGE_NOT_HANDLED, "The rules do not read its language.")
    if suspicious:
        yield Route(Op.QUEUED, Reason.SUSPICIOUS, "It may be an instruction in disguise.")
    if channel in UNTRUSTED_CHANNELS:
        yield Route(Op.QUEUED, Reason.UNTRUSTED_CHANNEL, "Nobody vouched for the text it came from.")
    if not member:
        yield Route(Op.QUEUED, Reason.NOT_A_MEMBER, "The speaker is not known to speak for this subject.")
    if about_other:
        yield Route(Op.QUEUED, Reason.MENTIONS_OTHER, "It speaks of another person.")
    if classification.kind is Kind.PROCEDURAL and role is not Role.CURATOR:
        yield Route(Op.QUEUED, Reason.PROCEDURE, "It changes how the agent acts.")
    if shared_scope and role in (Role.AGENT, Role.DREAMER):
        yield Route(Op.QUEUED, Reason.SHARED_SCOPE, "Others would read it.")
    if channel is Channel.AGENT_INFERENCE:
        yield Route(Op.QUEUED, Reason.INFERRED, "The agent concluded it; nobody said it.")
    if classification.authority_claim and channel not in _SETTLING:
        yield Route(Op.QUEUED, Reason.AUTHORITY_CLAIM, "Only a record or a curator can state a limit or a right.")
    if mode is PolicyMode.PROPOSE_ONLY and channel not in _SETTLING:
        yield Route(Op.QUEUED, Reason.PROPOSE_ONLY, "The policy only lets the agent propose.")
    if classification.confidence < policy.commit_at and channel not in _SETTLING:
        yield Route(Op.QUEUED, Reason.LOW_CONFIDENCE, f"Confidence {classification.confidence:.2f} is below {policy.commit_at:.2f}.")
