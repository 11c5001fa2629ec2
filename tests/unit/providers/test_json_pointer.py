"""Pointers as RFC 6901 has them: escapes, arrays, what is missing, what is no pointer."""

import pytest

from memoryhub.providers.json_pointer import MISSING, resolve, tokens

DOCUMENT = {
    "site": {"contact": {"name": "Ines"}, "a/b": 1, "m~n": 2, "": {"": "nothing's name"}, " ": "space"},
    "doors": ["north", {"code": None}, []],
    "%": False, "é": "accent", "0": "a name that is a number",
}  # fmt: skip


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/site/contact/name", "Ines"),
        ("/site/a~1b", 1),
        ("/site/m~0n", 2),
        ("/site//", "nothing's name"),
        ("/site/ ", "space"),
        ("/doors/0", "north"),
        ("/doors/1/code", None),
        ("/%", False),
        ("/é", "accent"),
        ("/0", "a name that is a number"),
    ],
)
def test_a_pointer_names_its_value(pointer: str, value: object) -> None:
    assert resolve(DOCUMENT, pointer) == value


@pytest.mark.parametrize(
    "pointer",
    ["/nobody", "/site/contact/name/first", "/doors/3", "/doors/-", "/doors/-1", "/doors/00", "/doors/1e0", "/doors/１",
     "/doors/2/0", "/site/a/b", "/doors/999999999999999999999"],
)  # fmt: skip
def test_what_is_not_there_is_missing(pointer: str) -> None:
    assert resolve(DOCUMENT, pointer) is MISSING


def test_an_escaped_tilde_is_never_unescaped_twice() -> None:
    assert tokens("/~01") == ("~1",)


@pytest.mark.parametrize("pointer", ["site", "#/site", "/site~", "/~2", "/a~b"])
def test_what_is_no_pointer_is_refused(pointer: str) -> None:
    with pytest.raises(ValueError, match="JSON pointer"):
        tokens(pointer)
