"""The address of the queue: every filter and the place, and nothing that is none."""

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from curation.queue_filters import PLACE, Filters


def read(query: str) -> Filters:
    return Filters.read(QueryDict(query))


def test_what_is_read_from_an_address_is_written_to_it() -> None:
    filters = read("type=fact&subject=mira&q=window+seat&after=2026~x&selected=a.b&all=yes")
    assert filters.query == "?type=fact&subject=mira&q=window+seat"
    assert filters.plain == "type=fact&subject=mira&q=window+seat"
    assert read(filters.place.removeprefix("?")) == filters
    assert filters.chosen == {"a", "b"}


@pytest.mark.parametrize(
    "query",
    ["type=nonsense", "kind=x", "reason=x", "age=2", "certainty=x", "claims=x", "standing=x", "group=x", "all=1"],
)
def test_a_word_that_is_no_known_one_is_left_out(query: str) -> None:
    assert read(query) == Filters()
    assert read(query).place == ""


@given(st.dictionaries(st.sampled_from([*Filters.__dataclass_fields__, "other"]), st.text(max_size=300)))
def test_whatever_is_typed_the_address_leads_back_to_the_same_filters(typed: dict[str, str]) -> None:
    query = QueryDict(mutable=True)
    query.update(typed)
    filters = Filters.read(query)
    assert read(filters.place.removeprefix("?")) == filters
    assert not set(filters.given) & set(PLACE)
