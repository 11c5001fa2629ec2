"""What can no policy change? The floors under every version, each with its reason (R12, R15, R16, R5).

A policy that an organisation signs may be stricter than the one shipped, or milder, but not below these. They are
asked when a version is signed and again whenever one is read, so that a row written past the verb is not obeyed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from memoryhub.governance.policy import Policy
from memoryhub.permissions import AUTHORITY_CATEGORIES, MAY_STATE_AUTHORITY, STATING
from memoryhub.vocabulary import SensitiveData, Treatment

_MILDEST_FIRST = list(Treatment)


@dataclass(frozen=True)
class Floor:
    """The least that has to become of one family of sensitive data, and why."""

    least: Treatment
    why: str


TREATMENTS: Final[dict[SensitiveData, Floor]] = {
    SensitiveData.SECRET: Floor(Treatment.REDACT, "A key that is remembered is a key whoever reads it can use."),
    SensitiveData.PAYMENT: Floor(Treatment.REDACT, "A card number in a memory is a card number in every prompt."),
    SensitiveData.GOVERNMENT_ID: Floor(Treatment.REDACT, "Such a number can't be changed once it got out."),
    SensitiveData.HEALTH: Floor(Treatment.REDACT, "Nobody agreed to a medical record kept by an assistant."),
    SensitiveData.THIRD_PARTY: Floor(Treatment.QUEUE, "The person it is about was not asked; somebody has to look."),
}

#: From and to, both allowed; with the reason.
COMMIT_AT: Final = (0.5, 1.0, "Below even odds it is a guess, and a guess is not a fact.")
UNTRUSTED_CLAIMS: Final = (1, 20, "More from one document would flood the queue of those who have to look.")
LIFETIME: Final = (
    timedelta(days=1),
    timedelta(days=3650),
    "Shorter is no memory; what nobody confirmed for ten years is none.",
)
REVIEW_BEFORE: Final = (timedelta(0), timedelta(days=180), "A review half a life away reviews nothing.")

#: What is no field of any policy, so that nobody can change it.
STANDING: Final = (
    "Text that came out of a document, web page, e-mail or tool is never kept without a person, however sure.",
    "A limit, right or verified identity is stated by a curator or a system of record alone; `*` does not reach it.",
    "Who speaks is decided by the key and the channel, never by the text.",
    "Nobody approves what they, or an agent they own, proposed.",
    "What the person asked not to keep, and what reads like an attack, is refused.",
    "An agent's own policy lets a kind go less far than the organisation's, never further.",
)


def faults_of(policy: Policy) -> dict[str, list[str]]:
    """Where a policy goes under a floor: field → sentences; empty when it stands on all of them."""
    faults: dict[str, list[str]] = {}
    for field, sentence in _faults(policy):
        faults.setdefault(field, []).append(sentence)
    return faults


def threshold_faults(commit_at: float, discard_below: float) -> Iterator[tuple[str, str]]:
    """What is wrong with two thresholds, an organisation's or an agent's (R16)."""
    low, high, why = COMMIT_AT
    if not low <= commit_at <= high:
        yield "commit_at", f"It is {low} to {high}. {why}"
    if not 0 <= discard_below <= 1:
        yield "discard_below", "It is 0 to 1."
    elif discard_below >= commit_at:
        yield (
            "discard_below",
            "It is less than what is kept without a person (commit_at): between the two a person is asked.",
        )


def _faults(policy: Policy) -> Iterator[tuple[str, str]]:
    for family, floor in TREATMENTS.items():
        if _MILDEST_FIRST.index(policy.treatments[family]) < _MILDEST_FIRST.index(floor.least):
            yield f"treatments.{family}", f"At least '{floor.least}'. {floor.why}"
    shortest, longest, why = LIFETIME
    for category, lifetime in policy.lifetimes.items():
        if not shortest <= lifetime <= longest:
            yield f"lifetimes.{category}", f"It is {shortest.days} to {longest.days} days. {why}"
    soonest, latest, why = REVIEW_BEFORE
    if not soonest <= policy.review_before <= latest:
        yield "review_before", f"It is {soonest.days} to {latest.days} days. {why}"
    yield from threshold_faults(policy.commit_at, policy.discard_below)
    fewest, most, why = UNTRUSTED_CLAIMS
    if not fewest <= policy.untrusted_claims <= most:
        yield "untrusted_claims_per_call", f"It is {fewest} to {most}. {why}"
    for role, patterns in policy.grants.items():
        for pattern in sorted(patterns):
            _, _, op, about = pattern.split(":")
            if about in AUTHORITY_CATEGORIES and op in (*STATING, "*") and role not in MAY_STATE_AUTHORITY:
                yield (
                    f"grants.{role}",
                    f"'{pattern}': only a curator or a system of record states a limit, right or verified identity.",
                )
    for category in sorted(policy.member_may_add & AUTHORITY_CATEGORIES):
        yield "member_may_add", f"'{category}': a member can't give their own group a right or a limit."
