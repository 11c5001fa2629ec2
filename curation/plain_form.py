"""What does a form say where Django has only its own sentence? Which words a field takes, in the words of these pages.

A field that says something itself goes on saying that; only what Django would say is put in other words.
"""

from typing import Final

from django import forms

#: Fault of a field or its validators → the sentence.
_SENTENCES: Final = {
    "required": "Fill this in.",
    "max_length": "Keep it within %(limit_value)d characters; there are %(show_value)d.",
    "min_length": "Write at least %(limit_value)d characters.",
    "max_value": "At most %(limit_value)s.",
    "min_value": "At least %(limit_value)s.",
    "step_size": "In steps of %(limit_value)s.",
    "invalid_choice": "Choose one of those that are offered.",
    "invalid_list": "Choose from those that are offered.",
    "null_characters_not_allowed": "There is a character in it that can't be kept. Type it anew.",
    "overflow": "That is too far away.",
}
#: What a field of a kind asks for, where what was typed is none; the first that fits.
_ASKED_FOR: Final[tuple[tuple[type[forms.Field], str], ...]] = (
    (forms.FloatField, "Write a number."),
    (forms.IntegerField, "Write a whole number."),
    (forms.DateTimeField, "Write a day and a time, like 2027-01-31 09:00."),
    (forms.DateField, "Write a day, like 2027-01-31."),
    (forms.TimeField, "Write a time of day, like 09:00."),
    (forms.UUIDField, "That is no id."),
    (forms.FileField, "Choose the file once more; it did not come through."),
)  # fmt: skip
INCOMPLETE: Final = "The page was not sent whole, so nothing was changed. Reload it and send it again."


class PlainForm(forms.Form):
    """A form whose faults are told in plain words."""

    def full_clean(self) -> None:
        for field in self.fields.values():
            _tell_plainly(field)
        super().full_clean()


def _tell_plainly(field: forms.Field) -> None:
    own = {code: str(words) for code, words in field.error_messages.items()}
    shipped = {code: str(words) for code, words in _shipped(type(field)).items()}
    asked_for = next((words for kind, words in _ASKED_FOR if isinstance(field, kind)), "")
    for code, words in {**_SENTENCES, **({"invalid": asked_for} if asked_for else {})}.items():
        if own.get(code, "") in ("", shipped.get(code)):
            field.error_messages[code] = words


def _shipped(kind: type[forms.Field]) -> dict[str, object]:
    """What Django says for such a field: what its classes say, the nearest last."""
    found: dict[str, object] = {}
    for one in reversed(kind.__mro__):
        found.update(getattr(one, "default_error_messages", {}))
    return found
