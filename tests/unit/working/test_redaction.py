"""What must not be kept is replaced, whole, and nothing of it is left (R12, R50)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.vocabulary import SensitiveData
from memoryhub.working.redaction import FAMILIES, Finding, find, redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("The password is walrus77, all lower case.", "The password is [secret removed], all lower case."),
        ("Card ４１１１ １１１１ １１１１ １１１１ please", "Card [payment detail removed] please"),
        ("Card 4111\u200b1111\u200b1111\u200b1111 please", "Card [payment detail removed] please"),
        ("passport L8923471 in hand", "passport [identity number removed] in hand"),
        ("Write to ada@example.org", "Write to [contact removed]"),
        ("nothing here", "nothing here"),
    ],
)
def test_marks_stand_where_the_values_stood(text, redacted):
    assert redact(text).text == redacted


def test_only_the_families_asked_for_are_removed():
    text = "Write to ada@example.org, password: walrus77"
    assert redact(text, families={SensitiveData.SECRET}).text == "Write to ada@example.org, password: [secret removed]"
    assert redact(text, families={SensitiveData.CONTACT}).text == "Write to [contact removed], password: walrus77"


def test_overlapping_findings_become_one_of_the_stricter_family():
    (finding,) = find("https://ops:4111111111111111@host.test/")
    assert finding.family == SensitiveData.SECRET


def test_a_finding_never_prints_its_value():
    assert "walrus" not in repr(find("my password is walrus77"))


@given(st.text(max_size=300))
def test_findings_are_ordered_apart_and_quote_the_original(text):
    end = 0
    for finding in find(text):
        assert isinstance(finding, Finding)
        assert finding.family in FAMILIES
        assert end <= finding.start < finding.end <= len(text)
        assert text[finding.start : finding.end] == finding.value
        end = finding.end


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=80))
def test_a_card_is_removed_whatever_surrounds_it(around):
    card = "4111 1111 1111 1111"
    assert card not in redact(f"{around} my card {card} {around}").text
