"""Are figures drawn as they are, with a legend, a title for each column, and the same numbers in a table?"""

from collections import Counter
from datetime import date

from django.template.loader import render_to_string

from curation import charts
from memoryhub.governance import figures
from memoryhub.governance.figures import Decided, Gate, Reads, Recalls

DAYS = (date(2026, 11, 29), date(2026, 11, 30))


def drawn(chart: charts.Chart) -> str:
    return " ".join(render_to_string("components/chart.html", {"chart": chart, "csv": "/figures.csv"}).split())


def test_stacked_bars_are_drawn_so_and_not_otherwise() -> None:
    found = Gate({DAYS[0]: Counter({figures.KEPT: 6, figures.REFUSED: 2}), DAYS[1]: Counter()}, Counter(), Counter())
    page = drawn(charts.gate(found))
    assert (
        "<g><title>29 Nov: 6 kept, 2 refused</title>"
        '<rect class="fill-good" x="30" y="40" width="240" height="60"/>'
        '<rect class="fill-bad" x="30" y="20" width="240" height="20"/>'
        '<rect class="chart-hover" x="0" y="0" width="300" height="100"/></g>'
        "<g><title>30 Nov: nothing</title>"
        '<rect class="chart-hover" x="300" y="0" width="300" height="100"/></g>'
    ) in page
    assert "<span><strong>6</strong> kept</span>" in page
    assert "<span>up to 10 a day</span>" in page
    assert (
        '<th scope="row">29 Nov</th><td class="number">6</td><td class="number">0</td><td class="number">2</td>' in page
    )
    assert '<a href="/figures.csv" download>' in page


def test_a_day_without_a_known_time_is_a_gap_and_a_dash() -> None:
    reads = {DAYS[0]: Reads(4, 1, 20.0, 50.0), DAYS[1]: Reads(2, 2)}
    page = drawn(charts.latency(Recalls(Reads(6, 3, 20.0, 50.0), reads, [0] * 24)))
    assert '<line class="chart-line chart-dot chart-line-2" x1="150" x2="150" y1="0" y2="0"/>' in page
    assert '<line class="chart-line chart-dot " x1="150" x2="150" y1="60" y2="60"/>' in page
    assert '<td class="number">–</td>' in page


def test_hours_are_told_from_each_other_by_shade_and_by_title() -> None:
    page = drawn(charts.hours(Recalls(Reads(), {}, [0] * 8 + [3, 12] + [0] * 14)))
    assert page.count("heat-0") == 22
    assert '<rect class="heat heat-1" x="200" y="0" width="23.50" height="20"><title>08:00: 3 answers</title>' in page
    assert "09:00: 12 answers" in page


def test_nothing_decided_draws_empty_columns() -> None:
    page = drawn(charts.decided(Decided({day: Counter() for day in DAYS}, None)))
    assert page.count("nothing</title>") == 2
    assert "fill-good" in page.partition('<svg viewBox="0 0 600')[0]  # the legend stays
