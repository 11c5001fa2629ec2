"""What may a person type on a page? Each form says its own faults in words that help."""

from typing import Any

from django import forms

from curation.plain_form import PlainForm
from memoryhub import conf
from memoryhub.dreams import schedules
from memoryhub.models import Schedule
from memoryhub.vocabulary import Density

#: Why a curator says no: chosen from a list, so that declines can be counted; words may be added.
REJECT_REASONS = (
    "It is not true",
    "Nothing shows that it is true",
    "It matters only for the moment",
    "It is too personal to keep",
    "It is about somebody else",
    "It is known already",
    "It could do harm if an agent acted on it",
)
FORGET_WORD = "forget"
MAX_STATEMENT = 2000  # characters; one statement in a person's own words


class ReasonForm(PlainForm):
    """A reason from a list, in own words, or both; the list is the form's own."""

    canned = forms.ChoiceField(choices=[("", "")], required=False)
    text = forms.CharField(
        max_length=300, required=False, strip=True, widget=forms.Textarea(attrs={"class": "input", "rows": 2})
    )

    def clean(self) -> dict[str, str]:
        given = super().clean() or {}
        if not given.get("canned") and not given.get("text") and not self.errors:
            self.add_error("canned", "Choose a reason, or say it in your own words.")
        return given

    @property
    def reason(self) -> str:
        """What is kept with what was done."""
        return ": ".join(part for part in (self.cleaned_data["canned"], self.cleaned_data["text"]) if part)


class RejectForm(ReasonForm):
    """Why a curator says no."""

    canned = forms.ChoiceField(
        choices=[("", "Choose a reason"), *((reason, reason) for reason in REJECT_REASONS)],
        required=False,
        widget=forms.Select(attrs={"class": "input"}),
    )


class EditForm(PlainForm):
    """The claim or the SKILL.md as the curator wants it."""

    text = forms.CharField(
        strip=True,
        max_length=conf.MAX_TEXT_BYTES,
        error_messages={"required": "Write down what should be kept."},
        widget=forms.Textarea(attrs={"class": "input", "rows": 4}),
    )


class PreferencesForm(PlainForm):
    """How somebody likes to work."""

    density = forms.ChoiceField(choices=Density)
    shortcuts = forms.BooleanField(required=False)


class DigestForm(PlainForm):
    """When somebody wants to be written to."""

    digest_at = forms.TimeField(
        required=False, input_formats=["%H:%M"], error_messages={"invalid": "A time such as 08:00, or nothing."},
        widget=forms.TimeInput(format="%H:%M", attrs={"class": "input", "type": "time"}),
    )  # fmt: skip
    digest_late = forms.BooleanField(required=False)


class StatementForm(PlainForm):
    """A person's own words: how it really is, or what is wrong with it."""

    text = forms.CharField(
        strip=True,
        max_length=MAX_STATEMENT,
        error_messages={
            "required": "Write a sentence first.",
            "max_length": f"Keep it within {MAX_STATEMENT} characters.",
        },
        widget=forms.Textarea(attrs={"class": "input", "rows": 2}),
    )


class PauseForm(PlainForm):
    """Stop or go on; while stopped, may what is known still be used?"""

    paused = forms.TypedChoiceField(choices=[("yes", "yes"), ("no", "no")], coerce=lambda word: word == "yes")
    use_existing = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)

    def clean_use_existing(self) -> bool:
        return str(self.cleaned_data["use_existing"]) != "no"


class ForgetEverythingForm(PlainForm):
    """A word to type, and whether it happens later, so that one may change one's mind, or now, which can't be taken
    back."""

    when = forms.ChoiceField(choices=[("later", "later"), ("now", "now")], required=False)
    word = forms.CharField(required=False, widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}))

    def clean_when(self) -> str:
        return str(self.cleaned_data["when"]) or "later"

    def clean_word(self) -> str:
        word = str(self.cleaned_data["word"]).strip().lower()
        if word != FORGET_WORD:
            raise forms.ValidationError(f"Type the word “{FORGET_WORD}” to go on. Nothing was removed.")
        return word


class TimesForm(PlainForm):
    """When dreams and housekeeping begin by themselves; what is left empty is off."""

    dream_at = forms.TimeField(
        required=False, widget=forms.TimeInput(attrs={"class": "input", "type": "time"}, format="%H:%M"),
        error_messages={"invalid": "A time of day, like 02:30."},
    )  # fmt: skip
    dream_every_hours = forms.IntegerField(
        required=False, min_value=1, max_value=schedules.MOST_HOURS,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
    )  # fmt: skip
    dream_idle_minutes = forms.IntegerField(
        required=False, min_value=1, max_value=schedules.MOST_IDLE,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
    )  # fmt: skip
    chores_at = forms.TimeField(
        required=False, widget=forms.TimeInput(attrs={"class": "input", "type": "time"}, format="%H:%M"),
        error_messages={"invalid": "A time of day, like 04:00."},
    )  # fmt: skip

    @property
    def labelled(self) -> list[tuple[forms.BoundField, str]]:
        """Each field with what it is called."""
        names = {
            "dream_at": "A dream every night at", "dream_every_hours": "… or every so many hours",
            "dream_idle_minutes": "A dream when no turn came in for so many minutes",
            "chores_at": "Housekeeping every day at",
        }  # fmt: skip
        return [(self[name], label) for name, label in names.items()]

    @classmethod
    def of(cls, schedule: Schedule | None) -> "TimesForm":
        """The form as it is set now."""
        return cls(initial={name: getattr(schedule, name) for name in cls.base_fields} if schedule else None)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("dream_at") and given.get("dream_every_hours"):
            self.add_error("dream_every_hours", "Either a time of day or a rhythm, not both.")
        return given

    @property
    def times(self) -> dict[str, Any]:
        """What is set, as the verb takes it."""
        return {name: self.cleaned_data[name] for name in self.base_fields}
