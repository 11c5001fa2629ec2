"""Who asks that nothing be kept is heard, however it is said; who speaks of keeping other things is not (R12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.governance.off_the_record import is_off_the_record

ASKED = [
    "Off the record: the merger is on.",
    "Between us, I am leaving in spring.",
    "Please don't save this: I met the founder.",
    "I'd rather you didn't remember what follows.",
    "Forget what I just told you about the lease.",
    "There's no need to store it.",
    "This should not be recorded.",
    "Leave no trace of it.",
    "Keep this out of my profile.",
    "Confidential: the bid is low.",
    "You needn't note this.",
    "Bitte speichere das nicht.",
    "Ne notez pas cela.",
    "No guardes esto, por favor.",
    "Non salvare questo.",
    "Nie zapisuj tego.",
    "Не записывай это.",
    "请勿记录。",
    "これは保存しないで。",
]
NOT_ASKED = [
    "Don't put this in the shed.",
    "The fence is between us and the mill.",
    "I never keep that for long.",
    "We save every invoice as a PDF.",
    "I forget names easily.",
    "I keep a record of my runs.",
    "The tram runs between our house and the port.",
    "Unter uns wohnt eine Geigerin.",
    "I like unsalted butter.",
]


@pytest.mark.parametrize("words", ASKED)
def test_asking_not_to_keep_it_is_heard(words):
    assert is_off_the_record(words)


@pytest.mark.parametrize("words", NOT_ASKED)
def test_keeping_things_is_no_such_wish(words):
    assert not is_off_the_record(words)


@given(
    asked=st.sampled_from(ASKED[:4]), before=st.integers(0, 400), after=st.integers(0, 400), loud=st.booleans()
)  # long enough that only places around words are searched
def test_wherever_it_stands_in_a_text(asked, before, after, loud):
    words = asked.upper() if loud else asked
    assert is_off_the_record(f"{'I like figs. ' * before}{words}{' I like figs.' * after}")
