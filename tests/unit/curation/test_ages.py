"""How long ago something was, in its largest unit."""

from datetime import timedelta

import pytest

from curation.ages import span


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-5, "0 s"), (20, "20 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (7200, "2 h"), (86_400 * 3, "3 d")],
)
def test_a_length_of_time_is_told_in_its_largest_unit(seconds: float, words: str) -> None:
    assert span(timedelta(seconds=seconds)) == words
