"""What the figures at scale say, and that no run fills somebody's disk."""

import pytest

from memoryhub.management import scale_bench, scale_load

EXACT = [(f"e{place}", 1.0 - place / 100) for place in range(30)]


def test_all_of_the_best_in_any_order_are_all_of_them() -> None:
    assert scale_bench.share_of_exact([f"e{place}" for place in reversed(range(10))], EXACT) == 1.0


def test_each_of_the_best_that_is_missing_costs_its_share() -> None:
    assert scale_bench.share_of_exact([*(f"e{place}" for place in range(8)), "e10", "e11"], EXACT) == 0.8
    assert scale_bench.share_of_exact([], EXACT) == 0.0


def test_what_comes_too_late_is_not_given() -> None:
    assert scale_bench.share_of_exact([*(f"e{place}" for place in range(10, 20)), "e0"], EXACT) == 0.0


def test_what_scores_as_well_as_the_last_of_the_best_is_as_good() -> None:
    tied = [*EXACT[:9], ("a", 0.5), ("b", 0.5), ("c", 0.4)]
    for last in ("a", "b"):
        assert scale_bench.share_of_exact([*(id for id, _ in EXACT[:9]), last], tied) == 1.0
    assert scale_bench.share_of_exact([*(id for id, _ in EXACT[:9]), "c"], tied) == 0.9


def test_of_few_entries_and_of_none_everything_can_be_given() -> None:
    assert scale_bench.share_of_exact(["e1", "e0"], EXACT[:2]) == 1.0
    assert scale_bench.share_of_exact([], []) == 1.0


def test_the_goals_compare_the_95th_percentiles() -> None:
    timings = {
        scale_bench.SMALL: [10.0] * 95 + [100.0] * 5, scale_bench.LARGE: [15.0] * 95 + [900.0] * 5,
        scale_bench.BIG_SUBJECT: [149.0] * 95 + [900.0] * 5,
    }  # fmt: skip
    goals = scale_bench.goals_of(timings, 0.97)
    assert [(goal.value, goal.met) for goal in goals] == [(1.5, True), (149.0, True), (0.97, False)]


def test_without_a_big_subject_there_is_one_goal() -> None:
    assert len(scale_bench.goals_of({scale_bench.SMALL: [1.0], scale_bench.LARGE: [1.0]}, None)) == 1


def test_a_disk_that_would_be_filled_is_refused_with_a_sentence() -> None:
    scale_bench.check_room(1000, 1000 * scale_load.BYTES_AN_ENTRY * 2)
    with pytest.raises(scale_bench.NoRoom, match=r"--folder"):
        scale_bench.check_room(1000, 1000 * scale_load.BYTES_AN_ENTRY)
