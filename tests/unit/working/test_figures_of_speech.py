"""An idiom is no illness, and an illness no idiom (R12)."""

import pytest

from memoryhub.working.health import find_health
from memoryhub.working.patterns import Scan

IDIOMS = [
    "I'm allergic to bureaucracy.",
    "I'm allergic to long phone calls.",
    "I'm paralysed by too many options.",
    "The audit had a stroke of genius.",
    "The login button is disabled.",
    "Our test server is blind.",
    "My star sign is Cancer.",
    "My cancer charity calendar is full.",
    "My therapist cat sleeps on the keyboard.",
    "My depression glass bowls are green.",
]
ILLNESSES = [
    "I'm allergic to penicillin.",
    "I'm allergic to cats and dust.",
    "My father had a stroke.",
    "My son is disabled.",
    "She is blind.",
    "I have cancer.",
    "My therapist moved our sessions to Monday.",
    "I've an appointment at the fertility clinic.",
    "My uncle lives in a hospice.",
]


@pytest.mark.parametrize("words", IDIOMS)
def test_an_idiom_is_no_health_statement(words):
    assert not list(find_health(Scan(words)))


@pytest.mark.parametrize("words", ILLNESSES)
def test_an_illness_is(words):
    assert list(find_health(Scan(words)))
