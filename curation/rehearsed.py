"""How is a rehearsal told? Per claim: what it would lead to, every step, what it would replace (R10, R92)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from curation.differences import Part, by_words
from curation.evidence import Known, who_stands_behind
from memoryhub.dreams.rehearsal import Rehearsed
from memoryhub.governance.proposal import Result
from memoryhub.models import Entry
from memoryhub.vocabulary import Op, Reason, Status, Step

#: What each step asks.
ASKS: Final = {
    Step.SCREEN: "May these words go on at all?",
    Step.EXTRACT: "What do they claim?",
    Step.CLASSIFY: "What sort of claim, and how sure is it?",
    Step.AUTHORIZE: "May this role write it?",
    Step.RECONCILE: "New, known, newer, or a contradiction?",
    Step.ROUTE: "Kept, queued, refused or dropped?",
}
_WOULD: Final = {
    Op.ADD: "It would be kept, and agents would use it from the next call on.",
    Op.UPDATE: "It would be kept in place of what is in force now, which would become history.",
    Op.NOOP: "Nothing new would be kept.",
    Op.QUEUED: "It would wait in the queue; until a person decides, agents use what is in force now.",
    Op.REFUSED: "It would be refused, and nothing of it kept.",
    Op.DISCARDED: "Nothing of it would be kept.",
}
TONES: Final = {
    Op.ADD: "good", Op.UPDATE: "good", Op.NOOP: "", Op.QUEUED: "warn", Op.REFUSED: "bad", Op.DISCARDED: "",
}  # fmt: skip


@dataclass(frozen=True)
class StepShown:
    """One step: what it asks, and what it said; not reached where an earlier one ended it."""

    name: str
    asks: str
    outcome: str = ""
    detail: str = ""
    reached: bool = True


@dataclass(frozen=True)
class Replaced:
    """What is in force, who stands behind it, and how the words would change."""

    known: Known
    parts: Sequence[Part]


@dataclass(frozen=True)
class Claim:
    """What one claim would lead to. `entry` is as it would be written, or what is known already (`there`)."""

    result: Result
    would: str
    tone: str
    steps: Sequence[StepShown]
    entry: Entry | None
    there: bool
    replaces: Sequence[Replaced]
    against: Known | None


def claims(found: Rehearsed) -> list[Claim]:
    """The claims of a rehearsal, in the order of the text."""
    return [_claim(result, found.known) for result in found.results]


def taken_out(typed: str, passed: str) -> Sequence[Part]:
    """The typed words and what of them would go on; empty where they are the same."""
    return [] if " ".join(typed.split()) == " ".join(passed.split()) else by_words(typed, passed)


def _claim(result: Result, known: Mapping[UUID, Entry]) -> Claim:
    replaced = [known[entry.pk] for entry in result.replaces if entry.pk in known]
    against = known.get(result.against.pk) if result.against is not None else None
    there = result.entry is not None and result.entry.pk in known
    entry = known[result.entry.pk] if result.entry is not None and there else result.entry
    words = entry.content if entry is not None else result.words
    return Claim(
        result=result,
        would=_would(result, entry, replaced),
        tone=TONES[result.op],
        steps=_steps(result),
        entry=entry,
        there=there,
        replaces=[Replaced(_in_force(one), by_words(one.content, words) if words else ()) for one in replaced],
        against=_in_force(against) if against is not None else None,
    )


def _would(result: Result, entry: Entry | None, replaced: Sequence[Entry]) -> str:
    if result.op == Op.NOOP and entry is not None and entry.status == Status.REPLACED:
        return "It would be kept as history, beside what is in force now."
    if result.op == Op.NOOP and result.reason == Reason.DUPLICATE:
        return "It is known already; it would count as confirmed again where the speaker can confirm it."
    if result.op == Op.NOOP and result.reason == Reason.WAITING:
        return "The same waits in the queue already."
    if result.op == Op.UPDATE and not result.words.strip() and replaced:
        return "What is in force now would end."
    return _WOULD[result.op]


def _in_force(entry: Entry) -> Known:
    return Known(entry, who_stands_behind(entry))


def _steps(result: Result) -> list[StepShown]:
    said = {step.step: step for step in result.steps}
    return [
        StepShown(step.label, ASKS[step], str(one.outcome), one.detail)
        if (one := said.get(step)) is not None
        else StepShown(step.label, ASKS[step], reached=False)
        for step in Step
    ]
