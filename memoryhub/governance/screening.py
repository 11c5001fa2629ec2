"""May these words go on at all, and in which form? The first step of the gate; no model, no database (R11, R12).

Order: recalled notes are taken out, what the person asked not to keep is refused, then attacks, then secrets and
personal data sentence by sentence. Where one sentence is refused, `text` holds the rest of the message: its other
claims proceed (R61).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.off_the_record import is_off_the_record
from memoryhub.governance.planted import planted_in
from memoryhub.governance.treatment import SHIPPED, Treated, Treatments, treat
from memoryhub.recall.escaping import BLOCK, MARK
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Reason, Role, SensitiveData
from memoryhub.working.normalisation import align, tidy
from memoryhub.working.redaction import NEVER_KEPT, Finding, find

Outcome = Literal["pass", "refuse", "discard", "queue"]

#: How recalled notes are marked when rendered (R34): a block, or a line that begins with the mark.
_NOTE_BLOCK = re.compile(rf"<{BLOCK}\b[^>]{{0,200}}>.*?(?:</{BLOCK}\s{{0,4}}>|\Z)", re.DOTALL | re.IGNORECASE)
_NOTE_LINE = re.compile(rf"(?m)^[ \t>*•-]{{0,12}}{MARK}.*$\n?")


@dataclass(frozen=True)
class Screening:
    """What the screen decided. `text`: what may go on, secrets taken out; after a refusal, the message's other
    sentences.

    `refused_values`: exact strings to be masked wherever else they stand in the turn (R61); never printed.
    `taken_out`: the families of data that marks in the text stand for.
    """

    outcome: Outcome
    reason: Reason | None
    detail: str
    text: str
    redacted: bool
    refused_values: tuple[str, ...] = field(repr=False, default=())
    taken_out: frozenset[SensitiveData] = frozenset()


def screen(text: str, *, channel: Channel, role: Role, treatments: Treatments = SHIPPED) -> Screening:
    """Judge one text (R11, R12). `role` is the principal's: only a person's own words can be off the record.
    `treatments`: the policy's word on each family of sensitive data.
    """
    original = without_recalled_notes(text)
    kept = tidy(original)
    if not kept.strip():
        recalled = bool(tidy(text).strip())
        reason = Reason.RECALLED_NOTE if recalled else Reason.ASSERTS_NOTHING
        return Screening(
            "discard", reason, "Only notes the hub gave out." if recalled else "There are no words.", "", redacted=False
        )
    copy = align(kept).text
    if (
        channel not in UNTRUSTED_CHANNELS
        and role in (Role.CUSTOMER, Role.AGENT, Role.DREAMER)
        and is_off_the_record(copy)
    ):
        values = tuple(finding.value for finding in find(kept) if finding.family in NEVER_KEPT)
        return Screening(
            "refuse",
            Reason.ASKED_NOT_TO_KEEP,
            "The person asked not to keep it.",
            "",
            redacted=False,
            refused_values=(kept, *values),
        )
    vouched = channel not in UNTRUSTED_CHANNELS
    threat = threat_of(original, vouched=vouched)
    if threat is Threat.ATTACK:
        return Screening(
            "refuse",
            Reason.INJECTION,
            "It reads like an attempt to instruct the agent.",
            "",
            redacted=False,
            refused_values=_values(find(kept)),
        )
    planted = planted_in(original)
    if planted.parts:
        rest = tidy(planted.rest)
        beside = treat(rest, channel=channel, treatments=treatments)
        return Screening(
            "refuse",
            Reason.INJECTION,
            "Another voice than the person's instructs the agent in it.",
            "" if beside.refused or threat_of(rest, vouched=vouched) is not Threat.NONE else beside.text,
            redacted=bool(beside.taken_out),
            refused_values=(*planted.parts, *beside.values),
            taken_out=beside.taken_out,
        )
    treated = treat(kept, channel=channel, treatments=treatments)
    return _after_treatment(treated, suspicious=threat is Threat.SUSPICION)


def without_recalled_notes(text: str) -> str:
    """The text without what the hub itself rendered: quoting a note back is no fresh statement (R13)."""
    if BLOCK in text:
        text = _NOTE_BLOCK.sub("", text)
    return _NOTE_LINE.sub("", text) if MARK in text else text


def _after_treatment(treated: Treated, *, suspicious: bool) -> Screening:
    """The outcome for what is no attack: the worst that befell any of its sentences."""
    outcome: Outcome = "pass"
    reason, detail, text = None, "Nothing stands against it.", treated.text
    if treated.refused:
        outcome, reason, detail = "refuse", treated.refused, str(treated.refused.label)
        text = "" if suspicious else text  # of a message that may be an attack, nothing goes on
    elif suspicious:
        outcome, reason, detail = "queue", Reason.SUSPICIOUS, "It may be an instruction in disguise."
    elif treated.queued:
        outcome, reason, detail = "queue", treated.queued, str(treated.queued.label)
    elif treated.taken_out:
        detail = "Something was taken out."
    return Screening(
        outcome,
        reason,
        detail,
        text,
        redacted=bool(treated.taken_out),
        refused_values=treated.values,
        taken_out=treated.taken_out,
    )


def _values(found: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.value for finding in found if finding.family in NEVER_KEPT))
