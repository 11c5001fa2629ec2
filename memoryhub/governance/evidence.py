"""Something stands behind a proposal: a merge, a test run, a document, a record. What it shows is accepted (R19).

Evidence comes from a system of record, never from whoever proposed. It goes through the gate: what it backs is compared
with what is in force like any claim through the channel `evidence`, decided in one decision row, and audited. What it
does not show goes on waiting; what a curator declined waits again when the evidence is new.
"""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memoryhub import conf
from memoryhub.errors import Invalid, NotFound, NotGranted
from memoryhub.governance import audit, commit, disputes, embedding, lifecycle, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.claims import Claim, Classification
from memoryhub.governance.confirmation import touch, vouch
from memoryhub.governance.offer import WAITING
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.proposal import Outcome, Result, StepOutcome
from memoryhub.governance.reconciliation import Plan, lock, reconcile
from memoryhub.governance.screening import screen
from memoryhub.governance.support import Shown, Support, is_note, note_about, support_of
from memoryhub.models import Backing, Decision, Entry, Evidence, ReviewItem
from memoryhub.permissions import grant, proposer_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import (
    Category,
    Channel,
    Form,
    Kind,
    Op,
    Reason,
    ReviewState,
    ReviewType,
    Role,
    Sensitivity,
    Status,
    Step,
)
from memoryhub.working.session import OFF_RECORD, is_off_record

_ROLE, _CHANNEL = Role.SYSTEM_OF_RECORD, Channel.EVIDENCE


@dataclass(frozen=True)
class _Case:
    """What all entries that one evidence is shown for share."""

    shown: Shown
    policy: Policy
    decision: Decision
    by: Principal
    now: datetime


@transaction.atomic
def give(*, shown: Shown, backs: Sequence[uuid.UUID] | None, by: Principal, now: datetime) -> Outcome:
    """Show evidence for the entries it names in `backs`, or for the note about the fix of `shown.session_ref`.

    One result per entry, two where only a part is backed. Raises NotFound for an entry that is not there, NotGranted
    for evidence about one's own proposal, Invalid where nothing is named, where the evidence holds what is never kept
    or comes out of a conversation that is not to be remembered.
    """
    if is_off_record(external_id=shown.session_ref, by=by):
        raise Invalid(OFF_RECORD, errors={"session_id": [OFF_RECORD]}, code="off_record")
    policy = in_force(by.organisation)
    for field, text in (("ref", shown.ref), ("value", shown.value)):
        _check_clean(field, text, policy)
    entries, unclear = _named(shown, backs, by=by)
    _check_not_own(entries, by=by)
    if not entries:
        kept = _keep(shown, None, by=by, now=now)
        audit.record_all(by=by, now=now, rows=[_given(kept)])
        return Outcome(None, ())
    by_subject: dict[uuid.UUID, list[uuid.UUID]] = {}
    for entry in entries:
        by_subject.setdefault(entry.subject_id, []).append(entry.pk)
    for subject in sorted(by_subject):
        lock(subject)
    decided = [
        _decide_about(subject, ids, _Case(shown, policy, _decision(subject, policy, by=by, now=now), by, now), unclear)
        for subject, ids in by_subject.items()
    ]
    return Outcome(decided[0].decision_id, tuple(result for outcome in decided for result in outcome.results))


def _decision(subject: uuid.UUID | None, policy: Policy, *, by: Principal, now: datetime) -> Decision:
    return Decision(
        organisation_id=by.organisation, subject_id=subject, role=_ROLE, channel=_CHANNEL, agent_id=by.agent,
        user_id=by.user, policy_version=policy.version, created_at=now,
    )  # fmt: skip


def _decide_about(subject: uuid.UUID, ids: Sequence[uuid.UUID], case: _Case, unclear: bool) -> Outcome:
    """One decision about one subject: its entries, the evidence that was shown for them, and the audit of both. Raises
    NotFound where one of them was erased meanwhile.
    """
    announce(case.decision.pk)
    fresh = Entry.objects.select_related("subject", "provenance").in_bulk(list(ids))  # as they stand under the lock
    if len(fresh) != len(ids):
        raise NotFound
    judged = [(fresh[pk], _judge(fresh[pk], case, unclear=unclear)) for pk in ids]
    results = tuple(result for _, told in judged for result in told)
    _decide(case, results)
    kept = _keep(case.shown, subject, by=case.by, now=case.now)
    Backing.objects.bulk_create(
        Backing(
            organisation_id=case.by.organisation, evidence=kept, entry=entry, digest=_digest(case.shown),
            op=next((result.op for result in told if result.entry and result.entry.pk == entry.pk), told[0].op),
        )
        for entry, told in judged
    )  # fmt: skip
    rows = [
        audit.Row(
            f"memory.{result.op.lower()}", "entry" if result.entry else "decision",
            str(result.entry.pk if result.entry else case.decision.pk), subject, result.reason,
        )
        for result in results
    ]  # fmt: skip
    audit.record_all(by=case.by, now=case.now, rows=[_given(kept), *rows])
    return Outcome(case.decision.pk, results)


