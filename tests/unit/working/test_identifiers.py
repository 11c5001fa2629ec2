"""Which ids are refused: secrets by their shape, and nothing that systems call people and sessions by (R12)."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.identifiers import hides_something, may_be_an_id

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


UNSEEN = [
    "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u061c", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff",
    "\u00ad", "\u034f", "\u3164", "\u2028", "\u2029", "\ufe0f", "\U000e0041", "\U000e0100", "\ufff9", "\u180e",
]  # fmt: skip
SEEN = [
    "\u0646\u0631\u0645\u200c\u0627\u0641\u0632\u0627\u0631", "\u0915\u094d\u200d\u0937", "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "\U0001f469\u200d\U0001f33e", "\U0001f469\U0001f3fd\u200d\U0001f33e", "\u2764\ufe0f", "e\u0301lan", "\u0645\u0631\u064a\u0645", "\u0600\u0661\u0662",
]  # fmt: skip


@pytest.mark.parametrize("unseen", UNSEEN)
@given(
    before=st.sampled_from(["", "nora", "\u041d\u043e\u0440\u0430", "7"]),
    after=st.sampled_from(["", "nora", "\u00fcmit", "-7"]),
)
def test_what_nobody_sees_makes_no_other_id(unseen: str, before: str, after: str) -> None:
    assert hides_something(before + unseen + after)


@pytest.mark.parametrize("text", [*SEEN, *FINE])
def test_what_a_script_or_an_emoji_is_written_with_hides_nothing(text: str) -> None:
    assert not hides_something(text)
    assert not hides_something(f"cust-{text}-7")


@given(st.text(st.characters(codec="ascii")))
def test_ascii_hides_nothing_here(text: str) -> None:
    assert not hides_something(text)
