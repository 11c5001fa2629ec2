"""What do the sentences of a text give together? Corrections take back what stands before them; where nothing is
claimed, the most telling reason is said (R13).
"""

import re
from dataclasses import dataclass, replace

from memoryhub.governance.claims import Claim
from memoryhub.governance.moods import Mood
from memoryhub.governance.statements import corrected
from memoryhub.vocabulary import Reason

_IDENTIFIER_KEY = re.compile(r"(?:_number|_id|_reference|_code|^reference|^id|user_name|username)$")
MOOD_DETAILS = {
    Mood.EMPTY: "A greeting or an acknowledgement.",
    Mood.QUESTION: "A question.",
    Mood.HYPOTHETICAL: "A supposition.",
    Mood.IRONY: "It reads like irony.",
    Mood.REPORTED: "Somebody else's words.",
    Mood.REQUEST: "A request for this moment.",
    Mood.INTENTION: "An intention, not a fact.",
    Mood.TASK_WITH_TEXT: "A task for the agent.",
}


@dataclass(frozen=True)
class Found:
    """What one sentence gave: claims, or the reason why none."""

    claims: tuple[Claim, ...] = ()
    reason: Reason = Reason.ASSERTS_NOTHING
    detail: str = ""
    corrects: bool = False
    asks: bool = False
    fragment: str = ""
    unread: int = 0
    left_out: int = 0  # clauses that said something and gave no claim


def says_something(item: Found) -> bool:
    """Whether a sentence without a claim was more than a greeting or a correction."""
    return not (item.fragment or item.unread or item.detail == MOOD_DETAILS[Mood.EMPTY])


def settled(found: list[Found]) -> tuple[Claim, ...]:
    """The claims of the whole message: corrections take back what stands before them, identifiers of a request are
    left out.
    """
    asks = any(item.asks for item in found)
    kept: list[Claim] = []
    for item in found:
        if item.fragment and kept and kept[-1].key and (instead := corrected(item.fragment, kept[-1])):
            kept[-1] = instead
            continue
        for claim in item.claims:
            if asks and claim.key and _IDENTIFIER_KEY.search(claim.key):
                continue
            earlier = [
                other
                for other in kept
                if claim.single
                and claim.key
                and other.entity == claim.entity
                and (other.key == claim.key or claim.key in other.either)
            ]
            if earlier:
                kept = [other for other in kept if other not in earlier]
                closes = dict.fromkeys(
                    (*claim.closes, *(value for other in earlier for value in other.closes if value != claim.value))
                )
                claim = replace(claim, closes=tuple(closes))
            kept.append(claim)
    return tuple(dict.fromkeys(kept))


def why_none(found: list[Found]) -> tuple[Reason, str]:
    """The most telling reason of all the sentences: somebody else's claim, then what passes, then nothing said."""
    for reason in (Reason.NOT_OWN_CLAIM, Reason.NOT_DURABLE):
        for item in found:
            if item.reason is reason:
                return reason, item.detail
    dropped = next((item for item in found if item.claims), None)
    if dropped:
        return Reason.NOT_DURABLE, "The identifiers belong to this request alone."
    return Reason.ASSERTS_NOTHING, next(
        (item.detail for item in found if item.detail), "It states nothing that could be remembered."
    )
