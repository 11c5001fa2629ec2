"""Figures of one run: everybody in every round, no order preferred, and ratios that say how sure they are."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.management import paired_timing
from memoryhub.management.paired_timing import Goal

TIMES = st.lists(st.floats(0.1, 1000), min_size=1, max_size=60)


def test_every_round_calls_everyone_once() -> None:
    for names in paired_timing.rounds(["a", "b", "c"], 50, seed=1):
        assert sorted(names) == ["a", "b", "c"]


def test_everyone_comes_first_and_follows_everyone_about_equally_often() -> None:
    drawn = list(paired_timing.rounds(["a", "b", "c", "d"], 1200, seed=2))
    first = Counter(names[0] for names in drawn)
    follows = Counter(pair for names in drawn for pair in itertools.pairwise(names))
    assert all(240 < count < 360 for count in first.values())
    assert len(follows) == 12
    assert all(240 < count < 360 for count in follows.values())


def test_the_order_is_the_same_for_the_same_seed() -> None:
    assert list(paired_timing.rounds("abc", 9, seed=3)) == list(paired_timing.rounds("abc", 9, seed=3))


def test_rounds_for_warming_up_are_called_and_not_counted() -> None:
    seen: dict[str, list[int]] = {"one": [], "two": []}

    def call(name: str, number: int) -> float:
        seen[name].append(number)
        return float(number)

    timings = paired_timing.run(
        {name: lambda number, name=name: call(name, number) for name in seen}, times=4, warm_up=3, seed=4
    )
    assert seen == {"one": list(range(7)), "two": list(range(7))}
    assert timings == {"one": [3.0, 4.0, 5.0, 6.0], "two": [3.0, 4.0, 5.0, 6.0]}


@pytest.mark.parametrize(("share", "value"), [(0.5, 10), (0.95, 19), (0.951, 20), (1, 20), (0.01, 1)])
def test_a_quantile_is_one_of_the_values(share: float, value: int) -> None:
    assert paired_timing.quantile(list(range(20, 0, -1)), share) == value


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 0.0), ([1.0], 1.1)])
def test_a_quantile_of_nothing_is_refused(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="a quantile needs"):
        paired_timing.quantile(values, share)


@given(TIMES)
def test_the_spread_is_in_order(values: list[float]) -> None:
    found = paired_timing.spread(values)
    assert found.calls == len(values)
    assert found.least <= found.p50
    assert found.least <= found.p95 <= max(values)


def test_a_ratio_is_of_the_medians_and_lies_between_its_bounds() -> None:
    ours, theirs = [2.0, 4.0, 6.0, 400.0, 3.0], [1.0, 2.0, 2.0, 2.0, 9.0]
    found = paired_timing.ratio(ours, theirs, seed=5)
    assert found.value == 2.0
    assert found.low <= found.value <= found.high


@given(TIMES, st.floats(0.5, 3))
def test_what_always_takes_so_many_times_as_long_is_surely_so_many_times_as_long(
    theirs: list[float], factor: float
) -> None:
    found = paired_timing.ratio([each * factor for each in theirs], theirs, seed=6)
    assert found.low == pytest.approx(factor)
    assert found.high == pytest.approx(factor)


def test_rounds_that_do_not_belong_together_have_no_ratio() -> None:
    with pytest.raises(ValueError, match="as many rounds"):
        paired_timing.ratio([1.0], [1.0, 2.0], seed=7)


def test_a_goal_is_met_up_to_its_bound_and_says_when_it_is_missed() -> None:
    assert Goal("x", 1.5, 1.5).met
    assert Goal("x", 1.5, 1.5, "x", aim=1.0).line.endswith("goal 1.5, aim 1: met")
    assert Goal("x", 1.51, 1.5).line.endswith("MISSED")
    assert Goal("x", 0.97, 0.98, at_least=True).line.endswith("goal at least 0.98: MISSED")
    assert Goal("x", 0.98, 0.98, at_least=True).met


def test_the_file_holds_what_the_table_shows() -> None:
    timings = {"ours": [1.0, 3.0, 2.0], "theirs": [2.0, 2.0, 2.0]}
    ratio = paired_timing.ratio(timings["ours"], timings["theirs"], seed=8)
    written = paired_timing.as_json(timings, {"ours / theirs": ratio}, [Goal("ours / theirs", ratio.value, 0.5)])
    assert written["milliseconds"]["ours"] == {"calls": 3, "p50": 2.0, "p95": 3.0, "least": 1.0}
    assert written["ratios"]["ours / theirs"]["value"] == 1.0
    assert written["goals"][0]["met"] is False
    (header, ours, _) = paired_timing.table(timings)
    assert header.split() == ["ms", "p50", "p95", "best", "calls"]
    assert ours.split() == ["ours", "2.00", "3.00", "1.00", "3"]