def _decide(case: _Case, results: Sequence[Result]) -> Decision:
    decision: Decision = case.decision
    decision.results = [result.as_json() for result in results]
    decision.save(force_insert=True)
    return decision


def _given(kept: Evidence) -> audit.Row:
    return audit.Row("evidence.give", "evidence", str(kept.pk), kept.subject_id, kept.type)


def _check_clean(field: str, text: str, policy: Policy) -> None:
    if not text:
        return
    judged = screen(text, role=_ROLE, channel=_CHANNEL, treatments=policy.treatments)
    if judged.outcome in ("refuse", "discard") or judged.redacted:
        reason = judged.reason.label if judged.reason else Reason.SECRET.label
        raise Invalid(errors={field: [str(reason)]}, code=str(judged.reason or Reason.SECRET))


def _named(shown: Shown, backs: Sequence[uuid.UUID] | None, *, by: Principal) -> tuple[list[Entry], bool]:
    """The entries it is for, and whether it can't be told which of them it is about."""
    rows = Entry.objects.filter(organisation_id=by.organisation).select_related("provenance")
    if by.bound_subject:
        rows = rows.filter(subject__external_id=by.bound_subject)
    if backs:
        wanted = list(dict.fromkeys(backs))
        found = rows.in_bulk(wanted)
        if len(found) != len(wanted):
            raise NotFound
        return [found[pk] for pk in wanted], False
    if not shown.session_ref:
        raise Invalid(errors={"backs": ["Name the entries it backs, or the session whose fix it is about."]})
    of_run = [note for note in rows.filter(provenance__session_ref=shown.session_ref).order_by("id") if is_note(note)]
    shown_before = set(Backing.objects.filter(entry__in=of_run, digest=_digest(shown)).values_list("entry", flat=True))
    if again := [note for note in of_run if note.pk in shown_before]:
        return again, False
    open_notes = [note for note in of_run if note.status in (*WAITING, Status.REJECTED)]
    if not shown.stands_behind_fixes:
        raise Invalid(errors={"backs": ["A document or a record names the entries it backs."]})
    about = note_about(open_notes, shown)
    return ([about], False) if about is not None else (open_notes, True)


def _check_not_own(entries: Sequence[Entry], *, by: Principal) -> None:
    """Raise NotGranted for evidence about what the caller, or an agent they own, proposed: that would approve it."""
    for entry in entries:
        own = by.agent is not None and by.agent == entry.provenance.agent_id
        if own or (by.user is not None and by.user in _proposers(entry)):
            raise NotGranted("You, or your agent, proposed this; somebody else has to show what stands behind it.")


def _proposers(entry: Entry) -> list[uuid.UUID]:
    """Everybody who proposed it, by person."""
    people = {person for item in ReviewItem.objects.filter(entry=entry) for person in proposer_of(item)}
    return [person for person in people | {entry.provenance.user_id} if isinstance(person, uuid.UUID)]


