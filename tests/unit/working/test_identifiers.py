"""Which ids are refused: secrets by their shape, and nothing that systems call people and sessions by (R12)."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.identifiers import may_be_an_id

KEYS = [
    "sk-proj-4f9Qm2Lx8Tz0aa71", "AKIAZ3QX7PLM2K9TR4WD", "ghp_" + "k3V9" * 9, "mhk_" + "q7" * 20, "xoxb-2281-9931-abcdEFGH",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub3JhIn0.c2lnbmVk", "run-7 ghp_" + "k3V9" * 9, "\uff53\uff4b-proj-4f9Qm2Lx8Tz0aa71",
    "-----BEGIN OPENSSH PRIVATE KEY-----", "postgresql://hub:s3cr3t@db/hub", "password=harbour7", "api_key = 8812aa",
]  # fmt: skip
NUMBERS = [
    "5555555555554444", "4012 8888 8888 1881", "4012-8888-8888-1881", "371449635398431", "DE75512108001245126199",
    "gb33 bukb 2020 1555 5555 55", "acct NL91ABNA0417164300",
]  # fmt: skip
FINE = [
    "nora@example.org", "+44 20 7946 0123", "+4915112345678", "020 7946 0123", "team/2", "cust-42", "Ümit", "客户-7", "7",
    "reset-password-7", "forgot-password:abc123", "token-refresh-2026-10-12", "session=ab12cd34ef56ab78", "sid=ab12cd34ef56",
    "arn:aws:iam::123456789012:user/nora", "urn:uuid:0192f1c2-3a4b-7cde-8f01-23456789abcd", "customer-4012888888881881",
    "<CAF+x.y-z@mail.example.org>", "https://crm.example/customers/12", "U02ABCDEF", "msg_01XFDUDYJgAACzvnptvVoYEL",
    "01J9ZQ8YV3K5T7W2N4M6P8R0SA", "4012888888881882", "658792015909226958", "order 10515", "secret santa 2026",
]  # fmt: skip


@pytest.mark.parametrize("text", [*KEYS, *NUMBERS])
def test_a_key_a_card_or_an_account_is_no_id(text: str) -> None:
    assert not may_be_an_id(text)


@pytest.mark.parametrize("text", FINE)
def test_what_people_and_sessions_are_called_by_is_one(text: str) -> None:
    assert may_be_an_id(text)


@given(st.uuids(), st.sampled_from([str, lambda one: one.hex, lambda one: f"s-{one}", lambda one: one.hex * 2]))
def test_what_is_random_is_one(one: uuid.UUID, spelt) -> None:
    assert may_be_an_id(spelt(one))


@given(st.integers(min_value=0, max_value=10**12))
def test_a_number_shorter_than_a_card_s_is_one(number: int) -> None:
    assert may_be_an_id(str(number))
