"""What becomes of secrets and personal data in a text: kept, queued, taken out, or the sentence refused? (R12)

Each sentence is judged by the strictest of what stands in it. How a family of data is treated is the policy's to say
(`conf.TREATMENT` is what is shipped); one thing is not: a secret is never kept, and never waits in a queue, as it
stands.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memoryhub import conf
from memoryhub.governance.people import (
    may_tell_of_others,
    named_other,
    other_person,
    own_contact,
    speaks_of_money,
    tells_private_life,
    works_with,
)
from memoryhub.governance.sentences import sentences
from memoryhub.vocabulary import Channel, Reason, SensitiveData, Treatment
from memoryhub.working.normalisation import listed
from memoryhub.working.redaction import Finding, find, replace

Treatments = Mapping[SensitiveData, Treatment]

SHIPPED: Treatments = {SensitiveData(family): Treatment(how) for family, how in conf.TREATMENT.items()}

_MILDEST_FIRST = tuple(Treatment)
_SENSITIVE = frozenset({SensitiveData.HEALTH, SensitiveData.PAYMENT, SensitiveData.GOVERNMENT_ID})
_PRIVATE = frozenset({SensitiveData.CONTACT, SensitiveData.PERSONAL})
_WORST_FIRST = (Reason.SECRET, Reason.SENSITIVE, Reason.THIRD_PARTY)
#: Channels whose writer may name another person's contact: that is what a record or a curator is for.
_MAY_NAME_CONTACTS = frozenset({Channel.CURATOR, Channel.SYSTEM_OF_RECORD, Channel.EVIDENCE})

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
    personal phone mobile e-mail email address birth date born
    open opens opened unlock unlocks unlocked takes wants needs reads enter enters press dial type types punch set
    combination combo pattern keypad padlock lock locks lockbox keybox safe strongbox vault locker garage gates shed
    cellar basement attic office building house flat apartment room back front side bike between shared our ours
    server servers tablet laptop computer watch bell then get past into inside said called hotel lobby lift
    elevator mailbox suitcase cupboard cabinet barrier intercom runs until
    """
    )
)
_A_NAME = re.compile(r"[ \t][A-Z]|^[A-Z][a-z]+ [a-z]+s\b|'s\b")
_MARK = re.compile(r"\[[a-z ]{4,30} removed\]")
_URL_LIKE = re.compile(r"(?:(?<![^\s:@])[^\s:@]{0,200})?(?:://|@)\S*")
_LONG_WORD = re.compile(r"[a-z][a-z'-]{1,60}")


@dataclass(frozen=True)
class Treated:
    """A text after treatment. `refused`, `queued`: why, where any sentence of it is; `text`: what may go on.

    `taken_out`: the families that marks stand for; `values`: the exact words to be masked elsewhere, never printed.
    """

    text: str
    refused: Reason | None
    queued: Reason | None
    taken_out: frozenset[SensitiveData]
    values: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True)
class _Verdict:
    refused: Reason | None = None
    queued: Reason | None = None
    removable: tuple[Finding, ...] = ()


def treat(text: str, *, channel: Channel, treatments: Treatments = SHIPPED) -> Treated:
    """Judge the text sentence by sentence: each is refused, cleaned, queued or left as it is; the worst names the
    outcome.
    """
    found = find(text)
    telling = may_tell_of_others(text)
    refused: list[Reason] = []
    queued: list[Reason] = []
    cleaned: list[Finding] = []
    dropped: list[tuple[int, int]] = []
    values: list[str] = []
    all_mention = True
    next_one = 0
    for start, end in _sentence_spans(text):
        while next_one < len(found) and found[next_one].end <= start:
            next_one += 1
        beyond = next_one
        while beyond < len(found) and found[beyond].start < end:
            beyond += 1
        inside = found[next_one:beyond]
        sentence = text[start:end]
        verdict = _judge(sentence, inside, start, channel, treatments) if inside or telling else _Verdict()
        if verdict.refused:
            refused.append(verdict.refused)
            dropped.append((start, end))
            values += [finding.value for finding in inside if finding.family != SensitiveData.HEALTH] or [sentence]
            continue
        if verdict.queued:
            queued.append(verdict.queued)
        cleaned += verdict.removable
        values += [finding.value for finding in verdict.removable]
        all_mention = all_mention and _mentions_colleague(sentence, channel)
    if all_mention and not refused:  # every sentence does; where only some do, extraction marks their claims
        queued.append(Reason.MENTIONS_OTHER)
    return Treated(
        _clean(text, cleaned, dropped),
        min(refused, key=_WORST_FIRST.index, default=None),
        queued[0] if queued else None,
        frozenset(finding.family for finding in cleaned),
        tuple(dict.fromkeys(values)),
    )


def _judge(
    sentence: str, inside: tuple[Finding, ...], offset: int, channel: Channel, treatments: Treatments
) -> _Verdict:
    """One sentence by the strictest treatment of what is found in it; another person's data counts twice: as what it
    is, and as theirs.
    """
    families = {finding.family for finding in inside}
    named = channel not in _MAY_NAME_CONTACTS and (
        (families & _PRIVATE and not own_contact(sentence)) or speaks_of_money(sentence) or tells_private_life(sentence)
    )
    theirs = bool(
        (families & _SENSITIVE or named) and (other_person(sentence) or (families & _PRIVATE and works_with(sentence)))
    )
    floor = treatments[SensitiveData.THIRD_PARTY] if theirs else Treatment.KEEP
    treated = [max(treatments[finding.family], floor, key=_MILDEST_FIRST.index) for finding in inside]
    worst = max((*treated, floor), key=_MILDEST_FIRST.index)
    cut = tuple(
        finding
        for finding, how in zip(inside, treated, strict=True)
        if how == Treatment.REDACT or finding.family == SensitiveData.SECRET
    )
    whole = worst == Treatment.REDACT and not cut  # what it tells has no single words to take out
    if worst == Treatment.REFUSE or whole or (cut and _is_the_statement(sentence, cut, offset)):
        secret = any(finding.family == SensitiveData.SECRET for finding in cut) and not families & _SENSITIVE
        return _Verdict(Reason.THIRD_PARTY if theirs else Reason.SECRET if secret else Reason.SENSITIVE)
    waiting = worst == Treatment.QUEUE or (theirs and floor == Treatment.QUEUE)
    return _Verdict(None, (Reason.MENTIONS_OTHER if theirs else Reason.PERSONAL_DATA) if waiting else None, cut)


def _is_the_statement(sentence: str, cut: tuple[Finding, ...], offset: int) -> bool:
    """Whether next to nothing is said beside what is taken out."""
    shifted = [
        Finding(
            max(0, finding.start - offset),
            min(len(sentence), finding.end - offset),
            finding.kind,
            finding.family,
            finding.value,
        )
        for finding in cut
    ]
    rest = _URL_LIKE.sub(" ", _MARK.sub(" ", replace(sentence, shifted)))
    words = [word for word in _LONG_WORD.findall(rest.lower()) if word not in _LEAD_UP]
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
