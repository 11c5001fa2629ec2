"""How is the hub doing? Figures for a dashboard: pure readers, one query each, added up by the database (R93, R102).

Days are those of the zone asked for. Counts and times only, never words, so that an auditor may see them as well.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final

from django.db import connection
from django.db.models import Count, Min, Q

from memoryhub import conf
from memoryhub.governance import review_queue
from memoryhub.permissions import check_may
from memoryhub.recall import read_log
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Op, Reason, ReviewState, ReviewType

#: What became of a claim, as the dashboard tells it; what was known already is no news.
KEPT, ASKED, REFUSED, PASSED = "kept", "asked", "refused", "passed"
_OUTCOMES: Final = {
    Op.ADD: KEPT, Op.UPDATE: KEPT, Op.QUEUED: ASKED, Op.REFUSED: REFUSED, Op.DISCARDED: PASSED,
}  # fmt: skip


@dataclass(frozen=True)
class Period:
    """`days` whole days of `zone`, the last of them the day of `now`."""

    days: int
    now: datetime
    zone: tzinfo

    @property
    def dates(self) -> list[date]:
        """Oldest first."""
        today = self.now.astimezone(self.zone).date()
        return [today - timedelta(days=back) for back in reversed(range(self.days))]

    @property
    def start(self) -> datetime:
        """The first moment of the first day."""
        first = self.dates[0]
        return datetime(first.year, first.month, first.day, tzinfo=self.zone)


@dataclass(frozen=True)
class Waiting:
    """What waits of one type: how many, since when the oldest, how many past the time they should take."""

    type: ReviewType
    count: int
    oldest: datetime
    late: int


@dataclass(frozen=True)
class Gate:
    """What became of claims: by day and outcome, and by reason for what was refused or passed over."""

    by_day: dict[date, Counter[str]]
    refused: Counter[Reason]
    passed: Counter[Reason]

    @property
    def total(self) -> Counter[str]:
        return sum(self.by_day.values(), Counter())


@dataclass(frozen=True)
class Decided:
    """What people decided, by day, and how long an item waited for it in the middle (hours; None: nothing decided)."""

    by_day: dict[date, Counter[str]]
    waited: float | None

    @property
    def total(self) -> Counter[str]:
        return sum(self.by_day.values(), Counter())


@dataclass(frozen=True)
class Forgotten:
    """Requests to forget and the entries they removed, by day."""

    by_day: dict[date, tuple[int, int]]

    @property
    def requests(self) -> int:
        return sum(requests for requests, _ in self.by_day.values())

    @property
    def entries(self) -> int:
        return sum(entries for _, entries in self.by_day.values())


@dataclass(frozen=True)
class Reads:
    """Answers to agents: how many, how many with nothing in them, and how long they took in ms (None: not noted)."""

    count: int = 0
    empty: int = 0
    p50: float | None = None
    p95: float | None = None

    @property
    def empty_share(self) -> float | None:
        return self.empty / self.count if self.count else None


@dataclass(frozen=True)
class Recalls:
    """Reads in all, by day, and by hour of the day (24 counts)."""

    total: Reads
    by_day: dict[date, Reads]
    by_hour: list[int]


@dataclass(frozen=True)
class Saved:
    """Tokens that recall gave, against what all that is stored about the same people would have taken (R102).

    `all` is an estimate from what is stored today (`block_of`); reads from before tokens were noted are left out of
    both.
    """

    reads: int = 0
    given: int = 0
    all: int = 0

    @property
    def saved(self) -> int:
        return max(0, self.all - self.given)

    @property
    def times(self) -> float | None:
        """How many times more it would have been."""
        return self.all / self.given if self.given else None

    def dollars(self, price: float) -> float:
        """What the saved tokens would have cost at `price` dollars a million."""
        return self.saved * price / 1_000_000


def waiting(*, by: Principal, now: datetime) -> list[Waiting]:
    """What waits for a curator and is not put off, by type, the oldest first. Late is what is past `due_at`."""
    late = Q(pk__in=[])
    for type, span in conf.DECIDED_WITHIN.items():
        late |= Q(type=type, turn_at__lt=now - span)
    rows = (
        review_queue.waiting(by=by, now=now)
        .select_related(None)
        .order_by()
        .values("type")
        .annotate(rows=Count("pk"), oldest=Min("waiting_since"), late=Count("pk", filter=late))
    )
    found = [Waiting(ReviewType(row["type"]), row["rows"], row["oldest"], row["late"]) for row in rows]
    return sorted(found, key=lambda one: one.oldest)


def gate(*, by: Principal, period: Period) -> Gate:
    """What became of every claim that went through the gate in the period."""
    check_may(by, "read_figures")
    rows = _ask(
        """
        SELECT (decision.created_at AT TIME ZONE %(zone)s)::date, result->>'op', result->>'reason', count(*)
        FROM memoryhub_decision decision, jsonb_array_elements(decision.results) result
        WHERE decision.organisation_id = %(organisation)s AND decision.created_at >= %(start)s
        GROUP BY 1, 2, 3
        """,
        by=by, period=period,
    )  # fmt: skip
    found = Gate({day: Counter() for day in period.dates}, Counter(), Counter())
    for day, op, reason, count in rows:
        outcome = _OUTCOMES.get(op)
        if outcome is None or day not in found.by_day:
            continue
        found.by_day[day][outcome] += count
        if outcome in (REFUSED, PASSED):
            (found.refused if outcome == REFUSED else found.passed)[Reason(reason)] += count
    return found


def decided(*, by: Principal, period: Period) -> Decided:
    """What people said yes and no to in the period; what was withdrawn was nobody's decision."""
    check_may(by, "read_figures")
    rows = _ask(
        """
        SELECT (decided_at AT TIME ZONE %(zone)s)::date AS day, state, count(*),
               percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM decided_at - waiting_since)) / 3600
        FROM memoryhub_reviewitem
        WHERE organisation_id = %(organisation)s AND decided_at >= %(start)s AND NOT state = ANY(%(open)s)
        GROUP BY GROUPING SETS ((day, state), ())
        """,
        by=by, period=period, open=[ReviewState.WAITING, ReviewState.WITHDRAWN],
    )  # fmt: skip
    by_day: dict[date, Counter[str]] = {day: Counter() for day in period.dates}
    waited = None
    for day, state, count, hours in rows:
        if day is None:
            waited = hours
        else:
            by_day[day][state] += count
    return Decided(by_day, waited)


