"""Who is right, when a trusted record can tell? Settles what reconciling alone would put to a person (R18, R19).

Two halves: `ask` reads the records behind the claims' keys before the subject is locked, so that nobody waits in line
behind a slow source; `settle` then turns one plan into another by what was read. Newer never wins by being newer: what
the record says wins, and what it says otherwise is kept as history.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import F

from memoryhub import conf
from memoryhub.governance import audit, commit, records
from memoryhub.governance.claims import Claim, Classification
from memoryhub.governance.policy import Policy
from memoryhub.governance.proposal import Proposal, Source
from memoryhub.governance.reconciliation import Plan, fingerprint
from memoryhub.governance.records import Checked
from memoryhub.governance.wording import agrees, contains, says_more, stated
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Category, Channel, Kind, Op, Reason, Role, Status

OWN: Final = "subject"  # the entity of a claim about the subject itself
#: Roles that no record needs to confirm: they are as trusted, or are the record.
_NEED_NO_RECORD: Final = frozenset({Role.SYSTEM_OF_RECORD, Role.CURATOR, Role.OPERATOR})


def ask(
    claims: Iterable[Claim],
    *,
    proposal: Proposal,
    policy: Policy,
    by: Principal,
    now: datetime,
    plan_of: Callable[[Claim], Plan],
) -> Mapping[str, Checked]:
    """What the mapped records say about the claims that a record could settle: those that contradict what is in force,
    and those an agent has from itself or from text nobody vouched for. By key; empty in most calls, without a query.
    """
    keyed = {claim.key: claim for claim in claims if claim.key and _may_be_settled(claim)}
    if not keyed or proposal.role in _NEED_NO_RECORD or proposal.kind == Kind.EPISODIC or not _is_of_its_own(proposal):
        return {}
    agents = _agents(proposal, keyed, by=by)
    mapped = records.mapped_sources(subject=proposal.subject, keys=list(keyed), agents=agents)
    wanted = [key for key in mapped if _is_open(plan_of(keyed[key]), proposal)]
    if not wanted:
        return {}
    return records.readings(
        subject=proposal.subject,
        keys=wanted,
        agents=agents,
        policy=policy,
        by=by,
        now=now,
        most=0 if audit.holds_the_end() else conf.RECORD_FETCHES,  # the whole organisation would wait
    )


def settle(
    plan: Plan, claim: Claim, classification: Classification, asked: Mapping[str, Checked], proposal: Proposal
) -> Plan:
    """The plan, as far as a record decides it; unchanged where nothing was asked, or it could not answer.

    The record says what the claim says: it is accepted, verified. It says otherwise: the claim is history, and what is
    in force counts as confirmed where the record agrees with it (`correction` brings what it says instead).
    """
    checked = asked.get(claim.key or "")
    if (
        checked is None
        or not _may_be_settled(claim)
        or not _is_open(plan, proposal)
        or classification.kind != Kind.SEMANTIC
    ):
        return plan
    told = checked.reading
    if not told.found:
        return replace(plan, detail=f"{plan.detail or plan.reason.label}; {checked.name}: {told.reason}")
    against = in_force(proposal.subject, claim.key or "")
    if contains(told.value, claim.value or ""):
        reason = Reason.SUPERSEDED if against else Reason.COMMITTED
        op = Op.UPDATE if against else Op.ADD
        return Plan(op, reason, f"{checked.name} says the same", closes=tuple(against), verified_by=checked.name)
    upheld = next((entry for entry in against if agrees(told.value, entry.value)), None)
    return Plan(
        Op.NOOP, Reason.SETTLED, f"{checked.name} says otherwise", known=_told_before(proposal, claim), upheld=upheld,
        vouches=upheld is not None and vouches_for(told.value, upheld), status=Status.REPLACED, valid_to=conf.EARLIEST,
    )  # fmt: skip


def as_verified(claim: Claim, asked: Mapping[str, Checked]) -> Claim:
    """A claim that its record confirmed, in words that say no more than the key and the value: the rest of a text that
    came with them was not confirmed by anything.
    """
    checked, value = asked.get(claim.key or ""), claim.value or ""
    shown = checked.reading.value if checked else ""
    if not claim.key or not says_more(claim.text, value, claim.key, shown):
        return claim
    return replace(claim, text=stated(claim.key, value))


def vouches_for(told: str, entry: Entry) -> bool:
    """Whether a record that says this stands behind the whole of an entry: its value, and nothing more around it."""
    return contains(told, entry.value) and not says_more(entry.content, entry.value, entry.key, told)


def agreement(entry: Entry, checked: Checked) -> Proposal | None:
    """What to offer the gate in the record's name where it vouches for an entry that nobody vouched for yet, so that it
    counts as verified; None where that adds nothing (R32, R36).
    """
    told = checked.reading
    if not told.found or entry.authority >= conf.VERIFIED or not vouches_for(told.value, entry):
        return None
    return _in_its_name(entry.subject, entry.key, entry.value, checked, Category(entry.category))


def correction(subject: Subject, key: str, checked: Checked) -> Proposal | None:
    """What to offer the gate in the record's name where it says other than what is in force under the key; None where
    they agree, or where it says nothing. A check at read time offers the same (R36).
    """
    told = checked.reading
    if not told.found:
        return None
    held = in_force(subject, key)
    if any(agrees(told.value, entry.value) for entry in held):
        return None
    return _in_its_name(subject, key, told.value, checked, Category(held[0].category) if held else None)


def _in_its_name(subject: Subject, key: str, value: str, checked: Checked, category: Category | None) -> Proposal:
    return Proposal(
        subject=subject, text=stated(key, value), key=key, value=value, channel=Channel.SYSTEM_OF_RECORD,
        role=Role.SYSTEM_OF_RECORD, source=Source(ref=checked.name[:500]), category=category,
    )  # fmt: skip


def _may_be_settled(claim: Claim) -> bool:
    """A record has one value of one key of the subject itself."""
    return bool(claim.key) and claim.value is not None and claim.single and claim.entity == OWN


def _is_of_its_own(proposal: Proposal) -> bool:
    """Whether it would be read by the subject's own readers alone: a record says what is so, not who may know it."""
    subject = proposal.subject
    return proposal.scope is None or commit.scope_of(subject, proposal.scope) == commit.scope_of(subject, None)


