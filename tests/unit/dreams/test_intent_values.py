"""Which values does a text name, and in which slot? (R72)"""

import pytest

from memoryhub.dreams.intent_values import Value, ValueKind, values


def found(text: str) -> list[tuple[str, str, str]]:
    return [(value.kind.value, value.same, value.slot) for value in values(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("on May 21st", "on 21 May"), ("May 21", "the 21st of May, 2027"), ("2027-05-21", "May 21"),
        ("at 5pm", "at 17:00"), ("noon", "12:00"), ("two bags", "2 bags"), ("$1,200", "1200 dollars"),
        ("order #B77", "order b77"),
    ],
)  # fmt: skip
def test_other_words_for_the_same_value_are_the_same(one: str, other: str) -> None:
    assert [value.same for value in values(one)] == [value.same for value in values(other)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (
            "move it from Leeds to York on 3 May",
            [("name", "leeds", "from"), ("name", "york", "to"), ("date", "5-3", "on")],
        ),
        ("three chairs for room 12", [("number", "3", ""), ("number", "12", "for")]),
        ("raise it to 1,500 pounds", [("amount", "1500£", "to")]),
        ("contract KF-118-220", [("id", "kf-118-220", "")]),
        ("one of my orders", []),
        ("I may come", []),
        ("Please call Ada", [("name", "ada", "")]),
        ("Could you help", []),
    ],
)
def test_values_are_told_with_their_kind_and_slot(text: str, kinds: list[tuple[str, str, str]]) -> None:
    assert found(text) == kinds


def test_only_days_that_depend_on_the_day_are_relative() -> None:
    assert [value.relative for value in values("tomorrow, next Friday, on Friday and on 3 May")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_what_a_number_counts_is_kept() -> None:
    assert values("two extra bags")[0] == Value(ValueKind.NUMBER, "2", "bag", "", False, 0, 3)
    assert values("300 is better")[0].of == ""
