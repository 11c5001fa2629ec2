"""What took the place of what ended, and what somebody left: both ends of a change are told in one message (R13)."""

from datetime import UTC, datetime

import pytest

from memoryhub.governance.claims import Claim
from memoryhub.governance.extraction import extract
from memoryhub.vocabulary import Channel, Form


def read(text: str) -> tuple[Claim, ...]:
    return extract(text, said_at=datetime(2026, 11, 30, 12, tzinfo=UTC), zone=UTC, channel=Channel.USER_MESSAGE).claims


MOVED = [
    "I no longer live in Tallow, I am in Merrow now.",
    "I no longer live in Tallow, I'm in Merrow now",
    "I no longer live in Tallow; I'm now in Merrow.",
    "I no longer live in Tallow, we're in Merrow these days.",
    "I no longer live in Tallow but in Merrow.",
    "I no longer live in Tallow, but in Merrow now.",
    "I no longer live in Tallow, now in Merrow.",
    "I no longer live in Tallow, I'm in Merrow.",
    "I no longer live in Tallow. I am in Merrow now.",
    "I don't live in Tallow any more. I'm settled in Merrow now!",
    "I moved out of Tallow. I'm in Merrow now.",
    "I don't live in Tallow any more, I live in Merrow now.",
]


@pytest.mark.parametrize("text", MOVED)
def test_where_one_home_ended_the_new_one_is_kept_and_the_old_one_closed(text: str) -> None:
    (claim,) = read(text)
    assert (claim.key, claim.value, claim.single, claim.closes) == ("city", "Merrow", True, ("Tallow",))
    assert claim.form is Form.ASSERTION


def test_both_are_kept_in_the_words_they_were_said_in() -> None:
    (claim,) = read("I no longer live in Tallow, I am in Merrow now.")
    assert claim.text == claim.quote == "I no longer live in Tallow, I am in Merrow now."


@pytest.mark.parametrize(
    "text",
    [
        "I no longer work at Varnish & Sons, I am at Copperline now.",
        "I no longer work for Varnish & Sons, I'm with Copperline these days.",
        "I no longer work at Varnish & Sons. I'm now at Copperline.",
    ],
)
def test_the_same_of_an_employer(text: str) -> None:
    (claim,) = read(text)
    assert (claim.key, claim.value, claim.closes) == ("employer", "Copperline", ("Varnish & Sons",))


def test_an_ending_that_is_only_implied_makes_the_new_place_no_surer() -> None:
    (claim,) = read("I'm not in Tallow any more, I'm in Merrow now.")
    assert (claim.value, claim.form) == ("Merrow", Form.IMPLIED)


@pytest.mark.parametrize(
    "rest",
    [
        "I am in Merrow for a week",
        "I am in Merrow today",
        "I am in Merrow until Friday",
        "I am in Merrow for work now",
        "I am in a hurry now",
        "I am in trouble now",
        "my brother is in Merrow now",
        "she is in Merrow now",
    ],
)
def test_a_visit_an_errand_and_somebody_else_are_no_new_home(rest: str) -> None:
    for text in (f"I no longer live in Tallow, {rest}.", f"I no longer live in Tallow. {rest.capitalize()}."):
        claims = [claim for claim in read(text) if claim.key == "city"]
        assert [claim.value for claim in claims] in (["not Tallow"], []), text


@pytest.mark.parametrize(
    "text",
    [
        "I am in Merrow now.",
        "I prefer tea. I am in Merrow now.",
        "I no longer eat meat, I am in Merrow now.",
        "I no longer live in Tallow. I prefer tea. I am in Merrow now.",
        "If I no longer live in Tallow, I am in Merrow now.",
        "Do I no longer live in Tallow, am I in Merrow now?",
    ],
)
def test_being_somewhere_alone_is_no_home(text: str) -> None:
    assert "Merrow" not in [claim.value for claim in read(text)]


@pytest.mark.parametrize(
    "text",
    ["I left Tallow", "I left Tallow last year", "We left Tallow for Merrow", "I left Tallow because of the noise"],
)
def test_what_was_left_without_a_word_of_work_is_a_home_or_an_employer(text: str) -> None:
    (claim,) = read(text)
    assert (claim.key, claim.value, claim.closes) == (None, None, ("Tallow",))
    assert set(claim.either) == {"city", "employer"}
    assert claim.form is Form.IMPLIED


@pytest.mark.parametrize(
    "text",
    [
        "I left my job at Tallow",
        "I quit Tallow",
        "I resigned from Tallow",
        "I was let go by Tallow",
        "I retired from Tallow",
    ],
)
def test_with_a_word_of_work_it_is_the_employer(text: str) -> None:
    (claim,) = read(text)
    assert (claim.key, claim.value, claim.either) == ("employer", "not Tallow", ())


@pytest.mark.parametrize("firm", ["Tallow Ltd", "Tallow & Daughters", "Merrow University", "Copperline Software"])
def test_a_firm_s_name_tells_that_it_is_one(firm: str) -> None:
    (claim,) = read(f"I left {firm}")
    assert (claim.key, claim.value, claim.form) == ("employer", f"not {firm}", Form.IMPLIED)


@pytest.mark.parametrize(
    ("text", "key"),
    [("I left Tallow and live in Merrow these days.", "city"), ("I left Tallow and work at Merrow now.", "employer")],
)
def test_what_follows_tells_which_it_was(text: str, key: str) -> None:
    (claim,) = read(text)
    assert (claim.key, claim.value, claim.closes) == (key, "Merrow", ("Tallow",))
