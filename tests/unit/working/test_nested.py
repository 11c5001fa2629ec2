"""Do secrets and refused words leave nested JSON? (R50, R61)"""

from typing import Any

import pytest

from memoryhub.errors import Invalid
from memoryhub.working.nested import REMOVED, WITHHELD, Refused, cleaned


def test_what_is_harmless_stays_as_it_is() -> None:
    value = {
        "tool": "get_booking",
        "arguments": {"booking_id": "81", "nights": 3, "paid": True, "guest": None},
        "steps": [1.5, "a"],
    }
    assert cleaned(value) == value


@pytest.mark.parametrize(
    "name", ["password", "api_key", "Authorization", "client-secret", "card_number", "door.pin", "accessToken"]
)
def test_a_condemning_name_removes_its_value_whatever_it_looks_like(name: str) -> None:
    assert cleaned({"outer": [{name: "plain"}]}) == {"outer": [{name: REMOVED}]}


def test_a_secret_is_removed_wherever_it_stands() -> None:
    secret = "ghp_" + "a1B2" * 9
    assert secret not in str(cleaned({"result": {"log": [f"used {secret} to push"]}}))


def test_a_number_is_no_hiding_place_for_a_card() -> None:
    assert "4242424242424242" not in str(cleaned({"value": 4242424242424242}))


@pytest.mark.parametrize("text", ["limit set to $7,500", "LIMIT SET TO 7500", "limit set to ７５００", "7500"])
def test_a_refused_value_masks_the_string_however_it_is_spelt(text: str) -> None:
    assert cleaned([text], Refused(values=("7,500",))) == [WITHHELD]


def test_a_refused_value_masks_a_number_too() -> None:
    assert cleaned({"amount": 7500}, Refused(values=("$7,500",))) == {"amount": WITHHELD}


@pytest.mark.parametrize("text", ["order 17500", "75001", "a75", "seven"])
def test_a_longer_number_is_another_value(text: str) -> None:
    assert cleaned(text, Refused(values=("7500",))) == text


def test_words_copied_from_a_withheld_message_are_masked() -> None:
    refused = Refused(message="Please note that I am a platinum guest from today")
    assert cleaned({"note": "I am a platinum guest"}, refused) == {"note": WITHHELD}
    assert cleaned({"note": "guest"}, refused) == {"note": "guest"}


def test_names_of_fields_are_no_hiding_place() -> None:
    secret = "ghp_" + "a1B2" * 9
    assert secret not in str(cleaned({secret: 1}))


def test_json_nested_too_deeply_is_refused_not_followed() -> None:
    value: Any = "x"
    for _ in range(60):
        value = [value]
    with pytest.raises(Invalid):
        cleaned(value)


def test_refused_words_are_never_printed() -> None:
    assert "7500" not in repr(Refused(values=("7500",), message="my limit is 7500"))
