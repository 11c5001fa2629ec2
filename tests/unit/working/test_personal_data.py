"""Numbers with a check digit are judged by it, bare ones by the words before them (R12)."""

import pytest

from memoryhub.working.patterns import Scan
from memoryhub.working.personal_data import find_personal_data


def kinds(text: str) -> set[str]:
    return {kind for _, _, kind, _ in find_personal_data(Scan(text))}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pay with 4111 1111 1111 1111 please", "card number"),
        ("amex 378282246310005", "card number"),
        ("my card number is 5105105105105106", "card number"),  # mistyped, but called a card
        ("cvv 731", "card security code"),
        ("it's DE89 3704 0044 0532 0130 00", "IBAN"),
        ("sort code 20-45-45, account 71234567", "bank details"),
        ("my bank account number is 000123456789", "bank details"),
        ("SSN 536-22-8145", "social security number"),
        ("my social security number is 536228145", "social security number"),
        ("Aadhaar 2345 6789 0124", "Aadhaar"),
        ("passport no. L8923471", "passport"),
        ("her driving licence is MORGA657054SM9IJ", "driving licence"),
        ("CPF 529.982.247-25", "CPF"),
        ("my national insurance number is QQ 12 34 56 C", "national insurance number"),
        ("DNI 12345678Z", "DNI"),
        ("write to ada.byron@example.org", "e-mail address"),
        ("ring +47 22 12 34 56", "phone number"),
        ("call me on 0171 555 0192", "phone number"),
        ("They don't pick up at 415-555-0132", "phone number"),
        ("date of birth: 3 March 1984", "date of birth"),
        ("born on 1984-03-03", "date of birth"),
    ],
)
def test_personal_data_is_named_by_its_kind(text, kind):
    assert kind in kinds(text)


def test_the_expiry_of_a_card_is_taken_with_the_card_only():
    assert "card expiry" in kinds("4111111111111111 exp 09/28")
    assert kinds("The voucher expires 09/28") == set()


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111112 left the depot",  # wrong check digit, and no card is meant
        "started at 1764547200005 and ended at 1764547200013",
        "parcel 2345 6789 0123 is lost",
        "invoice number 536228145",
        "part 536-22-814 and 22-7145",
        "the probe read 0.4111111111111111",
        "build 10.4.2.118 on 2026-11-02 14:05",
        "slots on 2026-11-02 10 to 12",
        "order 415-555-0132 is ready",
        "latencies of 190 410 1205 ms",
        "commit 7c4f4d1f5ddb93c9c14a1e6b372f82c6a08c9b17",
        "GB is short for gigabyte, and 12 of them fit",
        "the flight at 0900 carries 180 people",
        "my account number with you is 77123",
    ],
)
def test_other_numbers_pass(text):
    assert kinds(text) == set()
