"""Do two curators have to say yes to it? (R92) Where the policy says so; the proposer is neither of them.

The first yes changes nothing but the item; with other words it is a yes to those, which the second sees and shares. A
second who would have it in other words again is the first to say yes to them. One no is enough.
"""

from collections.abc import Iterable
from datetime import datetime

from memoryhub.errors import NotGranted
from memoryhub.governance import acceptance, activation, opening, rewording
from memoryhub.governance.policy import Policy
from memoryhub.models import Entry, ReviewItem
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.skills.skillmd import parse
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import FourEyes


def needs_two(
    item: ReviewItem, *, policy: Policy, now: datetime, text: str | None = None, besides: Entry | None = None
) -> bool:
    """Whether the policy asks two people for a yes to this: to what it was, to what it says in the words that are
    approved, and to what it takes the place of; the strictest of them counts. `text`: an edit that comes with the yes;
    `besides`: an entry in force that it takes the place of."""
    if item.entry is None:
        return FourEyes.SKILLS in policy.four_eyes
    if FourEyes.POLICY_LIMITS not in policy.four_eyes:
        return False
    touched = [one.category for one in (item.entry, item.rival, besides) if one is not None]
    return is_of_two(touched, said_in(item, text), policy=policy, now=now)


def is_of_two(categories: Iterable[str], words: str, *, policy: Policy, now: datetime) -> bool:
    """Whether two have to say yes to these words, where statements of these categories are touched."""
    if FourEyes.POLICY_LIMITS not in policy.four_eyes:
        return False
    return any(one in AUTHORITY_CATEGORIES for one in categories) or rewording.claims_authority(words, now=now)


def said_in(item: ReviewItem, text: str | None) -> str:
    """The words that a yes is to: those it comes with, else those of the first yes, else the proposal's."""
    return (text or "").strip() or item.first_yes_text or (item.entry.content if item.entry else "")


def is_first(item: ReviewItem, text: str | None, *, by: Principal, policy: Policy, now: datetime) -> bool:
    """Whether this yes only is the first of two. Raises NotGranted where the same person said the first."""
    if not needs_two(item, policy=policy, now=now, text=text):
        return False
    if item.first_yes_by_id is None:
        return True
    if said_in(item, text) != said_in(item, None):
        return True  # the first yes was to other words
    if item.first_yes_by_id == by.user:
        raise NotGranted("You said yes to this already; somebody else has to as well.")
    return False


def say_first(item: ReviewItem, text: str | None, *, by: Principal, policy: Policy, now: datetime) -> ReviewItem:
    """Note the first yes, with the words it is to. Raises Invalid where such words could not be kept."""
    words = (text or "").strip()
    if words and item.skill is not None:
        activation.check_edit(item.skill, parse(words), by=by)
    elif words and item.entry is not None:
        acceptance.in_words(item.entry, words, policy=policy, now=now)
    item.first_yes_by_id, item.first_yes_at, item.first_yes_text = opening.named(by), now, words
    item.version += 1
    item.save(update_fields=["first_yes_by", "first_yes_at", "first_yes_text", "version"])
    opening.noted("first_yes", item, by=by, now=now)
    return item


def take_back(item: ReviewItem, *, by: Principal, now: datetime) -> ReviewItem:
    """The first of two takes the yes back before the second said theirs."""
    opening.changed(item, by=by, now=now)
    return item
