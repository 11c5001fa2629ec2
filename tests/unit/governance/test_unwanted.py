"""Which kind of fact is it, and did its person ask never to keep such?"""

import pytest

from memoryhub.governance.unwanted import is_unwanted, kind_of
from memoryhub.models import Entry, Subject
from memoryhub.vocabulary import Category


@pytest.mark.parametrize(
    ("key", "single", "kind"),
    [("city", True, "key:city"), ("prefers", False, "category:preference"), ("", True, "category:preference")],
)
def test_a_kind_is_the_key_that_holds_one_value_or_else_the_category(key: str, single: bool, kind: str) -> None:
    assert kind_of(Entry(key=key, single=single, category=Category.PREFERENCE)) == kind


@pytest.mark.parametrize(
    ("wishes", "category", "key", "unwanted"),
    [
        ([], Category.GENERAL, "city", False),
        (["key:city"], Category.GENERAL, "city", True),
        (["key:city"], Category.GENERAL, "birthday", False),
        (["key:city"], Category.GENERAL, None, False),
        (["category:preference"], Category.PREFERENCE, None, True),
        (["category:preference"], Category.PREFERENCE, "likes", True),
        (["category:preference"], Category.GENERAL, None, False),
        (["key:plan", "category:entitlement"], Category.ENTITLEMENT, "plan", False),  # no matter of wishes
    ],
)
def test_what_was_asked_not_to_be_kept_is_unwanted(
    wishes: list[str], category: str, key: str | None, unwanted: bool
) -> None:
    assert is_unwanted(Subject(never_keep=wishes), category=category, key=key) == unwanted
