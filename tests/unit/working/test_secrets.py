"""Secrets are known by their vendor's shape, by structure, or by the prose that names them (R12)."""

import pytest

from memoryhub.working.patterns import Scan
from memoryhub.working.secrets import find_secrets


def caught(text: str) -> set[str]:
    return {text[start:end] for start, end, _ in find_secrets(Scan(text))}


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("our key mhk_live_Zx81kQpLmN47RtYw92BvCs is new", "mhk_live_Zx81kQpLmN47RtYw92BvCs"),
        ("use ghp_Qz7LmPx21RtVbN84KsWdYc63HjFg90TaEoUi please", "ghp_Qz7LmPx21RtVbN84KsWdYc63HjFg90TaEoUi"),
        ("set it to sk_live_9aB8cD7eF6gH5iJ4", "sk_live_9aB8cD7eF6gH5iJ4"),
        ("AKIAQ2W4E6R8T0Y1U3I5 works", "AKIAQ2W4E6R8T0Y1U3I5"),
        ("mongodb+srv://writer:gr4nite-Fox@cluster.test/app", "gr4nite-Fox"),
        ("curl -H 'Authorization: Bearer 7f3kd92mslq0vbn4xz81'", "7f3kd92mslq0vbn4xz81"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIn0.c2lnbmF0dXJl", "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIn0.c2lnbmF0dXJl"),
        ("DB_PASSWORD=moss-Lantern-31", "moss-Lantern-31"),
        ('{"client_secret": "pebble9drift"}', "pebble9drift"),
        ("My password is walrus77.", "walrus77"),
        ("the wifi password for the loft is now Juniper_Sky", "Juniper_Sky"),
        ("password: Tulip", "Tulip"),
        ("my password is purple giraffe riding home", "purple giraffe riding home"),
        ("My PIN is 7305", "7305"),
        ("Kai (password is wren-41)", "wren-41"),
        ("{kind}: the password is Wren41", "Wren41"),
        ("the_password_is_Wren41x", "Wren41x"),
        ("turn-password-is-wren41", "wren41"),
        ("the password\nis\nwren41", "wren41"),
        ("the password's Wren41", "Wren41"),
        ("password → wren41", "wren41"),
        ("our password was changed to wren41", "wren41"),
        ("PW = wren41", "wren41"),
        ("My pass is wren41x", "wren41x"),
        ("wren41x is the office password", "wren41x"),
        ("it takes wren41x as its api key", "wren41x"),
        ("passcode 83014", "83014"),
        ("sk-proj-moss9drift", "sk-proj-moss9drift"),
        ("e-sk-proj-Moss9drift7", "sk-proj-Moss9drift7"),
        ("the alarm code is 94 17 02", "94 17 02"),
        ("code for the garage: 5519#", "5519#"),
        ("The shed unlocks with 60718", "60718"),
        ("the API key is q8W2e4R6t0Y1u3", "q8W2e4R6t0Y1u3"),
        ("the portal login is Brisk-Otter9", "Brisk-Otter9"),
        ("token: zz7-QWERqwer1234QWERqwer1234", "zz7-QWERqwer1234QWERqwer1234"),
    ],
)  # fmt: skip
def test_a_secret_is_caught_whole(text, secret):
    assert any(secret in found for found in caught(text))


def test_a_key_block_is_caught_to_its_end_even_where_the_end_is_missing():
    block = "-----BEGIN OPENSSH PRIVATE KEY-----\nc29tZWtleQ==\n-----END OPENSSH PRIVATE KEY-----"
    assert block in caught(f"here: {block} thanks")
    assert "c29tZWtleQ==" in "".join(caught("-----BEGIN RSA PRIVATE KEY-----\nc29tZWtleQ=="))


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password.",
        "My password is too short for the new rule.",
        "The password is managed by our IT team.",
        "Is the password still required?",
        "The key is under the mat.",
        "Error code 4410 came up again.",
        "The gate opens at 0730 on weekdays.",
        "Our postal code is 4021.",
        "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed it.",
        "The request id was 1b4e28ba-2fa1-11d2-883f-0016d3cca427.",
        "The idempotency key: order-2026-11-02-0007",
        "We spent 1200 tokens on it.",
        "PASSWORD=$DB_PASSWORD",
        "Use code SPRING for the discount",
        "secret santa is on Friday",
        "The PIN pad in hall 4 is broken",
        "reset_password_v2 asks for the user's email2",
        "Room2b is a secret garden",
        "My boarding pass is B12345x",
        "The password was changed on 2026-02-03",
        "sk-proj-",
        "task-proj-alpha99",
    ],
)
def test_what_only_speaks_of_secrets_passes(text):
    assert caught(text) == set()
