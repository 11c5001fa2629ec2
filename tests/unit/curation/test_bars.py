"""A score as bars: the same six in the same order, never wider than the whole, never nothing for something."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.bars import LABELS, bars, width_of
from memoryhub import conf
from memoryhub.recall.ranking import Signals, score


def test_there_is_a_bar_for_each_signal_of_the_score_in_the_order_of_their_weight() -> None:
    assert list(LABELS) == list(Signals.__dataclass_fields__) == list(conf.WEIGHTS)
    assert [bar.name for bar in bars(dict.fromkeys(reversed(LABELS), 0.5))] == list(LABELS)


@given(st.fixed_dictionaries({name: st.floats(0, 1) for name in LABELS}))
def test_what_the_bars_add_is_the_score(signals: dict[str, float]) -> None:
    assert math.fsum(bar.adds for bar in bars(signals)) == pytest.approx(score(Signals(**signals)))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_bar_is_never_wider_than_the_whole(share: float) -> None:
    assert 0 <= width_of(share) <= 100
    assert (width_of(share) > 0) == (share > 0)


def test_what_was_not_kept_or_is_no_number_has_no_bar() -> None:
    odd = {"relevance": None, "recency": "0.5", "importance": True, "authority": math.nan, "validity": 1}
    assert [(bar.name, bar.width) for bar in bars(odd)] == [("validity", 100)]
    assert bars({}) == []
