"""May this sentence be said of what the customer wanted? Every veto, each on its own; all have to be silent (R72).

They judge a sentence whoever composed it: built from the customer's words, or proposed by a generator. None of them
knows what the sentence should be; each knows one way in which a sentence can be false.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from memoryhub.dreams import second_thoughts
from memoryhub.dreams.copied_words import added
from memoryhub.dreams.going_on import goes_on
from memoryhub.dreams.intent_values import Value, ValueKind, values
from memoryhub.dreams.polarity import denies
from memoryhub.dreams.standing_claims import stands
from memoryhub.dreams.wide_objects import widened
from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.language import foreign_sentence
from memoryhub.governance.people import named_other, tells_private_life
from memoryhub.governance.planted import planted_in
from memoryhub.governance.screening import screen
from memoryhub.governance.treatment import SHIPPED
from memoryhub.vocabulary import Channel, Role

MAX_CHARACTERS: Final = 200
MAX_WORDS: Final = 32
MAX_SLOTS: Final = 2  # values in a sentence: more is a record, not a wish

SUBJECT: Final = "The customer"
#: What the customer may be said to have done. Nothing here says that anything came of it.
LEADS: Final = (
    "wanted to", "wanted", "needed to", "needed", "hoped to", "was looking for", "asked for", "asked the agent to",
    "asked whether the agent could", "asked whether they could", "asked whether it was possible to", "asked how to",
    "asked what", "asked where", "asked when", "asked how much", "asked why they were", "got in touch about",
    "reported having", "reported that",
)  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """A sentence before it is believed.

    `said`: the customer's clause that carries it; `turn`: its place among `turns`, the customer's words turn by turn;
    `after`: what the customer said later, the rest of that turn first.
    """

    sentence: str = field(repr=False)
    said: str = field(repr=False)
    turn: int
    turns: tuple[str, ...] = field(repr=False)
    after: tuple[str, ...] = field(repr=False)

    @property
    def told(self) -> str:
        """The sentence without its subject."""
        return self.sentence.removeprefix(SUBJECT).strip(" .")

    @property
    def all_said(self) -> str:
        return "\n".join(self.turns)


def faults(draft: Draft) -> tuple[str, ...]:
    """The names of the checks that object; none: the sentence may be shown to the entailment model."""
    return tuple(name for name, objects in CHECKS.items() if objects(draft))


def first_fault(draft: Draft) -> str:
    """The first check that objects, or "": what composing asks, many times."""
    return next((name for name, objects in CHECKS.items() if objects(draft)), "")


_FORM = re.compile(rf"^{SUBJECT} (?:{'|'.join(LEADS)}) [^\"“”«»<>{{}}\[\]()|\n\r\t;:!?*`]+\.$")


def malformed(draft: Draft) -> bool:
    """One plain sentence with the customer as its subject, within its bounds."""
    return (
        not _FORM.match(draft.sentence)
        or len(draft.sentence) > MAX_CHARACTERS
        or len(draft.sentence.split()) > MAX_WORDS
        or bool(re.search(r"[.…]\s+[A-Z]|https?:|www\.", draft.sentence[:-1]))
    )


_FIRST_OR_SECOND = re.compile(r"(?i)\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|you|your|yours|yourself)\b")
_OTHERS_ACT = re.compile(
    r"(?i)\b(?:he|she|him|her|his|hers|agent (?:offered|suggested|proposed|said|recommended|told))\b"
)


def not_the_customers(draft: Draft) -> bool:
    """Somebody else than the customer is the one who wants or acts, or somebody is addressed."""
    told = re.sub(r"\bUS\b", " ", draft.told)
    return bool(_FIRST_OR_SECOND.search(told)) or bool(_OTHERS_ACT.search(told) and not _OTHERS_ACT.search(draft.said))


def adds_words(draft: Draft) -> bool:
    """A word that the carrying clause does not have: the sentence is to be copied, not thought up."""
    return bool(added(draft.told, draft.said))


def unheard_value(draft: Draft) -> bool:
    """A value that stands in no customer turn."""
    heard = {(value.kind, value.same) for turn in draft.turns for value in values(turn)}
    everything = f" {_words_of(draft.all_said)} "
    return any(
        (value.kind, value.same) not in heard
        and (value.kind is not ValueKind.NAME or f" {_words_of(value.same)} " not in everything)
        for value in values(draft.sentence)
    )


def too_many_slots(draft: Draft) -> bool:
    return len(values(draft.sentence)) > MAX_SLOTS


def relative_day(draft: Draft) -> bool:
    """ "Tomorrow" means another day to whoever reads it later."""
    return any(value.relative for value in values(draft.sentence))


_NOT_OF_THE_WISH = re.compile(
    r"(?i)\b(?:born|birth|dob|birthday|name is|named|user ?id|customer (?:id|number)|account (?:id|number|no)|"
    r"email|e-mail|phone|zip|postcode|"
    r"card (?:number )?ending|ending (?:in|with)|last four|expires?|expiry|age)\b[^.,;!?\n]{0,30}$"
)


def superseded(draft: Draft) -> bool:
    """A value of which the customer named another of the same kind later."""
    told = values(draft.sentence)
    for later in draft.after:
        for value in values(later):
            rivals = [other for other in told if _rival(other, value)]
            if (
                rivals
                and not any(other.same == value.same or _covers(other, value) for other in told)
                and not _NOT_OF_THE_WISH.search(later[: value.start])
            ):
                return True
    return False


def _rival(told: Value, later: Value) -> bool:
    if later.kind is ValueKind.NUMBER and not later.of:
        return told.kind in (ValueKind.NUMBER, ValueKind.AMOUNT)  # "300 is more realistic"
    if told.kind is not later.kind:
        return False
    if told.kind is ValueKind.NAME:
        return bool(told.slot) and told.slot == later.slot
    return told.of == later.of or (told.kind is ValueKind.NUMBER and not (told.of and later.of))


def _covers(told: Value, later: Value) -> bool:
    """Whether two ways of naming a day may mean the same one ("May 21", "the 21st")."""
    if (
        told.kind is not ValueKind.DATE
        or not re.fullmatch(r"[\d?]+-\d+", told.same)
        or not re.fullmatch(r"[\d?]+-\d+", later.same)
    ):
        return False
    (month, day), (other_month, other_day) = told.same.split("-"), later.same.split("-")
    return day == other_day and "?" in (month, other_month)


_PAIRED = {"to": "from", "from": "to", "by": "from", "until": "from", "till": "from"}
_CAUSED = re.compile(
    r"(?i)\bfrom\s{1,9}(?P<a>[\w'’ /.-]{1,40}?)\s{1,9}(?:to|until|till|"
    r"through)\s{1,9}(?P<b>[\w'’/.-]{1,60}(?:\s{1,9}[A-Z0-9][\w'’.-]{0,60}){0,12})"
)


def slots_disagree(draft: Draft) -> bool:
    """A value in another slot than the customer ever put it (from/to, start/end), or a pair that they turned
    round."""
    said = f" {_plain(draft.said)} "
    for value in values(draft.sentence):
        phrase = _plain(f"{value.slot} {draft.sentence[value.start : value.end]}") if value.slot in _PAIRED else ""
        between = _plain(draft.sentence[: value.end]).split()
        if phrase and f" {phrase} " not in said and f" {' '.join(between[-4:])} " not in said:
            return True
    for match in _CAUSED.finditer(draft.sentence):
        a, b = _plain(match["a"]), _plain(match["b"])
        for turn in draft.turns:
            words = f" {_plain(turn)} "
            if any(f" {b} {link} {a} " in words for link in ("to", "until", "into", "and")):
                return True
    return False


def polarity_differs(draft: Draft) -> bool:
    """The sentence denies where the clause that carries it affirms, or the other way round."""
    return denies(draft.told) is not denies(draft.said)


_OUTCOME = re.compile(
    r"(?i)\b(?:(?:was|were|is|are|been|being|got|gets) (?:\w+ly )?(?:able|done|cancel+ed|refunded|approved|"
    r"confirmed|completed?|booked|changed|"
    r"processed|resolved|fixed|issued|granted|accepted|refused|denied|declined|rejected|updated|sent|given|moved|"
    r"replaced|reimbursed|credited|waived|upgraded|rescheduled)|successful(?:ly)?|already|agreed|thanked|received it|"
    r"the agent (?:has|had|did|will|would|confirmed|refused|cancel+ed|offered|booked|agreed)|will be|has been|"
    r"have been)\b"
)


def states_an_outcome(draft: Draft) -> bool:
    """It says that something was done, confirmed or refused; what the customer reports is told as their report."""
    told = draft.told
    if told.startswith(
        ("reported that ", "asked why they were ", "asked the agent to tell them if ", "asked the agent to check if ")
    ):
        told = told.split(" ", 2)[2]
        return bool(re.search(r"(?i)\b(?:successful(?:ly)?|the agent|resolved|thanked|fixed)\b", told))
    told = re.sub(r"(?<= )(?:if|whether|what|when|how|why|where|which)\b.*", "", told)
    return bool(_OUTCOME.search(re.sub(r"\b(?:be|was) able to\b", " ", told)))


def taken_back(draft: Draft) -> bool:
    """Later words that may take the wish back, or put another in its place."""
    return any(second_thoughts.taken_back(draft.told, later) for later in draft.after)


def denied_later(draft: Draft) -> bool:
    """Later words that say no in the words of the wish."""
    return any(second_thoughts.denied(draft.told, later) for later in draft.after)


def does_not_go_on(draft: Draft) -> bool:
    """Later words that are neither thanks, a value, an answer, a question nor a wish beside this one."""
    first, *later = draft.after or ("",)
    return not goes_on(draft.told, first, same_turn=True) or any(not goes_on(draft.told, turn) for turn in later)


def too_wide(draft: Draft) -> bool:
    """What restricted the things it speaks of is left out: "all bookings" where it was "all bookings for Friday"."""
    return widened(draft.told, draft.said, "".join(draft.after[:1]))


def claims(draft: Draft) -> bool:
    """A wish for something that would read as a right: a limit, an approval, a check that is skipped."""
    return stands(draft.told, draft.said)


_SAID_BY_ANOTHER = re.compile(
    r"(?i)^[\s,;:.…–—-]{0,9}(?:or |so |and )?(?:says?|said|reads?|claims?|claimed|wrote|writes|states?|typed)\b"
)
_NOT_MEANT = re.compile(
    r"(?i)\bas (?:little|much|badly|gladly|keenly|eagerly)\b|\b(?:says|said|typed) (?:the|a|my|some|your)\b|"
    r"\b(?:hole in (?:the|my|their) head|root canal|like a fish)\b"
)


def not_meant(draft: Draft) -> bool:
    """The words are told as another's, or measured against what nobody wants."""
    rest = re.split(r"[.!?](?:\s|$)", "".join(draft.after[:1]))[0] if draft.after else ""
    return bool(_SAID_BY_ANOTHER.match(rest) or _NOT_MEANT.search(f"{draft.said} {rest}"))