def _is_open(plan: Plan, proposal: Proposal) -> bool:
    """Whether the record is worth asking: known things need nobody, what would go to a person does."""
    if plan.op == Op.NOOP:
        return False
    unvouched = proposal.role == Role.AGENT or proposal.channel in UNTRUSTED_CHANNELS
    return plan.reason == Reason.CONTRADICTS or unvouched


def _agents(proposal: Proposal, keys: Iterable[str], *, by: Principal) -> list[UUID]:
    """Whose mapping counts: the caller's, else that of the agents that brought what is in force."""
    if by.agent is not None:
        return [by.agent]
    held = Entry.objects.filter(subject=proposal.subject, status=Status.ACCEPTED, key__in=keys, agent__isnull=False)
    return list(dict.fromkeys(held.order_by("-recorded_at").values_list("agent_id", flat=True)))


def in_force(subject: Subject, key: str) -> list[Entry]:
    """What is accepted and open under the subject's own key, newest first."""
    held = Entry.objects.filter(
        subject=subject, status=Status.ACCEPTED, kind=Kind.SEMANTIC, entity=OWN, key=key,
        valid_to__isnull=True,
    )  # fmt: skip
    return list(held.select_related("provenance").defer("embedding", "search").order_by("-valid_from", "-id"))


def _told_before(proposal: Proposal, claim: Claim) -> Entry | None:
    """The same claim that a record settled before: it is not written down a second time."""
    known = Entry.objects.filter(
        subject=proposal.subject, status=Status.REPLACED, fingerprint=fingerprint(claim), valid_to=F("valid_from")
    )
    return known.order_by("-recorded_at").first()
