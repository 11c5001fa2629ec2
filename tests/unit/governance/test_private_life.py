"""Another person's private life is refused, one's own is one's own, and work is work (R12)."""

import pytest

from memoryhub.governance.treatment import treat
from memoryhub.vocabulary import Channel, Reason


@pytest.mark.parametrize(
    "words",
    [
        "My landlord was convicted of theft.",
        "My colleague Ines is a Buddhist.",
        "My boss is gay.",
        "Our plumber is undocumented.",
        "My aunt makes 2,700 a month.",
        "My lodger is behind with the rent.",
        "My uncle has 40,000 in savings.",
        "Ring Ottilie on 020 7946 0911.",
        "My cousin lives in Alder 9, 8004 Brenn.",
    ],
)
def test_what_is_told_of_another_is_refused(words):
    assert treat(words, channel=Channel.USER_MESSAGE).refused == Reason.THIRD_PARTY


@pytest.mark.parametrize(
    "words",
    [
        "I am a Buddhist.",
        "I make 2,700 a month.",
        "The shop makes 2,700 loaves a week.",
        "My manager votes in the jury.",
    ],
)
def test_what_is_not_anothers_private_life_is_not(words):
    assert treat(words, channel=Channel.USER_MESSAGE).refused is None
