"""How long an item may wait yet, in words (R92)."""

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub import conf
from memoryhub.governance.due import due, length
from memoryhub.models import ReviewItem
from memoryhub.vocabulary import ReviewType

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ({"seconds": 5}, "1 min"), ({"minutes": 59}, "59 min"), ({"minutes": 61}, "1 h"), ({"hours": 47}, "47 h"),
        ({"hours": 48}, "2 d"), ({"days": 12, "hours": 5}, "12 d"),
    ],
)  # fmt: skip
def test_a_length_is_told_in_its_largest_whole_unit(span: dict[str, int], words: str) -> None:
    assert length(timedelta(**span)) == words


@pytest.mark.parametrize(
    ("left", "words", "tone"),
    [({"hours": 20}, "due in 20 h", "calm"), ({"hours": 3}, "due in 3 h", "soon"), ({"days": -2}, "2 d late", "late")],
)  # fmt: skip
def test_an_item_is_due_so_long_after_its_turn_as_its_type_allows(left: dict[str, int], words: str, tone: str) -> None:
    item = ReviewItem(type="dispute", turn_at=NOW - conf.DECIDED_WITHIN["dispute"] + timedelta(**left))
    told = due(item, now=NOW)
    assert (told.words, told.tone) == (words, tone)


def test_every_type_has_its_time() -> None:
    assert set(conf.DECIDED_WITHIN) == set(ReviewType.values)
