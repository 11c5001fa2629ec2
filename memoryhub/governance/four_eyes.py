"""Do two curators have to say yes to it? (R92) Where the policy says so; the proposer is neither of them.

The first yes changes nothing but the item; with other words it is a yes to those, which the second sees and shares. A
second who would have it in other words again is the first to say yes to them. One no is enough.
"""

from datetime import datetime

from memoryhub.errors import NotGranted
from memoryhub.governance import acceptance, activation, opening
from memoryhub.governance.policy import Policy
from memoryhub.models import ReviewItem
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.skills.skillmd import parse
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import FourEyes


def needs_two(item: ReviewItem, *, policy: Policy) -> bool:
    """Whether the policy asks two people for a yes to this."""
    if item.entry is None:
        return FourEyes.SKILLS in policy.four_eyes
    return FourEyes.POLICY_LIMITS in policy.four_eyes and item.entry.category in AUTHORITY_CATEGORIES


def is_first(item: ReviewItem, text: str | None, *, by: Principal, policy: Policy) -> bool:
    """Whether this yes only is the first of two. Raises NotGranted where the same person said the first."""
    if not needs_two(item, policy=policy):
        return False
    if item.first_yes_by_id is None:
        return True
    if text and text.strip() not in (item.first_yes_text, *([item.entry.content] if item.entry else [])):
        return True
    if item.first_yes_by_id == by.user:
        raise NotGranted("You said yes to this already; somebody else has to as well.")
    return False


def say_first(item: ReviewItem, text: str | None, *, by: Principal, policy: Policy, now: datetime) -> ReviewItem:
    """Note the first yes, with the words it is to. Raises Invalid where such words could not be kept."""
    words = (text or "").strip()
    if words and item.skill is not None:
        activation.check_edit(item.skill, parse(words), by=by)
    elif words and item.entry is not None:
        acceptance.check_words(words, policy=policy)
    item.first_yes_by_id, item.first_yes_at, item.first_yes_text = opening.named(by), now, words
    item.version += 1
    item.save(update_fields=["first_yes_by", "first_yes_at", "first_yes_text", "version"])
    opening.noted("first_yes", item, by=by, now=now)
    return item


def take_back(item: ReviewItem, *, by: Principal, now: datetime) -> ReviewItem:
    """The first of two takes the yes back before the second said theirs."""
    opening.changed(item, by=by, now=now)
    return item
