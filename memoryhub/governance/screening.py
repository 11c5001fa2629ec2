"""May these words go on at all, and in which form? The first step of the gate; no model, no database (R11, R12).

Order: recalled notes are taken out, what the person asked not to keep is refused, then attacks, then secrets and
personal data sentence by sentence. Where one sentence is refused, `text` holds the rest of the message: its other
claims proceed (R61).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.people import named_other, other_person, own_contact, speaks_of_money, works_with
from memoryhub.governance.sentences import sentences
from memoryhub.recall.escaping import BLOCK, MARK
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Reason, Role
from memoryhub.working.normalisation import align, listed, tidy
from memoryhub.working.redaction import (
    CONTACT,
    GOVERNMENT_ID,
    HEALTH,
    NEVER_KEPT,
    PAYMENT,
    PERSONAL,
    SECRET,
    Finding,
    find,
    replace,
)

Outcome = Literal["pass", "refuse", "discard", "queue"]

#: How recalled notes are marked when rendered (R34): a block, or a line that begins with the mark.
_NOTE_BLOCK = re.compile(rf"<{BLOCK}\b[^>]{{0,200}}>.*?(?:</{BLOCK}\s{{0,4}}>|\Z)", re.DOTALL | re.IGNORECASE)
_NOTE_LINE = re.compile(rf"(?m)^[ \t>*•-]{{0,12}}{MARK}.*$\n?")

#: Channels whose writer may name another person's contact: that is what a record or a curator is for.
_MAY_NAME_CONTACTS = frozenset({Channel.CURATOR, Channel.SYSTEM_OF_RECORD, Channel.EVIDENCE})

_KEEP = (
    r"(?:save|store|remember|record|retain|memori[sz]e|log|note(?: down)?|write down|keep|persist|put|take a note of)"
)
_WHAT_I_SAY = (
    r"(?:this|that|it|any of (?:this|that|it)|what (?:i|follows)|anything i|these words|the following|the next|"
    r"my (?:next|last)|"
    r"(?:this|our) (?:message|chat|conversation)|(?:my|our) (?:card|address|number|details|data|name|e-?mail|phone|"
    r"passwords?|"
    r"payment \w+|(?:personal )?info(?:rmation)?|messages?|chats?|conversations?|history|answers?|credentials)\b)"
)
#: A thing is kept somewhere, or for somebody: the person speaks of their house, not of memory.
_ELSEWHERE = (
    r"(?: down)?(?! (?:in the (?:shed|garage|hall|kitchen|box|fridge|garden)|for (?:me|too long)|too |"
    r"on (?:the )?(?:ice|porch|step|"
    r"doorstep)|at (?:the )?(?:door|gate|neighbour))\b)"
)
_OFF_THE_RECORD = re.compile(
    r"(?i)\b(?:off the record|(?:strictly |just |(?<=[.,;:!?] )|(?<![\s\S]))between (?:us|you and me|"
    r"ourselves)(?! and\b)|stays? between us|"
    r"not for the record|"
    r"keep (?:this|that|it) (?:to yourself|between us|off (?:the )?record)|"
    rf"(?:do not|don'?t|never|please not|not to) (?:\w+ )?{_KEEP}(?: down)? {_WHAT_I_SAY}{_ELSEWHERE}|"
    rf"(?:rather|prefer|like it if|better if) (?:that )?you (?:did not|didn'?t|do not|don'?t|would not|wouldn'?t|not|"
    rf"never) {_KEEP}(?:e?d)?\b|"
    r"(?:forget|unsee|erase) (?:that )?(?:i (?:just |ever |)(?:said|told|mentioned)|what i (?:just |)(?:said|told|"
    r"mentioned|wrote)|"
    r"you (?:heard|saw|read) (?:this|that))|"
    r"(?:without|no need for) (?:saving|storing|remembering|recording|keeping) (?:this|that|it)|"
    r"this (?:is|isn'?t|is not|should not be|must not be|shouldn'?t be|mustn'?t be) (?:not )?(?:to be |for )?"
    r"(?:kept|saved|stored|recorded|remembered|keeping|saving|the record|memory))\b"
)
#: Words that only lead up to a secret; what is left beside them decides whether the secret is the statement.
_LEAD_UP = frozenset(
    listed(
        """
    a an the my our your his her their this that it its is are was be here hi hello please keep remember save
    store note for later now use using with and or so password passwords passphrase passcode pwd pin code codes
    door gate alarm entry access key keys token tokens api secret secrets login logins credential credentials
    account user username name to of on in at card number numbers cvc cvv exp expiry expires security social ssn
    passport iban bank sort routing swift bic id i'm i i've got have new changed authorization bearer basic
    header value set export seed phrase recovery mail wiki wifi wi-fi server database db reference ref thanks
    thank private license licence just also as me you can by from removed payment detail identity contact health
    personal
    """
    )
)
_A_NAME = re.compile(r"[ \t][A-Z]|^[A-Z][a-z]+ [a-z]+s\b|'s\b")
_MARK = re.compile(r"\[[a-z ]{4,30} removed\]")
_URL_LIKE = re.compile(r"\S*(?:://|@)\S*")


@dataclass(frozen=True)
class Screening:
    """What the screen decided. `text`: what may go on, secrets taken out; after a refusal, the message's other
    sentences.

    `refused_values`: exact strings to be masked wherever else they stand in the turn (R61); never printed.
    """

    outcome: Outcome
    reason: Reason | None
    detail: str
    text: str
    redacted: bool
    refused_values: tuple[str, ...] = field(repr=False, default=())


def screen(text: str, *, channel: Channel, role: Role) -> Screening:
    """Judge one text (R11, R12). `role` is the principal's: only a person's own words can be off the record."""
    original = without_recalled_notes(text)
    kept = tidy(original)
    if not kept.strip():
        recalled = bool(text.strip())
        reason = Reason.RECALLED_NOTE if recalled else Reason.ASSERTS_NOTHING
        return Screening(
            "discard", reason, "Only notes the hub gave out." if recalled else "There are no words.", "", redacted=False
        )
    copy = align(kept).text
    if (
        channel not in UNTRUSTED_CHANNELS
        and role in (Role.CUSTOMER, Role.AGENT, Role.DREAMER)
        and _OFF_THE_RECORD.search(copy)
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
    return _screen_values(kept, channel=channel, suspicious=threat is Threat.SUSPICION)


def without_recalled_notes(text: str) -> str:
    """The text without what the hub itself rendered: quoting a note back is no fresh statement (R13)."""
    if BLOCK in text:
        text = _NOTE_BLOCK.sub("", text)
    return _NOTE_LINE.sub("", text) if MARK in text else text


def _screen_values(text: str, *, channel: Channel, suspicious: bool) -> Screening:
    """Secrets, sensitive and third-party data: each sentence is refused, cleaned or left as it is; the worst names the
    outcome.
    """
    found = find(text)
    refused: list[Reason] = []
    cleaned: list[Finding] = []
    dropped: list[tuple[int, int]] = []
    values: list[str] = []
    mentions = True
    next_one = 0
    for start, end in _sentence_spans(text):
        while next_one < len(found) and found[next_one].end <= start:
            next_one += 1
        inside = _beginning_before(end, found[next_one : next_one + 200])
        sentence = text[start:end]
        reason, removable = _judge_sentence(sentence, inside, start, channel)
        if reason:
            refused.append(reason)
            dropped.append((start, end))
            values += [finding.value for finding in inside if finding.family != HEALTH] or [sentence]
        else:
            cleaned += removable
            values += [finding.value for finding in removable]
            mentions = mentions and _mentions_colleague(sentence, channel)
    whole = _clean(text, cleaned, dropped)
    masked = tuple(dict.fromkeys(values))
    if refused:
        reason = min(refused, key=(Reason.SECRET, Reason.SENSITIVE, Reason.THIRD_PARTY).index)
        whole = "" if suspicious else whole  # of a message that may be an attack, nothing goes on
        return Screening("refuse", reason, str(reason.label), whole, redacted=bool(cleaned), refused_values=masked)
    if suspicious:
        return Screening(
            "queue",
            Reason.SUSPICIOUS,
            "It may be an instruction in disguise.",
            whole,
            redacted=bool(cleaned),
            refused_values=masked,
        )
    if mentions:  # every sentence does; where only some do, extraction marks their claims
        return Screening(
            "queue",
            Reason.MENTIONS_OTHER,
            "It names another person.",
            whole,
            redacted=bool(cleaned),
            refused_values=masked,
        )
    detail = "A secret was taken out." if cleaned else "Nothing stands against it."
    return Screening("pass", None, detail, whole, redacted=bool(cleaned), refused_values=masked)


def _beginning_before(end: int, found: Sequence[Finding]) -> list[Finding]:
    """Those of an ordered run that begin before a position."""
    return list(found[: next((index for index, finding in enumerate(found) if finding.start >= end), len(found))])


def _judge_sentence(
    sentence: str, inside: list[Finding], offset: int, channel: Channel
) -> tuple[Reason | None, list[Finding]]:
    """Why the sentence is refused, or which findings have to be cut out of it."""
    families = {finding.family for finding in inside}
    sensitive = bool(families & {HEALTH, PAYMENT, GOVERNMENT_ID})
    named = channel not in _MAY_NAME_CONTACTS and (
        (families & {CONTACT, PERSONAL} and not own_contact(sentence)) or speaks_of_money(sentence)
    )
    if (sensitive or named) and other_person(sentence):
        return Reason.THIRD_PARTY, []
    if sensitive:
        return Reason.SENSITIVE, []
    secrets = [finding for finding in inside if finding.family == SECRET]
    if secrets and _secret_is_the_statement(sentence, secrets, offset):
        return Reason.SECRET, []
    return None, secrets


def _secret_is_the_statement(sentence: str, secrets: list[Finding], offset: int) -> bool:
    shifted = [
        Finding(
            max(0, secret.start - offset),
            min(len(sentence), secret.end - offset),
            secret.kind,
            secret.family,
            secret.value,
        )
        for secret in secrets
    ]
    rest = _URL_LIKE.sub(" ", _MARK.sub(" ", replace(sentence, shifted)))
    words = [word for word in re.findall(r"[a-z][a-z'-]+", rest.lower()) if word not in _LEAD_UP]
    return len(words) < 3


def _mentions_colleague(sentence: str, channel: Channel) -> bool:
    if channel in _MAY_NAME_CONTACTS or not _A_NAME.search(sentence):
        return False
    return named_other(sentence) or (works_with(sentence) and other_person(sentence) is not None)


def _sentence_spans(text: str) -> Iterable[tuple[int, int]]:
    position = 0
    for sentence in sentences(text):
        start = text.index(sentence, position)
        position = start + len(sentence)
        yield start, position


def _clean(text: str, cleaned: list[Finding], dropped: list[tuple[int, int]]) -> str:
    for start, end in reversed(dropped):
        cleaned = [finding for finding in cleaned if not start <= finding.start < end]
    pieces: list[str] = []
    position = 0
    cuts = sorted(
        [(start, end, None) for start, end in dropped] + [(found.start, found.end, found) for found in cleaned],
        key=lambda cut: cut[0],
    )
    for start, end, finding in cuts:
        if start < position:
            continue
        pieces.append(text[position:start])
        if finding:
            pieces.append(
                replace(finding.value, [Finding(0, len(finding.value), finding.kind, finding.family, finding.value)])
            )
        position = end
    pieces.append(text[position:])
    return re.sub(r"[ \t]{2,}", " ", "".join(pieces)).strip() if dropped else "".join(pieces)


def _values(found: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.value for finding in found if finding.family in NEVER_KEPT))