def forgotten(*, by: Principal, period: Period) -> Forgotten:
    """What was erased in the period because somebody asked for it."""
    check_may(by, "read_figures")
    rows = _ask(
        """
        SELECT (erased_at AT TIME ZONE %(zone)s)::date, count(*), coalesce(sum((removed->>'entries')::int), 0)
        FROM memoryhub_erasure
        WHERE organisation_id = %(organisation)s AND erased_at >= %(start)s
        GROUP BY 1
        """,
        by=by, period=period,
    )  # fmt: skip
    return Forgotten(dict.fromkeys(period.dates, (0, 0)) | {day: (count, gone) for day, count, gone in rows})


def recalls(*, by: Principal, period: Period) -> Recalls:
    """Reads by agents in the period; one query gives each day, each hour of the day, and all of it."""
    check_may(by, "read_figures")
    rows = _ask(
        """
        SELECT (created_at AT TIME ZONE %(zone)s)::date AS day,
               extract(hour FROM created_at AT TIME ZONE %(zone)s)::int AS hour,
               count(*), count(*) FILTER (WHERE items = '[]'),
               percentile_cont(0.5) WITHIN GROUP (ORDER BY took_ms),
               percentile_cont(0.95) WITHIN GROUP (ORDER BY took_ms)
        FROM memoryhub_recall
        WHERE organisation_id = %(organisation)s AND created_at >= %(start)s AND purpose = ANY(%(purposes)s)
        GROUP BY GROUPING SETS ((day), (hour), ())
        """,
        by=by, period=period, purposes=list(read_log.ANSWERS),
    )  # fmt: skip
    total, by_day, by_hour = Reads(), {day: Reads() for day in period.dates}, [0] * 24
    for day, hour, *figures in rows:
        if day is not None:
            by_day[day] = Reads(*figures)
        elif hour is not None:
            by_hour[hour] = figures[0]
        else:
            total = Reads(*figures)
    return Recalls(total, by_day, by_hour)


def saved(*, by: Principal, period: Period) -> Saved:
    """What the reads of the period gave, against giving all that is in use about whom they asked for (R102)."""
    check_may(by, "read_figures")
    ((reads, given, notes, characters),) = _ask(
        """
        WITH asked AS (
            SELECT id, tokens, subjects FROM memoryhub_recall
            WHERE organisation_id = %(organisation)s AND created_at >= %(start)s AND purpose = ANY(%(purposes)s)
              AND tokens IS NOT NULL
        ), times AS (
            SELECT subject, count(*) AS times FROM asked, unnest(asked.subjects) subject GROUP BY subject
        ), held AS (
            SELECT audience_id AS subject, count(*) AS notes, sum(char_length(content)) AS characters
            FROM memoryhub_entry
            WHERE organisation_id = %(organisation)s AND status = 'accepted'
              AND audience_id IN (SELECT subject FROM times)
            GROUP BY audience_id
        )
        SELECT (SELECT count(*) FROM asked), (SELECT coalesce(sum(tokens), 0) FROM asked),
               coalesce(sum(times * notes), 0), coalesce(sum(times * characters), 0)
        FROM times JOIN held USING (subject)
        """,
        by=by, period=period, purposes=list(read_log.ANSWERS),
    )  # fmt: skip
    return Saved(reads, int(given), block_of(blocks=reads, notes=int(notes), characters=int(characters)))


def block_of(*, blocks: int = 1, notes: int, characters: int) -> int:
    """About how many tokens recall would render so many notes of so many characters in, over so many blocks."""
    words = characters / conf.CHARACTERS_A_TOKEN
    return round(blocks * conf.FRAME_OF_A_BLOCK + notes * conf.LABELS_OF_A_NOTE + words)


def _ask(sql: str, *, by: Principal, period: Period, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            sql,
            {"organisation": by.organisation, "start": period.start, "zone": str(period.zone), **values},
        )
        return cursor.fetchall()
