"""Why was something not kept, and what is never to be kept? Told to the person it is about, without their words: they
may be the secret (R12, R90).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from curation.days import on_day
from memoryhub.governance.unwanted import CATEGORY, KEY
from memoryhub.models import Decision, Subject
from memoryhub.vocabulary import Category, Op, Reason, Role, Step

SHOWN_FOR: Final = timedelta(days=30)
SHOWN: Final = 10  # refusals at once, newest first

TOPICS: Final[Mapping[str, str]] = {
    Category.PREFERENCE: "what you like",
    Category.CONTACT: "how to reach you",
    Category.ACCOUNT_FACT: "your account",
    Category.PROJECT_FACT: "your projects",
    Category.POLICY_LIMIT: "what is allowed for you",
    Category.ENTITLEMENT: "what you have a right to",
    Category.IDENTITY: "who you are",
    Category.INSTRUCTION: "how you want things done",
    Category.EPISODE_OUTCOME: "what happened",
    Category.LESSON: "how things went",
    Category.GENERAL: "yourself",
}
BECAUSE: Final[Mapping[str, str]] = {
    Reason.SECRET: "passwords, keys and card numbers are never kept",
    Reason.SENSITIVE: "such personal data is never kept",
    Reason.THIRD_PARTY: "it is about another person",
    Reason.INJECTION: "it reads like an instruction to the assistant",
    Reason.AUTHORITY_CLAIM: "it is not yours to set; where it is shown, you can ask for a correction",
    Reason.NOT_GRANTED: "it is not yours to set",
    Reason.KIND_OFF: "nothing of that kind is kept here",
    Reason.DECLINED_BEFORE: "one of our people had looked at the same before and said no",
    Reason.ASKED_NOT_TO_KEEP: "you asked us not to",
    Reason.FORGOTTEN: "you had it forgotten after you said it; say it again to bring it back",
}
_TOLD_OTHERWISE: Final = Reason.PAUSED  # the page says at its top that nothing new is kept


@dataclass(frozen=True)
class Unwanted:
    """A kind of fact that is never kept: as it is stored, and as its person reads it."""

    kind: str
    words: str


def refusals_of(subject: Subject, *, now: datetime, zone: tzinfo) -> list[str]:
    """What the person told and was not kept lately, one sentence each, newest first."""
    rows = Decision.objects.filter(
        organisation_id=subject.organisation_id, subject=subject, role=Role.CUSTOMER, created_at__gt=now - SHOWN_FOR,
        results__contains=[{"op": Op.REFUSED}],
    ).order_by("-created_at", "-id")  # fmt: skip
    return [told for row in rows[:SHOWN] for told in _sentences(row.results, on_day(row.created_at, zone))]


def _sentences(results: Iterable[Mapping[str, Any]], on: str) -> list[str]:
    told = [one for one in results if one["op"] == Op.REFUSED and one["reason"] != _TOLD_OTHERWISE]
    return list(dict.fromkeys(_sentence(one, on) for one in told))


def _sentence(result: Mapping[str, Any], on: str) -> str:
    what = f"something about {topic}" if (topic := _topic(result)) else "something"
    because = BECAUSE.get(result["reason"], "it may not be kept")
    if result["reason"] == Reason.ASKED_NOT_TO_KEEP:
        return f"On {on} you told us {what}; we did not keep it, because {because}."
    return f"On {on} you asked us to remember {what}; we could not, because {because}."


def _topic(result: Mapping[str, Any]) -> str:
    """What it was about, where it was read so far before it was refused."""
    judged = next((step["outcome"] for step in result["steps"] if step["step"] == Step.CLASSIFY), "")
    return TOPICS.get(judged.partition("/")[2], "")


def kind_in_words(kind: str) -> str:
    """A kind of fact that is never kept: “city”, or anything about what you like."""
    if kind.startswith(KEY):
        return f"“{kind.removeprefix(KEY).replace('_', ' ')}”"
    return f"anything about {TOPICS.get(kind.removeprefix(CATEGORY), 'yourself')}"


def unwanted_of(subject: Subject) -> list[Unwanted]:
    """What the person asked never to keep, in the order in which they did."""
    return [Unwanted(kind, kind_in_words(kind)) for kind in subject.never_keep]
