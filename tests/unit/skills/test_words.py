"""Words in a common form, for choosing skills (R41)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.skills.words import words


@pytest.mark.parametrize(
    "forms",
    [
        "renew renews renewed renewing",
        "charge charges charged charging",
        "ship ships shipped shipping",
        "cancel cancels cancelled canceled cancelling",
        "bill bills billed billing",
        "policy policies",
        "address addresses",
        "process processes processed processing",
        "Café CAFÉ café",
        "refund ＲＥＦＵＮＤ",
    ],
)
def test_forms_of_one_word_meet(forms: str) -> None:
    assert len(set(words(forms))) == 1


@pytest.mark.parametrize(("one", "other"), [("status", "state"), ("bus", "bu"), ("gas", "ga")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert words(one) != words(other)


def test_courtesies_and_function_words_do_not_count() -> None:
    assert words("Hello, could you please help me with this?") == []


def test_scripts_without_spaces_are_cut_into_pairs() -> None:
    assert words("退款订单") == ["退款", "款订", "订单"]
    assert words("买A7订单") == ["买", "a7", "订单"]
    assert words("茶") == ["茶"]


def test_other_scripts_stay_as_they_are() -> None:
    assert words("Возврат денег") == ["возврат", "денег"]


@given(st.text())
def test_any_text_gives_words_that_are_not_empty(text: str) -> None:
    found = words(text)
    assert all(found)
