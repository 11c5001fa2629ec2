"""What may staff type about a memory? Each form says its own faults in words that help."""

from datetime import datetime, time, tzinfo

from django import forms

from curation.forms import MAX_STATEMENT
from curation.plain_form import PlainForm

MAX_REASON = 500  # characters of what is wrong with a memory, as POST /memories/{id}/dispute takes it


class CorrectForm(PlainForm):
    """The statement as it really is."""

    text = forms.CharField(
        strip=True, max_length=MAX_STATEMENT,
        error_messages={
            "required": "Write the statement as it really is.",
            "max_length": f"Keep it within {MAX_STATEMENT} characters: one statement.",
        },
    )  # fmt: skip


class DisputeForm(PlainForm):
    """What is wrong with it."""

    reason = forms.CharField(
        strip=True, max_length=MAX_REASON,
        error_messages={
            "required": "Say what is wrong, in a few words.",
            "max_length": f"Keep it within {MAX_REASON} characters.",
        },
    )  # fmt: skip


class ReviewByForm(PlainForm):
    """The day by which somebody has to look again."""

    day = forms.DateField(error_messages={"required": "Choose a day.", "invalid": "A day, like 2027-03-31."})

    def moment(self, zone: tzinfo) -> datetime:
        """The end of that day, in the visitor's zone."""
        return datetime.combine(self.cleaned_data["day"], time(23, 59), tzinfo=zone)


class TypedForm(PlainForm):
    """A word or an id to type: what it does can't be taken back."""

    typed = forms.CharField(required=False, strip=True)

    def __init__(self, *args: object, wanted: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django takes them
        self.wanted = wanted

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"])
        if typed.casefold() != self.wanted.casefold():
            raise forms.ValidationError(f"Type “{self.wanted}” to go on. Nothing was erased.")
        return typed
