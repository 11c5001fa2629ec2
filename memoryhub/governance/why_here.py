"""Why does an item wait for a person, in words, and how sure is the claim? (R16, R92) Pure.

People found a bare number hard to read: the sentence says low, medium or high, and the number stands in the details.
"""

from dataclasses import dataclass
from typing import Final, Literal

from memoryhub.governance.policy import Policy
from memoryhub.models import Entry, ReviewItem
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Role

Sureness = Literal["low", "medium", "high"]
MEDIUM_FROM: Final = 0.5  # what is hedged is said with even odds (R14)

_SAID: Final = {
    Role.CUSTOMER: "Self-reported", Role.AGENT: "Inferred by the agent", Role.DREAMER: "Concluded from conversations",
    Role.CURATOR: "Stated by a curator", Role.SYSTEM_OF_RECORD: "From a system of record", Role.OPERATOR: "Imported",
}  # fmt: skip


@dataclass(frozen=True)
class Why:
    """`words`: why it is here; `sure`: how sure the claim is, where it is a claim; `detail`: the numbers behind it."""

    words: str
    sure: Sureness | None
    detail: str


def why(item: ReviewItem, *, policy: Policy) -> Why:
    """Why the item waits, under the policy in force."""
    if item.entry is None:
        return Why(item.why, None, "")
    entry = item.entry
    return Why(f"{_said(entry)}. {item.why}", sureness(entry.confidence, policy=policy), _detail(entry, policy))


def sureness(confidence: float, *, policy: Policy) -> Sureness:
    """Low, medium or high: high is what the policy would keep without a person, if nothing else stood against it."""
    if confidence >= policy.commit_at:
        return "high"
    return "medium" if confidence >= MEDIUM_FROM else "low"


def _said(entry: Entry) -> str:
    origin = entry.provenance
    if origin.channel in UNTRUSTED_CHANNELS:
        return f"Read in {Channel(origin.channel).label}"
    return _SAID[Role(origin.role)]


def _detail(entry: Entry, policy: Policy) -> str:
    told = f"Confidence {entry.confidence:.2f}"
    if entry.confidence >= policy.commit_at:
        return f"{told}: {policy.commit_at:.2f} or more would be kept, if nothing else stood against it."
    if entry.confidence < policy.discard_below:
        return f"{told}: less than {policy.discard_below:.2f} is not kept by itself."
    return f"{told}: between {policy.discard_below:.2f} and {policy.commit_at:.2f} a person decides."
