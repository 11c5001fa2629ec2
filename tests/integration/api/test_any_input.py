"""Whatever is sent, no operation answers 500 (api.md: never a 500 for any input)."""

import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cast import OPENAPI, Cast

NASTY = st.sampled_from(
    ["", " ", ".", "..", "\x00", "\ud800", "\u202e", "%00", "%", "a" * 300, "null", "0", "-1", "NaN", "💥", "1e999"]
)
WORDS = st.text(st.characters(), max_size=30) | NASTY
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
SEGMENTS = st.text(string.printable, min_size=1, max_size=20) | st.sampled_from(
    ["me", "nora", "%2F", "%00", "%ff", "..", "a%2Fb"]
)
SOME_PARTS = st.sampled_from(["bot", "rosa", "olga"])


Operation = tuple[str, str, list[str], list[str]]


def operations() -> Iterator[Operation]:
    """(method, path, names in the body, names in the query) of every operation."""
    document = json.loads(OPENAPI.read_text())
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            reference = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
            names = list(document["components"]["schemas"].get(reference, {}).get("properties", {}))
            asked = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
            yield method.upper(), path, names, asked


EVERY = pytest.mark.parametrize("operation", list(operations()), ids=lambda one: f"{one[0]} {one[1]}")


@EVERY
def test_no_input_is_too_much(cast: Cast, operation: Operation) -> None:
    _attack(cast, operation, times=4)


@pytest.mark.long
@EVERY
def test_no_input_is_too_much_for_long(cast: Cast, operation: Operation) -> None:
    _attack(cast, operation, times=60)


def _attack(cast: Cast, operation: Operation, *, times: int) -> None:
    method, path, names, asked = operation
    cast.say("I prefer the window seat")

    @settings(max_examples=times, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attempt(data: st.DataObject) -> None:
        address = path
        while "{" in address:
            before, _, rest = address.partition("{")
            address = before + _quoted(data.draw(SEGMENTS)) + rest.partition("}")[2]
        if asked and data.draw(st.booleans()):
            chosen = data.draw(st.lists(st.sampled_from(asked), max_size=3))
            address += "?" + "&".join(f"{name}={_quoted(data.draw(WORDS))}" for name in chosen)
        body: Any = data.draw(VALUES)
        if names and data.draw(st.booleans()):
            some = data.draw(st.lists(st.sampled_from(names), unique=True))
            body = {"subject": "nora", "text": "I like tea", "channel": "user_message"} if "channel" in names else {}
            body |= {name: data.draw(VALUES) for name in some}
        part = data.draw(SOME_PARTS)
        reply = cast.call(method, address, body, by=part)
        assert reply.status < 500, (part, address, body)

    attempt()


def _quoted(text: str) -> str:
    return "".join(
        c if (c.isalnum() and c.isascii()) or c == "%" else "".join(f"%{b:02X}" for b in c.encode("utf-8", "replace"))
        for c in text
    )
