"""A fact is also asked for by words it does not hold."""

from memoryhub.governance.asking import asked_by
from memoryhub.governance.keys import ALIASES


def test_a_key_is_asked_for_by_its_other_names_too() -> None:
    for name, key in ALIASES.items():
        assert name == key or name.replace("_", " ") in asked_by(key)


def test_nothing_is_made_up_for_a_key_that_nothing_is_known_of() -> None:
    assert asked_by("shoe_size") == asked_by("") == ""
