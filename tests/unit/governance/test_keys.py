"""Names of one thing meet in one key, and values lose what merely surrounds them (R13)."""

import pytest

from memoryhub.governance.keys import preference_key, snake, third_person, tool_key, trim, value_for, without_when


@pytest.mark.parametrize(
    ("phrase", "key"),
    [
        ("new e-mail address", "email"),
        ("E-Mail", "email"),
        ("mobile number", "phone"),
        ("current subscription", "plan"),
        ("favorite color", "favourite_colour"),
        ("car's plate", "car_plate"),
        ("our office", "office"),
    ],
)
def test_names_of_one_thing_share_a_key(phrase, key):
    assert snake(phrase) == key


@pytest.mark.parametrize(
    ("value", "trimmed"),
    [("the red one, please.", "red one"), ("  a boat now ", "boat"), ('"Bo"', "Bo"), ("tea, thanks!", "tea"), ("Zürich", "Zürich")],
)  # fmt: skip
def test_a_value_is_trimmed(value, trimmed):
    assert trim(value) == trimmed


def test_values_are_kept_as_their_key_keeps_them():
    assert value_for("plan", "the yearly one") == "yearly"
    assert value_for("contact", "Bodil Aas, head of stores") == "Bodil Aas"
    assert without_when("Bruges last month") == "Bruges"


def test_choices_of_one_domain_share_a_key():
    assert preference_key("tea") == preference_key("coffee") == ("preferred_drink", True)
    assert preference_key("blue folders")[1] is False
    assert tool_key("npm") == tool_key("pnpm 9")
    assert tool_key("the lathe") == ("uses", False)


@pytest.mark.parametrize(
    ("verb", "key"),
    [("eat", "eats"), ("watch", "watches"), ("carry", "carries"), ("play", "plays"), ("go", "goes"), ("have", "has")],
)
def test_a_verb_names_its_habit(verb, key):
    assert third_person(verb) == key
