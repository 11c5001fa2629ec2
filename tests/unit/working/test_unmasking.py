"""A word that names a secret is known in any spelling, and nothing moves in the text (R12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.redaction import redact
from memoryhub.working.unmasking import unmasked


@given(st.text(max_size=200))
def test_every_character_stays_where_it_stood(text):
    assert len(unmasked(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "My pаsswоrd is Mole-Hill-4",
        "my p@$$w0rd: Mole-Hill-4",
        "p.a.s.s.w.o.r.d = Mole-Hill-4",
        "her_password_is_Mole-Hill-4",
        "password (keep it to yourself) => Mole-Hill-4",
        "Password? Mole-Hill-4.",
        "My password used to be Mole-Hill-4.",
        "Is my password still Mole-Hill-4?",
        "My password is the following:\n\nMole-Hill-4",
        "My password isn't Fox1, it's Mole-Hill-4.",
    ],
)
def test_the_password_after_it_is_taken_out(text):
    assert "Mole" not in redact(text).text
