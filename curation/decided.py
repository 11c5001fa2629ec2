"""What was decided, by whom, and may it still be reversed? The rows of the decisions page (R92)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.http import QueryDict

from accounts.models import User
from curation.typed import as_typed
from memoryhub import conf
from memoryhub.governance import review_queue
from memoryhub.models import ReviewItem
from memoryhub.permissions import can_do, check_may, proposer_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import ReviewState, ReviewType

VERDICTS: Final = (ReviewState.APPROVED, ReviewState.REJECTED, ReviewState.MERGED)
DAYS: Final = {"1": "the last day", "7": "the last week", "30": "the last 30 days"}


@dataclass(frozen=True)
class Sought:
    """What the decisions are narrowed to, as the address has it; an empty word is no filter."""

    by: str = ""
    verdict: str = ""
    type: str = ""
    days: str = ""
    subject: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Sought":
        typed = {field.name: as_typed(query.get(field.name, "")) for field in fields(cls)}
        for name, words in (("verdict", VERDICTS), ("type", ReviewType.values), ("days", DAYS)):
            if typed[name] not in words:
                typed[name] = ""
        return cls(**typed)

    @property
    def given(self) -> dict[str, str]:
        """The filters that are set."""
        return {field.name: word for field in fields(self) if (word := getattr(self, field.name))}

    @property
    def query(self) -> str:
        """The filters as an address has them, with a "?" where there are any."""
        return f"?{urlencode(self.given)}" if self.given else ""


@dataclass(frozen=True)
class Decided:
    """One decision, and why it can't be reversed (empty: it can)."""

    item: ReviewItem
    why_not: str


def decisions(sought: Sought, *, by: Principal, now: datetime) -> QuerySet[ReviewItem]:
    """Everything that people decided and that stands or was reversed, newest first."""
    check_may(by, "read_queue")
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, state__in=VERDICTS)
    if sought.verdict:
        rows = rows.filter(state=sought.verdict)
    if sought.type:
        rows = rows.filter(type=sought.type)
    if sought.by:
        rows = rows.filter(decided_by__email=sought.by)
    if sought.subject:
        rows = rows.filter(subject__external_id=sought.subject)
    if sought.days:
        rows = rows.filter(decided_at__gte=now - timedelta(days=int(sought.days)))
    reversals = ReviewItem.objects.filter(reverses=OuterRef("pk"))
    rows = review_queue.with_what_is_shown(rows).prefetch_related("reverses")
    return rows.annotate(was_reversed=Exists(reversals)).order_by("-decided_at", "-id")


def with_reasons(items: Sequence[ReviewItem], *, by: Principal, now: datetime) -> list[Decided]:
    """Each with why it can't be reversed; nothing more is read."""
    return [Decided(item, _why_not(item, by=by, now=now)) for item in items]


def people(*, by: Principal) -> list[str]:
    """Who decided anything here, for the filter."""
    who = ReviewItem.objects.filter(organisation_id=by.organisation, decided_by__isnull=False)
    ids: QuerySet[ReviewItem, uuid.UUID] = who.order_by().values_list("decided_by", flat=True).distinct()
    return list(User.objects.filter(pk__in=list(ids[:200])).order_by("email").values_list("email", flat=True))


def _why_not(item: ReviewItem, *, by: Principal, now: datetime) -> str:
    if not can_do(by, "decide"):
        return "A curator reverses it."
    if getattr(item, "was_reversed", False):
        return "It was reversed."
    if item.decided_at is None or now - item.decided_at > conf.REVERSED_WITHIN:
        return f"It is older than {conf.REVERSED_WITHIN.days} days; change what is in force instead."
    if by.user in proposer_of(item):
        return "You, or an agent you own, proposed it."
    return ""
