"""Why an item waits, in words; the number is in the details (R16, R92)."""

import pytest

from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.why_here import sureness, why
from memoryhub.models import Entry, Provenance, ReviewItem
from memoryhub.vocabulary import Channel, Role


def item(confidence: float, *, role: str = Role.CUSTOMER, channel: str = Channel.USER_MESSAGE) -> ReviewItem:
    entry = Entry(confidence=confidence)
    entry.provenance = Provenance(role=role, channel=channel)
    return ReviewItem(entry=entry, why="Not certain enough to keep without a person.")


@pytest.mark.parametrize(
    ("confidence", "sure", "detail"),
    [
        (0.9, "high", "0.80 or more"), (0.8, "high", "0.80 or more"), (0.62, "medium", "between 0.30 and 0.80"),
        (0.5, "medium", "between"), (0.4, "low", "between"), (0.2, "low", "less than 0.30"),
    ],
)  # fmt: skip
def test_the_sentence_says_how_sure_and_the_details_the_number(confidence: float, sure: str, detail: str) -> None:
    told = why(item(confidence), policy=SHIPPED)
    assert (told.sure, sureness(confidence, policy=SHIPPED)) == (sure, sure)
    assert told.words == "Self-reported. Not certain enough to keep without a person."
    assert detail in told.detail
    assert f"{confidence:.2f}" not in told.words


@pytest.mark.parametrize(
    ("role", "channel", "words"),
    [
        (Role.AGENT, Channel.AGENT_INFERENCE, "Inferred by the agent"), (Role.AGENT, Channel.EMAIL, "Read in an e-mail"),
        (Role.DREAMER, Channel.DREAM, "Concluded from conversations"), (Role.OPERATOR, Channel.CURATOR, "Imported"),
    ],
)  # fmt: skip
def test_it_says_whose_word_it_is(role: str, channel: str, words: str) -> None:
    assert why(item(0.7, role=role, channel=channel), policy=SHIPPED).words.startswith(words)


def test_of_a_skill_only_the_reason_is_told() -> None:
    assert why(ReviewItem(why="It changes how the agent acts."), policy=SHIPPED).sure is None


def test_every_role_has_its_words() -> None:
    for role in Role:
        assert why(item(0.7, role=role, channel=Channel.CURATOR), policy=SHIPPED).words
