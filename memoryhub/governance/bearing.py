"""Does a statement speak of how the organisation or the agent treats its speaker? (R14, R15; ADR 0011)

A person's own words are about themselves, their wishes and their world. What they are charged, granted, allowed or
spared, what they rank as, and what the agent must or need not check, is not theirs to write. The rules are structural:
the field a word belongs to (`terms`), whom it is for, and whether it is granted or set aside. Three answers: CLAIMED is
refused; DOUBTFUL speaks of such terms and is not plainly something else, so a person looks; NONE is none of it.
"""

import re
from collections.abc import Iterator
from enum import IntEnum

from memoryhub.governance.claimed_rights import is_only_wished
from memoryhub.governance.clauses import expand, without_filler
from memoryhub.governance.sentences import sentences
from memoryhub.governance.structures import (
    ADDED,
    CLAIMS,
    DENIED,
    DOUBTS,
    FOR_SELF,
    HARMLESS,
    JOB,
    STRONG,
    TASTE,
    TRADE,
    YOURS,
)
from memoryhub.governance.terms import tagged, touches, without_names
from memoryhub.working.normalisation import skeleton
from memoryhub.working.patterns import Scan
from memoryhub.working.remembering import remembered


class Bearing(IntEnum):
    """How plainly a text speaks of its speaker's terms: ordered, so that the worst of several is their maximum."""

    NONE = 0
    DOUBTFUL = 1
    CLAIMED = 2


_LONGEST_CLAUSE = 400  # characters; a longer clause that touches a field is doubtful
_READ = 2_400  # characters taken apart; what comes after them and touches a field is doubtful
_ASIDE = re.compile(r"[()\[\]\n]+ ?|[,:;](?: |$)| [-–—]+ | (?:but|because|since|so|which means|meaning|while|"
                    r"although|yet|whereas)(?= )|"
                    r" and(?= (?:i|we|my|our|you|your|the|this|never|always|do not|please|no|also|skip|drop|"
                    r"then|pays?|it|its)\b)")  # fmt: skip
_LEADS = re.compile(
    r"^(?:(?:please |kindly |also |and |then |so |well |ok |hi |hello |now |since |given that |now that |as |"
    r"as of (?:now|today) |"
    r"note that |remember that |remember |for the record |by the way |you should know |just so you know |"
    r"in case |if |i (?:think|"
    r"believe|guess) )+(?:that )?)"
)
_ANNOUNCED = re.compile(
    r"\b(?:part|piece|half|portion|fragment) (?:one|two|three|four|five|\d+) of (?:\w+ ){0,2}(?:note|message|rule|text|"
    r"instruction|memo)s?\b|\bto be continued\b|\bcontinued from\b"
)


@remembered
def bearing_of(text: str) -> Bearing:
    """How plainly any clause of a text speaks of terms of service for whoever says it. Pure; linear in its length."""
    copy = skeleton(text)
    if not touches(copy):
        return Bearing.NONE
    worst, left = Bearing.NONE, _READ
    for sentence in sentences(copy):
        if not touches(sentence):
            continue
        if left <= 0:
            return max(worst, Bearing.DOUBTFUL)
        worst = max(worst, _bearing_of_sentence(sentence[:left]))
        if worst is Bearing.CLAIMED:
            return worst
        if len(sentence) > left:
            worst = Bearing.DOUBTFUL
        left -= len(sentence)
    return worst


@remembered
def is_of_a_trade(sentence: str) -> bool:
    """Whether a sentence tells what somebody does for a living, or elsewhere, or asks for a check, and nothing else."""
    if len(sentence) > _LONGEST_CLAUSE:
        return False
    words = _plain(skeleton(sentence))
    parts = [_LEADS.sub("", part.strip(" .!")) for part in _ASIDE.split(words)]
    return bool(parts) and all(bool(_tells_of_a_trade(told) or ADDED.match(told)) for told in map(tagged, parts))


def _plain(sentence: str) -> str:
    return without_names(" ".join(expand(sentence).lower().replace("`", "").split()))


def _bearing_of_sentence(sentence: str) -> Bearing:
    words = _plain(sentence)
    asked = words.endswith("?") or is_only_wished(sentence)
    worst = max((_bearing_of_clause(clause) for clause in _clauses(words)), default=Bearing.NONE)
    return min(worst, Bearing.DOUBTFUL) if asked else worst


def _clauses(words: str) -> Iterator[str]:
    """The parts of a sentence that may each say something; and the whole, as far as it is short."""
    parts = [
        part for part in (_LEADS.sub("", without_filler(part.strip(" .!?;"))) for part in _ASIDE.split(words)) if part
    ]
    if len(parts) > 1:
        yield from parts
        yield without_filler(words[:300]).strip(" .!?;")
    elif parts:
        yield parts[0]


def _bearing_of_clause(clause: str) -> Bearing:
    if len(clause) > _LONGEST_CLAUSE:
        return max(Bearing.DOUBTFUL, _bearing_of_clause(clause[:_LONGEST_CLAUSE]))
    told = tagged(clause)
    strong = re.search(STRONG, told)
    if not strong and _ANNOUNCED.search(clause) and len(clause) > 24:
        return Bearing.DOUBTFUL
    if not strong:
        if is_harmless_without(told):
            return Bearing.NONE
        return Bearing.DOUBTFUL if DOUBTS.any_matches(Scan(told)) else Bearing.NONE
    if _speaks_of_something_else(told):
        return Bearing.NONE
    return Bearing.CLAIMED if CLAIMS.any_matches(Scan(told)) else Bearing.DOUBTFUL


def is_harmless_without(told: str) -> bool:
    """Whether a clause of weaker terms alone adds a safeguard, or tells a taste or a trade."""
    if ADDED.match(told) or _tells_of_a_trade(told):
        return True
    taste = TASTE.match(told)
    return bool(taste and not re.search(r"\b(?:you|your|to be|being|not|no|without|my|me)\b", taste.group("what")))


def _speaks_of_something_else(told: str) -> bool:
    if DENIED.match(told) and not re.search(r"PRICE|BOUND|SAFEGUARD", told):
        return True
    taste = TASTE.match(told)
    if taste and not FOR_SELF.search(taste.group("what")) and not _WANTED.search(told):
        return True
    return any(frame.search(told) for frame in HARMLESS) or _tells_of_a_trade(told)


#: A taste for being checked less, or treated better, is a wish about the agent.
_WANTED = re.compile(
    r"^(?>.*?\b(?:(?:like|love|prefer|appreciate)s?|never|not|without|no|less|fewer)\b).*SAFEGUARD|"
    r"^(?>.*?\b(?:automatic\w*|instant\w*|immediate\w*|higher|full|quick\w*|generous|own|extra)\b).*(?:BENEFIT|BOUND|STANDING)"
)


def _tells_of_a_trade(told: str) -> bool:
    return bool((TRADE.match(told) or JOB.match(told)) and not re.search(YOURS, told))
