"""Which findings count as the same one? (R73)"""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.dreams.masking import ids_in, key, mask, says_something, without_ids


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ("Parcel 70231 left the depot", "Parcel N left the depot"),
        ("no free berth on ferry KX204", "no free berth on ferry N"),
        ("INV-2231 was paid", "N was paid"),
        ("coupon spring_sale_2026 has ended", "coupon N has ended"),
        ("total is $1,204.50, paid €1.200", "total is N, paid N"),
        ("balance is -12.40 EUR", "balance is N"),
        ("only 15 % left", "only N left"),
        ("ship it by 2026-03-01T08:15:00+02:00", "ship it by N"),
        ("ship it by 1 March 2026", "ship it by N"),
        ("ship it by March 1st, 2026", "ship it by N"),
        ("closed until Tue, 3 March", "closed until N"),
        ("slot at 08:15 AM is taken", "slot at N is taken"),
        ("page=17 does not exist", "page=N does not exist"),
        ("(4711) is no account", "(N) is no account"),
        ("number #88 is unknown", "number N is unknown"),
        ("rows 3, 4 and 9 are wrong", "rows N are wrong"),
        ("between 3 and 5 days", "between N days"),
        ("id 6f1e2d3c-0b1a-4c5d-8e9f-001122334455 is unknown", "id N is unknown"),
        ("注文10515は発送済み", "注文N は発送済み".replace(" ", "")),
        ("route ٣٤ is closed", "route N is closed"),
        ("cerrado hasta el 3 de mayo de 2026", "cerrado hasta el N"),
        ("zu bis 3. Mai 2026", "zu bis N"),
        ("fermé jusqu'au 14 juillet", "fermé jusqu'au N"),
        ("2026年5月3日まで", "Nまで"),
        ("closed until Mon, 03 May 2026 10:00:00 GMT", "closed until N"),
        ("closed until 3-May-2026", "closed until N"),
        ("closed until the 3rd of May", "closed until the N"),
        ("closed from 3 to 5 May 2026", "closed from N"),
        ("closed 3 May - 5 June", "closed N"),
        ("closed until May '26", "closed until N"),
        ("closed until 2026-W18-4", "closed until N"),
        ("open from 10 o'clock", "open from N"),
        ("price is CHF 1'200.50", "price is N"),
        ("price is 500 kr", "price is N"),
        ("½ of it is left", "N of it is left"),
        ("only two berths left", "only N berths left"),
        ("no room for twenty-one people", "no room for N people"),
    ],
)
def test_numbers_amounts_dates_and_ids_are_masked(value: str, masked: str) -> None:
    assert mask(value) == masked


@pytest.mark.parametrize(
    "value",
    [
        "Maria Oliveira is not on the list",
        "the north gate is locked",
        "cust-alpha has no contract",
        "you may not enter",
        "https://reports.example/archive is blocked",
        "4ducks.org is blocked",
        "May Parker is not on the list",
        "Mars is no stop of this line",
        "August Lind has no contract",
        "Seven Oaks Ltd is blocked",
        "two-factor login failed",
        "no one answered",
        "Louis XIV is no customer",
        "closed on Fridays",
    ],
)
def test_names_and_words_are_not_masked(value: str) -> None:
    assert mask(value) == value


def test_two_web_sites_are_two_findings() -> None:
    assert key("page of 4ducks.org was dropped") != key("page of 9geese.org was dropped")


def test_two_people_are_two_findings() -> None:
    assert key("Maria may not sign 12 orders") != key("Joana may not sign 12 orders")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Parcel 70231 left the depot.", "parcel 9 left  the depot"),
        ("Only 1 berth left", "Only 12 berths left"),
        ("Rows 3, 4 and 9 are wrong", "Row 12 is wrong"),
        ("1 entry is missing", "14 entries are missing"),
        ("balance is -5 USD", "balance is +$12.00"),
        ("balance is −5", "balance is 17"),
        ("due on 3 May 2026", "due on 2026-07-04"),
        ("Ferry KX204 is full", "Ferry B7 is full"),
        ("costs €5", "costs 17 euros"),
        ("closed until the 3rd of May", "closed until 2027-01-09"),
        ("only two berths left", "Only 1 berth left"),
        ("zu bis 3. Mai 2026", "zu bis 24.12.2026"),
    ],
)
def test_spelling_sign_currency_and_plural_make_no_new_finding(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("order 5 is shipped", "order 5 is not shipped"),
        ("no berth on ferry KX204", "no berth on train KX204"),
        ("limit of 5 reached", "limit of 5 changed"),
    ],
)
def test_other_words_are_another_finding(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize("value", ["", "17", "N", "INV-2231", "3 of 5"])
def test_a_bare_number_says_nothing(value: str) -> None:
    assert not says_something(value)


def test_an_id_without_a_digit_is_known_from_the_arguments_it_was_given_as() -> None:
    actions = [
        {"tool": "move", "arguments": {"booking_id": "QWXKLM", "guest_name": "Maria", "rooms": [{"id": "x"}]}},
        {"tool": "move", "arguments": {"seatIds": ["ABCDEF"], "reference": "a sentence, no id"}},
        {"tool": "move", "arguments": {"ref": "refund"}},
        {"tool": "move", "arguments": {"trip": {"legs": [{"legId": "ZZYYXX", "city": "FARO"}]}}},
        {"tool": "move", "arguments": None},
        "no action",
    ]
    ids = ids_in(actions)
    assert ids == {"QWXKLM", "ABCDEF", "ZZYYXX"}
    assert mask(without_ids("QWXKLM of Maria can't move to ABCDEF", ids)) == "N of Maria can't move to N"
    assert without_ids("QWXKLMS is no booking", ids) == "QWXKLMS is no booking"


@given(st.text(string.ascii_letters + string.digits + " -_.,:/$€%()'#+\n", max_size=120))
def test_no_digit_outside_a_host_name_survives(value: str) -> None:
    words = mask(value).split()
    assert not any(character.isdigit() for word in words for character in word if "." not in word and "/" not in word)


@given(st.text(max_size=80), st.integers(0, 10**9), st.integers(0, 10**9))
def test_masking_twice_changes_nothing_and_numbers_never_matter(words: str, one: int, other: int) -> None:
    assert mask(mask(words)) == mask(words)
    assert key(f"case {one} closed") == key(f"case {other} closed")
