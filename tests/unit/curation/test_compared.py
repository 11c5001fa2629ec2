"""Which two versions are held against each other, whatever stands in the address, and what differs between them."""

from dataclasses import dataclass

import pytest

from curation.compared import comparison


@dataclass(frozen=True)
class Version:
    number: int
    text: str

    @property
    def pk(self) -> int:
        return self.number


ONE, TWO, THREE = Version(1, "Look it up."), Version(2, "Look it up twice."), Version(3, "Look it up twice.")
ALL = [THREE, TWO, ONE]


@pytest.mark.parametrize(
    ("shown", "old", "new", "pair"),
    [
        (TWO, "", "", (1, 2)),  # the one shown, against the one before it
        (THREE, "", "", (2, 3)),
        (THREE, "1", "", (1, 3)),
        (THREE, "1", "2", (1, 2)),
        (ONE, "3", "1", (3, 1)),  # the other way round, as it was asked for
        (THREE, "9", "x", (2, 3)),  # no such versions
        (THREE, "\x00", "-1", (2, 3)),
        (ONE, "", "2", (1, 2)),
    ],
)
def test_the_versions_in_the_address_or_else_the_one_before(
    shown: Version, old: str, new: str, pair: tuple[int, int]
) -> None:
    found = comparison(ALL, shown=shown, old=old, new=new, text_of=lambda one: one.text)
    assert found is not None
    assert (found.old.number, found.new.number) == pair


def test_what_has_nothing_before_it_is_not_compared() -> None:
    assert comparison(ALL, shown=ONE, old="", new="", text_of=lambda one: one.text) is None
    assert comparison([ONE], shown=ONE, old="1", new="1", text_of=lambda one: one.text) is None
    assert comparison(ALL, shown=TWO, old="2", new="2", text_of=lambda one: one.text) is None


def test_the_words_that_came_are_told_and_the_same_words_are_the_same() -> None:
    changed = comparison(ALL, shown=TWO, old="", new="", text_of=lambda one: one.text)
    assert changed is not None
    assert not changed.same
    assert [(part.kind, part.text) for part in changed.changes if part.kind != "same"] == [
        ("gone", "up."), ("new", "up twice."),
    ]  # fmt: skip
    alike = comparison(ALL, shown=THREE, old="", new="", text_of=lambda one: one.text)
    assert alike is not None
    assert alike.same
