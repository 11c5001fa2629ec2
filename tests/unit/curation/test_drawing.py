"""Do the charts show what the figures say?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.drawing import SHADES, Bars, Box, Column, Series, line, round_up, stacked, strip

COUNTS = st.integers(0, 10_000)


def test_two_series_over_two_days_are_drawn_so_and_not_otherwise() -> None:
    drawn = stacked(
        ["Mon", "Tue"], [Series("kept", "good", [6, 0]), Series("refused", "bad", [2, 0])], width=20, height=10
    )
    assert drawn == Bars(
        columns=(
            Column("Mon: 6 kept, 2 refused", (Box(1, 4, 8, 6, "good"), Box(1, 2, 8, 2, "bad")), 0, 10),
            Column("Tue: nothing", (), 10, 10),
        ),
        top=10, width=20, height=10,
    )  # fmt: skip


def test_a_gap_in_the_values_is_a_gap_in_the_line_and_a_lone_value_is_a_dot() -> None:
    drawn = line([10, 5, None, 0, None, 10, 10], width=70, height=10)
    assert drawn.strokes == ("5,0 15,5", "55,0 65,0")
    assert drawn.dots == ((35, 10),)


def test_a_strip_tells_little_from_none_and_the_most_from_the_rest() -> None:
    cells = strip(["a", "b", "c", "d"], [0, 1, 500, 1000], unit="reads", width=40)
    assert [cell.shade for cell in cells] == [0, 1, 2, SHADES]
    assert [cell.x for cell in cells] == [0, 10, 20, 30]
    assert cells[1].title == "b: 1 reads"


@pytest.mark.parametrize(
    ("value", "top"), [(0, 1), (1, 1), (1.5, 2), (7, 10), (10, 10), (23, 25), (260, 500), (9999, 10000)]
)
def test_the_upper_edge_is_a_number_that_is_easy_to_read(value: float, top: float) -> None:
    assert round_up(value) == top


@pytest.mark.parametrize("draw", [lambda: stacked([], []), lambda: line([]), lambda: strip([], [], unit="x")])
def test_nothing_to_draw_draws_nothing(draw) -> None:
    draw()


@given(st.lists(st.tuples(COUNTS, COUNTS, COUNTS), min_size=1, max_size=90))
def test_every_box_stands_inside_and_is_as_high_as_its_value(rows: list[tuple[int, int, int]]) -> None:
    series = [Series(str(place), "x", [row[place] for row in rows]) for place in range(3)]
    drawn = stacked([str(place) for place in range(len(rows))], series)
    for column, row in zip(drawn.columns, rows, strict=True):
        assert len(column.boxes) == sum(1 for value in row if value)
        for box, value in zip(column.boxes, filter(None, row), strict=True):
            assert 0 <= box.x <= box.x + box.width <= drawn.width + 0.02
            assert -0.02 <= box.y <= box.y + box.height <= drawn.height + 0.02
            assert abs(box.height - drawn.height * value / drawn.top) <= 0.02


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=24))
def test_more_is_never_lighter(values: list[int]) -> None:
    cells = strip([str(place) for place in range(len(values))], values, unit="x")
    shades = dict(zip(values, (cell.shade for cell in cells), strict=True))
    ordered = [shades[value] for value in sorted(shades)]
    assert ordered == sorted(ordered)
    assert all(0 <= shade <= SHADES for shade in ordered)
    assert all((shade == 0) == (value == 0) for value, shade in shades.items())