_OPEN_END = re.compile(
    r"(?i)\b(?:a|an|the|their|of|to|for|from|at|by|with|within|about|into|onto|and|or|that|if|whether|how|which|"
    r"not|they|"
    r"than|no|any|some|via|per|as|because|until|since|between)$"
)
_PARTED = re.compile(r"(?i)\b(?:in|on|off|up|out|over|back)$")
_PARTING = re.compile(
    r"(?i)\b(?:log|check|sign|pay|phone|move|opt|plug|hand|trade|switch|turn|put|take|set|top|pick|look|back|"
    r"call|pull|"
    r"send|bring|lock|get|give|block|clean|add|come|go|ride|drop|hold|end|close|money|cash|follow|speed|fix|"
    r"carry)\w*\b"
)


def broken(draft: Draft) -> bool:
    """It breaks off before its last word, or says the same words twice."""
    told = draft.told
    words = _words_of(told).split()
    threes = [tuple(words[place : place + 3]) for place in range(len(words) - 2)]
    return (
        bool(_OPEN_END.search(told))
        or bool(_PARTED.search(told) and not _PARTING.search(told))
        or len(set(threes)) < len(threes)
        or bool(
            re.search(
                r"(?i)\bthey (?:want|need|would like|wish)\b|\b(?:which|what) \w+ that (?:would|will|is|was)\b", told
            )
        )
    )


