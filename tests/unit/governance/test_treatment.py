"""The policy says per family of sensitive data whether a statement is kept, queued, cleaned or refused (R12)."""

import pytest

from memoryhub.governance.screening import screen
from memoryhub.governance.treatment import SHIPPED
from memoryhub.vocabulary import Channel, Reason, Role, SensitiveData, Treatment

MESSAGE = {"channel": Channel.USER_MESSAGE, "role": Role.CUSTOMER}

#: family → (a statement with something beside it, what stands for the value, the value alone, the exact words)
STATEMENTS = {
    SensitiveData.SECRET: (
        "The nightly export logs in with walrus77 as its password and mails a report.", "My password is walrus77.", "walrus77",
    ),
    SensitiveData.PAYMENT: (
        "We order flour weekly and pay with 4111 1111 1111 1111 at the counter.", "My card is 4111 1111 1111 1111.", "4111",
    ),
    SensitiveData.GOVERNMENT_ID: (
        "The border office in Graz keeps passport L8923471 until Monday.", "My passport number is L8923471.", "L8923471",
    ),
    SensitiveData.HEALTH: (
        "I have asthma and always prefer window seats in trains.", "I have asthma.", "asthma",
    ),
    SensitiveData.CONTACT: (
        "Please always ring me on +47 22 12 34 56 before the courier leaves.", "My number is +47 22 12 34 56.", "+47 22",
    ),
    SensitiveData.PERSONAL: (
        "I was born on 3 May 1984 and moved north with my books afterwards.", "My date of birth is 3 May 1984.", "1984",
    ),
    SensitiveData.THIRD_PARTY: (
        "Please always ring my uncle on +47 22 12 34 56 before the courier leaves.", "My uncle's number is +47 22 12 34 56.",
        "+47 22",
    ),
}  # fmt: skip


def _under(family: SensitiveData, treatment: Treatment) -> dict[SensitiveData, Treatment]:
    return {**dict.fromkeys(SensitiveData, Treatment.KEEP), family: treatment}


def test_every_family_has_a_shipped_treatment():
    assert set(SHIPPED) == set(SensitiveData)
    assert SHIPPED[SensitiveData.SECRET] == Treatment.REDACT


@pytest.mark.parametrize("family", SensitiveData)
def test_refused_means_the_sentence_is_not_kept(family):
    beside, alone, value = STATEMENTS[family]
    for text in (beside, alone):
        told = screen(f"{text} I like figs.", treatments=_under(family, Treatment.REFUSE), **MESSAGE)
        assert (told.outcome, told.text) == ("refuse", "I like figs.")
        assert any(value in refused or refused in text for refused in told.refused_values)


@pytest.mark.parametrize("family", SensitiveData)
def test_redacted_means_the_words_are_taken_out_and_a_bare_value_is_refused(family):
    beside, alone, value = STATEMENTS[family]
    told = screen(beside, treatments=_under(family, Treatment.REDACT), **MESSAGE)
    assert (told.outcome, told.redacted) == ("pass", True)
    assert value not in told.text
    assert "removed]" in told.text
    assert screen(alone, treatments=_under(family, Treatment.REDACT), **MESSAGE).outcome == "refuse"


@pytest.mark.parametrize("family", [family for family in SensitiveData if family != SensitiveData.SECRET])
def test_queued_means_a_person_decides_about_the_whole_statement(family):
    beside, _, value = STATEMENTS[family]
    told = screen(beside, treatments=_under(family, Treatment.QUEUE), **MESSAGE)
    expected = Reason.MENTIONS_OTHER if family == SensitiveData.THIRD_PARTY else Reason.PERSONAL_DATA
    assert (told.outcome, told.reason) == ("queue", expected)
    assert value in told.text


@pytest.mark.parametrize("family", [family for family in SensitiveData if family != SensitiveData.SECRET])
def test_kept_means_nothing_is_done(family):
    beside, _, value = STATEMENTS[family]
    told = screen(beside, treatments=dict.fromkeys(SensitiveData, Treatment.KEEP), **MESSAGE)
    assert (told.outcome, told.redacted) == ("pass", False)
    assert value in told.text


@pytest.mark.parametrize("treatment", Treatment)
def test_no_policy_lets_a_secret_stand(treatment):
    told = screen(STATEMENTS[SensitiveData.SECRET][0], treatments=_under(SensitiveData.SECRET, treatment), **MESSAGE)
    assert "walrus77" not in told.text


def test_a_mild_word_about_others_does_not_soften_what_health_is():
    mild = {**SHIPPED, SensitiveData.THIRD_PARTY: Treatment.KEEP}
    assert screen("My uncle has asthma.", treatments=mild, **MESSAGE).outcome == "refuse"
    strict = {**SHIPPED, SensitiveData.HEALTH: Treatment.KEEP}
    assert screen("My uncle has asthma.", treatments=strict, **MESSAGE).reason == Reason.THIRD_PARTY


def test_a_sentence_full_of_secrets_keeps_none():
    text = (
        "The hosts use "
        + " and ".join(f"password: walrus{number}" for number in range(400))
        + " for their nightly job."
    )
    assert "walrus" not in screen(text, **MESSAGE).text
