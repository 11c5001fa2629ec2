"""How is the hub doing? What waits, what became of claims, what recall costs and saves (R93, R102)."""

import csv
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from curation import charts
from curation.fragments import page
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.governance import figures
from memoryhub.governance.figures import Period
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

STAFF = "The figures are for curators, operators and auditors of this organisation."
PERIODS: Final = {"7": "7 days", "30": "30 days", "90": "90 days"}
PRICE: Final = 2.0  # dollars a million tokens, until somebody types their own (R102)
REASONS: Final = 6  # shown; a longer list is read by nobody


@require_safe
def dashboard(request: PageRequest) -> HttpResponse:
    """The figures of a period, each as a picture with its table."""
    check_page(request.principal, "read_figures", sentence=STAFF)
    period, by = _period(request), request.principal
    price = _price(request.GET.get("price", ""))
    with acting_for(by, subjects=ALL_SUBJECTS):
        waiting = figures.waiting(by=by, now=period.now) if can_do(by, "read_queue") else None
        gate = figures.gate(by=by, period=period)
        decided = figures.decided(by=by, period=period)
        forgotten = figures.forgotten(by=by, period=period)
        recalls = figures.recalls(by=by, period=period)
        saved = figures.saved(by=by, period=period)
    context: dict[str, Any] = {
        "section": "dashboard",
        "days": str(period.days),
        "periods": PERIODS.items(),
        "waiting": waiting,
        "waits": sum(one.count for one in waiting or ()),
        "late": sum(one.late for one in waiting or ()),
        "gate": gate,
        "refused": [(reason, count) for reason, count in gate.refused.most_common(REASONS)],
        "decided": decided,
        "forgotten": forgotten,
        "reads": recalls.total,
        "saved": saved,
        "price": price,
        "dollars": saved.dollars(price),
        "p50": charts.rounded(recalls.total.p50),
        "p95": charts.rounded(recalls.total.p95),
        "gate_chart": charts.gate(gate),
        "decided_chart": charts.decided(decided),
        "forgotten_chart": charts.forgotten(forgotten),
        "latency_chart": charts.latency(recalls),
        "hours_chart": charts.hours(recalls),
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/dashboard/page.html", context)


@require_safe
def figures_csv(request: PageRequest) -> HttpResponse:
    """The same by day, for a spreadsheet: numbers and dates alone, so there is nothing that a spreadsheet would run."""
    check_page(request.principal, "read_figures", sentence=STAFF)
    period, by = _period(request), request.principal
    with acting_for(by, subjects=ALL_SUBJECTS):
        gate = figures.gate(by=by, period=period)
        decided = figures.decided(by=by, period=period)
        forgotten = figures.forgotten(by=by, period=period)
        recalls = figures.recalls(by=by, period=period)
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="figures-{period.days}-days.csv"'},
    )
    table = csv.writer(response)
    outcomes = (figures.KEPT, figures.ASKED, figures.REFUSED, figures.PASSED)
    answers = ("approved", "rejected", "merged")
    rest = ("requests_to_forget", "memories_forgotten", "reads", "empty_reads", "p50_ms", "p95_ms")
    table.writerow(["day", *outcomes, *answers, *rest])
    for day in period.dates:
        reads = recalls.by_day[day]
        table.writerow(
            [
                day.isoformat(), *(gate.by_day[day][one] for one in outcomes),
                *(decided.by_day[day][one] for one in answers), *forgotten.by_day[day], reads.count, reads.empty,
                reads.p50, reads.p95,
            ]
        )  # fmt: skip
    return response


def _period(request: PageRequest) -> Period:
    days = request.GET.get("days", "")
    return Period(int(days) if days in PERIODS else 30, timezone.now(), request.visitor.zone_of())


def _price(typed: str) -> float:
    """Dollars a million tokens; what is no number, or none that a price could be, is the usual one."""
    try:
        price = float(typed)
    except ValueError:
        return PRICE
    return price if 0 <= price <= 1000 else PRICE