def _judge(entry: Entry, case: _Case, *, unclear: bool) -> tuple[Result, ...]:
    """The gate for one entry: is it waiting, may it be accepted, is it shown, does it fit what is in force?"""
    steps: tuple[StepOutcome, ...] = (
        StepOutcome(Step.SCREEN, "pass", "Nothing stands against the evidence."),
        StepOutcome(Step.CLASSIFY, f"{entry.kind}/{entry.category}", str(case.shown.type.label)),
    )
    if entry.status not in (*WAITING, Status.REJECTED):
        reason = Reason.DUPLICATE if entry.status == Status.ACCEPTED else Reason.OLDER
        return (_result(Op.NOOP, reason, entry, steps, "It does not wait for anything."),)
    granted = grant(
        role=_ROLE, channel=_CHANNEL, kind=entry.kind, op="approve", category=entry.category, grants=case.policy.grants
    ).allowed
    steps += (StepOutcome(Step.AUTHORIZE, "granted" if granted else "refused"),)
    support = support_of(entry, case.shown) if granted and not unclear else Support()
    if entry.status == Status.REJECTED:
        return (_ask_again(entry, support, steps, case),)
    if not granted:
        reason = Reason.PROCEDURE if entry.kind == Kind.PROCEDURAL else Reason.NOT_GRANTED
        return (_result(Op.QUEUED, reason, entry, steps, "Only a curator can approve this."),)
    if ReviewItem.objects.filter(entry=entry, state=ReviewState.WAITING, reason=Reason.NEW_EVIDENCE).exists():
        told = "A curator declined it before, so a person looks at the evidence."
        return (_result(Op.QUEUED, Reason.NEW_EVIDENCE, entry, steps, told),)
    if not support:
        told = "It can't be told which note it is about; name it." if unclear else "The evidence does not show it."
        return (_result(Op.QUEUED, Reason.UNSUPPORTED, entry, steps, told),)
    if support.whole:
        return (_accept(entry, steps, case),)
    return (*_accept_part(entry, support, steps, case), _leave_rest(entry, steps, case))


def _ask_again(entry: Entry, support: Support, steps: tuple[StepOutcome, ...], case: _Case) -> Result:
    """What a curator declined comes back before a person when this evidence is new and shows something of it."""
    known = Backing.objects.filter(entry=entry, digest=_digest(case.shown)).exists()
    if known or not support:
        told = "The same evidence was shown before." if known else "The evidence does not show it."
        return _result(Op.REFUSED, Reason.DECLINED_BEFORE, None, steps, told)
    lifecycle.move(entry, Status.PROPOSED, by=case.by, now=case.now, reason=Reason.NEW_EVIDENCE)
    review_queue.put(
        type=ReviewType.FACT, reason=Reason.NEW_EVIDENCE, entry=entry, subject=entry.subject,
        agent=entry.provenance.agent_id, others=_proposers(entry), decision=case.decision, by=case.by, now=case.now,
        why=f"Declined before; there is new evidence: {case.shown.type.label}, {case.shown.ref}.",
    )  # fmt: skip
    return _result(Op.QUEUED, Reason.NEW_EVIDENCE, entry, steps, "New evidence for what was declined.")


def _accept(entry: Entry, steps: tuple[StepOutcome, ...], case: _Case) -> Result:
    """Put a waiting entry in force as it is, if what is in force lets it."""
    plan = _plan(entry, entry.content, entry.value, case)
    steps += (StepOutcome(Step.RECONCILE, plan.op, plan.detail or plan.reason),)
    if plan.op == Op.NOOP and plan.known is not None:
        _withdraw(entry, case)
        lifecycle.move(entry, Status.REJECTED, by=case.by, now=case.now, reason=Reason.DUPLICATE)
        _confirm(plan, plan.known, case)
        return _result(Op.NOOP, Reason.DUPLICATE, plan.known, steps, "It is in force already, and confirmed now.")
    if plan.op not in (Op.ADD, Op.UPDATE):
        return _result(Op.QUEUED, Reason.CONTRADICTS, entry, steps, plan.detail)
    for closed in plan.closes:
        lifecycle.supersede(closed, begins=entry.valid_from, said_at=entry.provenance.said_at, by=case.by, now=case.now)
        entry.supersedes = entry.supersedes or closed
    lifecycle.move(entry, Status.ACCEPTED, by=case.by, now=case.now, reason=plan.reason)
    entry.recorded_at, entry.contested = case.now, False
    entry.last_confirmed_at, entry.confirmed_by = case.now, Role.SYSTEM_OF_RECORD
    entry.authority = conf.AUTHORITY[Channel.EVIDENCE]
    entry.expires_at = max(entry.expires_at, case.policy.lapses_at(entry.category, now=case.now))
    entry.review_by = case.policy.review_by(entry.expires_at, now=case.now)
    if not embedding.give([(entry, entry.provenance.speaker)]):
        embedding.later(by=case.by, now=case.now)
    entry.save()
    _withdraw(entry, case)
    return _result(plan.op, plan.reason, entry, steps, f"Backed by {_name(case.shown)}.")


