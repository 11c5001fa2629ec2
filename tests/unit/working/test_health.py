"""A condition tied to a person is health data; its name alone is not (R12)."""

import pytest

from memoryhub.working.health import find_health
from memoryhub.working.patterns import Scan


@pytest.mark.parametrize(
    "text",
    [
        "I have asthma.",
        "I was diagnosed with type 2 diabetes last year.",
        "I'm allergic to penicillin.",
        "My sister is pregnant.",
        "My psychiatrist moved my slot.",
        "I take 20 mg of statins in the morning.",
        "He suffers from migraines.",
        "My blood pressure is 130 over 80.",
        "I am seeing a therapist.",
        "The doctor prescribed me antibiotics.",
        "im a wheelchair user",
        "We are wheelchair users, so please no stairs.",
        "I use a walking frame, so a lift is a must",
        "shes in a wheelchair since May",
    ],
)
def test_a_health_statement_is_found(text):
    assert list(find_health(Scan(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Our asthma campaign page is down.",
        "I have a problem with my order.",
        "The health check of the server fails.",
        "I am vegetarian.",
        "The word cancer appears twice in the report.",
        "My prescription glasses order is late.",
        "I am open to ideas.",
        "The build is broken again.",
        "The site is wheelchair accessible.",
        "The walking stick in the lobby belongs to nobody.",
    ],
)
def test_other_uses_of_the_words_pass(text):
    assert not list(find_health(Scan(text)))
