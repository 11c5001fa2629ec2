"""One wording shows another only word by word: numbers whole, negations never crossed, parts in their own words."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.governance.wording import agrees, backed_part, clauses, contains, is_shown, says_more, shown_part, words

PLAIN = st.lists(st.text(alphabet="abcdefg", min_size=1, max_size=6), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("engine = 'Rotor 5'", "rotor 5"), ("build-slim: lint", "build-slim"), ("Straße 9", "STRASSE 9"), ("ﬁle v1.2", "file v1.2"),
        ("open 7:30 to 16:00", "16:00"), ("t = -7", "-7"), ("in C++", "c++"), ("3-7", "3-7"), ("rotor, not stator", "rotor"),
        ("rotor\nstator: removed", "rotor"), ("rotor (not stator)", "rotor"), ("we do not use Rotor", "not use Rotor"), ("don’t ring", "don't ring"),
    ],
)  # fmt: skip
def test_what_stands_there_is_shown(shown: str, value: str) -> None:
    assert contains(shown, value)


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("rotor 5.1", "rotor 5"), ("rotor 15", "rotor 5"), ("build-slimmer", "build-slim"), ("build slim", "build-slim"),
        ("never rotor 5", "rotor 5"), ("it isn't Rotor 5", "rotor 5"), ("rotor, or 5", "rotor 5"), ("1,200", "200"),
        ("anything", ""), ("", "x"), ("!!", "!!"), ("-7", "7"), ("7", "-7"), ("offset \u22127", "7"), ("C", "C++"), ("F#", "F"),
        ("rotor: removed", "rotor"), ("rotor is not fitted", "rotor"), ("rotor = off", "rotor"), ("rotor (retired)", "rotor"),
        ("instead of the rotor", "rotor"), ("we left Rotor", "rotor"), ("former rotor", "rotor"), ("stator != rotor", "rotor"),
        ("stator or rotor", "rotor"), ("rotor or stator", "rotor"),
    ],
)  # fmt: skip
def test_what_does_not_stand_there_is_not(shown: str, value: str) -> None:
    assert not contains(shown, value)


@given(PLAIN, PLAIN, PLAIN)
def test_a_text_shows_every_run_of_its_words(before: str, value: str, after: str) -> None:
    assert contains(f"{before} {value} {after}", value)
    assert contains(value, value.upper())


@given(PLAIN, PLAIN)
def test_agreement_is_mutual(one: str, other: str) -> None:
    assert agrees(one, other) == agrees(other, one)


@given(PLAIN)
def test_a_negation_turns_everything_round(value: str) -> None:
    assert not contains(f"not {value}", value)


@given(st.text(max_size=200))
def test_any_text_has_words_and_clauses(text: str) -> None:
    assert all(words(clause) is not None for clause in clauses(text))


def test_a_part_is_given_in_the_claim_s_own_words() -> None:
    assert shown_part("Rotor 5 (west) with spares", "rotor 5 west") == "Rotor 5 (west"
    assert shown_part("Rotor 5 with spares", "ROTOR 5") == "Rotor 5"
    assert shown_part("Rotor 5.1", "rotor 5") is None


def test_a_statement_is_taken_apart_where_its_claims_part() -> None:
    assert clauses("There is a slim-check target, and it takes 40 seconds") == [
        "There is a slim-check target", "it takes 40 seconds",
    ]  # fmt: skip
    assert clauses("Run slim-check for quick tries") == ["Run slim-check", "quick tries"]
    assert clauses("It passes in under two minutes") == ["It passes", "in under two minutes"]


@pytest.mark.parametrize(
    ("clause", "backed"),
    [
        ("There is a slim-check target", True), ("it takes 40 seconds", False), ("slim-check runs 300 tests", False),
        ("slim-check never fails", False), ("it is quick", False), ("Run slim-check before all.sh", False),
    ],
)  # fmt: skip
def test_a_clause_is_shown_by_the_terms_it_names(clause: str, backed: bool) -> None:
    assert is_shown(clause, "slim-check: lint\n\tpytest -q\n") is backed


HOSTILE = [
    "a " * 32_000,
    " " * 65_000,
    "a-" * 32_000,
    "1:1" * 21_000,
    "not " * 16_000,
    "\t\n" * 32_000,
    "and " * 16_000,
    "x" * 65_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_of_the_largest_size_is_compared_in_time(text: str) -> None:
    began = time.monotonic()
    contains(text, "a " * 16_000)
    agrees(text, text)
    [is_shown(part, text) for part in clauses(text)[:5]]
    shown_part(text, text[:4_000])
    assert time.monotonic() - began < 30  # quadratic would take an hour


@pytest.mark.parametrize(
    ("statement", "more"),
    [
        ("The ward is north", False), ("ward: north", False), ("Our night shift's ward is the north one", True),
        ("The visiting nurse ward is north", False), ("The ward is north with free meals", True),
        ("The ward is north and south", True), ("Nobody pays where the ward is north", True), ("All 7 wards are north", True),
        ("Free meals for everybody at this ward: north", True), ("Never was the ward north", True), ("Meals are free", True),
    ],
)  # fmt: skip
def test_a_statement_says_more_than_its_value_where_it_adds_words(statement: str, more: bool) -> None:
    assert says_more(statement, "north", "ward") is more


@pytest.mark.parametrize(
    ("clause", "part"),
    [
        ("There is a slim-check target", "There is a slim-check target"), ("Run slim-check", "Run slim-check"),
        ("slim-check deploys without a review", ""), ("slim-check wipes the volume", "slim-check: there"),
        ("lint", "lint"), ("it takes an hour", ""),
    ],
)  # fmt: skip
def test_of_a_clause_that_says_more_only_that_the_thing_is_there_is_shown(clause: str, part: str) -> None:
    assert backed_part(clause, "slim-check: lint\n\tpytest -q\n") == part
