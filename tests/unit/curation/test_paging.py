"""A paging mark from an address is read, or refused in words; it never breaks a page."""

import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curation.paging import _read
from memoryhub import conf
from memoryhub.errors import Invalid

LAST = uuid.UUID(int=1)
YEARS = st.integers(0, 10_000).map(lambda year: f"{year:04}")
OFFSETS = st.sampled_from(["", "Z", "+00:00", "+23:59", "-23:59", "+24:00", "+14:00:59.999999", " 00:00"])
MOMENTS = st.builds(
    lambda year, day, clock, offset: f"{year}-{day}T{clock}{offset}",
    YEARS, st.sampled_from(["01-01", "12-31", "02-30", "W01-1"]),
    st.sampled_from(["00:00:00", "23:59:59.999999", "24:00:00", "12"]), OFFSETS,
)  # fmt: skip


@given(
    st.one_of(
        st.text(), MOMENTS, MOMENTS.map(lambda moment: f"{moment}~{LAST}"), st.text().map(lambda t: f"{t}~{LAST}")
    )
)
@example(f"0001-01-01T00:00:00+23:59~{LAST}")
@example(f"9999-12-31T23:59:59-23:59~{LAST}")
@example(f"1969-12-31T23:59:59+00:00~{LAST}")
@example(f"2026-01-01T00:00:00+00:00~{LAST}~")
def test_whatever_stands_in_a_mark_is_a_time_a_row_can_have_or_is_refused(mark: str) -> None:
    try:
        when, last = _read(mark)
    except Invalid:
        return
    assert conf.EARLIEST <= when <= conf.LATEST
    assert when.tzinfo is UTC
    assert isinstance(last, uuid.UUID)


@pytest.mark.parametrize("offset", ["+00:00", "+05:30", "-11:00"])
def test_a_mark_of_a_row_is_read_as_it_was(offset: str) -> None:
    when = datetime.fromisoformat(f"2026-03-01T12:00:00{offset}")
    assert _read(f"{when.isoformat()}~{LAST}") == (when, LAST)
