"""No sentence of Django stands on a page where ours would say what to do."""

import re

import pytest
from django import forms
from django.utils.datastructures import MultiValueDict

from curation.agent_forms import SignalForms
from curation.plain_form import PlainForm


class Every(PlainForm):
    """A field of each kind, and one with words of its own."""

    words = forms.CharField(max_length=5)
    choice = forms.ChoiceField(choices=[("a", "A")], required=False)
    several = forms.MultipleChoiceField(choices=[("a", "A")], required=False)
    whole = forms.IntegerField(min_value=1, max_value=9, required=False)
    number = forms.FloatField(required=False)
    day = forms.DateField(required=False)
    time = forms.TimeField(required=False)
    moment = forms.DateTimeField(required=False)
    id = forms.UUIDField(required=False)
    own = forms.CharField(max_length=5, required=False, error_messages={"max_length": "Too long for a name."})


@pytest.mark.parametrize(
    ("name", "typed", "told"),
    [
        ("words", "", "Fill this in."),
        ("words", "letters", "Keep it within 5 characters; there are 7."),
        ("words", "a\x00b", "There is a character in it that can't be kept. Type it anew."),
        ("choice", "b", "Choose one of those that are offered."),
        ("several", "b", "Choose one of those that are offered."),
        ("whole", "0", "At least 1."),
        ("whole", "10", "At most 9."),
        ("whole", "1.5", "Write a whole number."),
        ("number", "much", "Write a number."),
        ("day", "soon", "Write a day, like 2027-01-31."),
        ("time", "soon", "Write a time of day, like 09:00."),
        ("moment", "soon", "Write a day and a time, like 2027-01-31 09:00."),
        ("id", "soon", "That is no id."),
        ("own", "letters", "Too long for a name."),
    ],
)
def test_a_fault_is_told_in_plain_words(name: str, typed: str, told: str) -> None:
    form = Every(MultiValueDict({"words": ["fine"], name: [typed]}))
    assert list(form.errors[name]) == [told]
    assert not re.search(r"Ensure|Select a valid|Enter a", told)


def test_a_page_that_was_not_sent_whole_says_so() -> None:
    forms_ = SignalForms({}, prefix="signals")
    assert not forms_.is_valid()
    assert forms_.non_form_errors() == [
        "The page was not sent whole, so nothing was changed. Reload it and send it again."
    ]