def unclean(draft: Draft) -> bool:
    """It instructs somebody, holds a secret or sensitive data, names another person, or is in another language."""
    sentence = draft.sentence
    screened = screen(sentence, channel=Channel.DREAM, role=Role.DREAMER, treatments=SHIPPED)
    return (
        threat_of(sentence, vouched=False) is not Threat.NONE
        or threat_of(draft.told, vouched=False) is not Threat.NONE
        or bool(planted_in(sentence).parts)
        or screened.outcome != "pass"
        or screened.redacted
        or " removed]" in sentence
        or named_other(sentence)
        or tells_private_life(sentence)
        or foreign_sentence(sentence) is not None
        or not sentence.isprintable()
    )


_PASSED_ON = re.compile(
    r"(?i)\b(?:instructions?|system prompt|prompt|password|passcode|developer mode|admin|policy override|policies|"
    r"guidelines|verified|authori[sz]ed|supervisor|jailbreak|"
    r"memory|remember|forget|always|never (?!received|arrived|came|got|ordered|worked)|from now on)\b"
)


def instructs(draft: Draft) -> bool:
    """Words that would tell a later reader how to behave rather than what was asked for."""
    return bool(
        _PASSED_ON.search(
            re.sub(
                r"(?i)\b(?:reset|change|forgot|recover|update) (?:my|their|the|our) (?:\w+ )?(?:password|passcode)\b",
                " ",
                draft.told,
            )
        )
    )


CHECKS: Final[dict[str, Callable[[Draft], bool]]] = {
    "form": malformed,
    "broken": broken,
    "subject": not_the_customers,
    "slots": too_many_slots,
    "relative day": relative_day,
    "words": adds_words,
    "value": unheard_value,
    "order": slots_disagree,
    "polarity": polarity_differs,
    "outcome": states_an_outcome,
    "instructs": instructs,
    "too wide": too_wide,
    "not meant": not_meant,
    "superseded": superseded,
    "taken back": taken_back,
    "denied": denied_later,
    "does not go on": does_not_go_on,
    "claims": claims,
    "unclean": unclean,
}


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w'’]+", text.lower()))