def _accept_part(entry: Entry, support: Support, steps: tuple[StepOutcome, ...], case: _Case) -> tuple[Result, ...]:
    """Write what is shown as a statement of its own, which came from the one that waits."""
    plan = _plan(entry, support.text, support.value, case)
    steps += (StepOutcome(Step.RECONCILE, plan.op, plan.detail or plan.reason),)
    if plan.op == Op.NOOP and plan.known is not None:
        _confirm(plan, plan.known, case)
        return (_result(Op.NOOP, Reason.DUPLICATE, plan.known, steps, "That much is in force already."),)
    if plan.op not in (Op.ADD, Op.UPDATE):
        return ()
    source = entry.provenance
    origin = commit.Origin(
        role=Role(source.role), channel=Channel.EVIDENCE, said_at=case.now, speaker=source.speaker,
        session_ref=source.session_ref, event_ref=source.event_ref, message_id=source.message_id, ref=case.shown.ref,
        quote=source.quote, verified_by=_name(case.shown),
    )  # fmt: skip
    written = commit.write(
        _claim(entry, support.text, support.value), _classification(entry), status=Status.ACCEPTED,
        subject=entry.subject, origin=origin, wish=commit.Wish(scope=entry.scope, derived_from=(entry,)),
        language=entry.language, policy=case.policy, by=case.by, now=case.now, closes=plan.closes,
    )  # fmt: skip
    return (_result(plan.op, plan.reason, written, steps, f"Backed by {_name(case.shown)}."),)


def _confirm(plan: Plan, known: Entry, case: _Case) -> None:
    """What is in force already is confirmed, and verified as far as the evidence shows it (R32)."""
    if plan.vouches:
        vouch(known, role=_ROLE, policy=case.policy, by=case.by, now=case.now)
    else:
        touch(known, role=_ROLE, policy=case.policy, by=case.by, now=case.now)


def _leave_rest(entry: Entry, steps: tuple[StepOutcome, ...], case: _Case) -> Result:
    review_queue.explain(
        entry, reason=Reason.UNSUPPORTED, why=f"{case.shown.type.label.capitalize()} shows only a part of it."
    )
    return _result(Op.QUEUED, Reason.UNSUPPORTED, entry, steps, "The evidence shows only a part of it.")


def _plan(entry: Entry, text: str, value: str, case: _Case) -> Plan:
    return reconcile(
        _claim(entry, text, value), _classification(entry), subject=entry.subject, role=_ROLE, channel=_CHANNEL,
        said_at=case.now, now=case.now,
    )  # fmt: skip


def _claim(entry: Entry, text: str, value: str) -> Claim:
    return Claim(
        text=text, quote=text, form=Form.ASSERTION, entity=entry.entity or "subject", key=entry.key or None,
        value=value or None, single=entry.single, category_hint=Category(entry.category),
    )  # fmt: skip


def _classification(entry: Entry) -> Classification:
    return Classification(
        kind=Kind(entry.kind), category=Category(entry.category), sensitivity=Sensitivity(entry.sensitivity),
        confidence=entry.confidence, importance=entry.importance, authority=conf.AUTHORITY[Channel.EVIDENCE],
        durable=True, authority_claim=False,
    )  # fmt: skip


def _withdraw(entry: Entry, case: _Case) -> None:
    """Nobody needs to decide it any more; what it stood against is no longer disputed by it."""
    items = ReviewItem.objects.filter(entry=entry)
    rivals = list(Entry.objects.filter(pk__in=items.filter(rival__isnull=False).values("rival")))
    review_queue.withdraw(items, by=case.by, now=case.now)
    for rival in rivals:
        disputes.settle(rival)


def _keep(shown: Shown, subject: uuid.UUID | None, *, by: Principal, now: datetime) -> Evidence:
    """The evidence as a row; what it shows is kept only about somebody, so that it can be forgotten with them."""
    return Evidence.objects.create(
        organisation_id=by.organisation, subject_id=subject, type=shown.type, ref=shown.ref,
        value=shown.value if subject else "", session_ref=shown.session_ref, given_by=by.label[:120], given_at=now,
    )  # fmt: skip


def _name(shown: Shown) -> str:
    return f"{shown.type.value} {shown.ref}"[:500]


def _digest(shown: Shown) -> str:
    said = (shown.type.value, shown.ref.casefold().strip(), shown.value.strip())
    return hashlib.sha256("\x1f".join(said).encode()).hexdigest()


def _result(op: Op, reason: Reason, entry: Entry | None, steps: tuple[StepOutcome, ...], detail: str) -> Result:
    return Result(op, reason, entry, False, (*steps, StepOutcome(Step.ROUTE, op, detail)))
