"""What may a curator type about an item, besides yes and no? When to see it again, whom to ask, what to tell others."""

from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from django import forms

from curation.forms import ReasonForm
from curation.plain_form import PlainForm
from memoryhub.governance.review_notes import MAX_NOTE
from memoryhub.governance.saved_views import MAX_NAME

MAX_QUESTION: Final = 300
MORNING: Final = 9  # o'clock, where the visitor is
#: Until when an item may be put off with one key.
SNOOZES: Final = {
    "hours": "For four hours",
    "tomorrow": "Until tomorrow morning",
    "days": "For three days",
    "monday": "Until Monday morning",
}
#: Why something is put first, with one key.
ESCALATIONS: Final = (
    "It needs somebody who knows the customer",
    "What is known contradicts itself",
    "It may be an attack",
    "It may have legal consequences",
)


class SnoozeForm(PlainForm):
    """One of the usual times, or a moment of one's own."""

    canned = forms.ChoiceField(choices=[("", ""), *SNOOZES.items()], required=False)
    until = forms.DateTimeField(
        required=False, error_messages={"invalid": "A day and a time, like 2027-01-31 09:00."},
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("canned") and not given.get("until") and not self.errors:
            self.add_error("until", "Say until when.")
        return given

    def moment(self, *, now: datetime, zone: tzinfo) -> datetime:
        """Until when, in the visitor's zone."""
        here = now.astimezone(zone)
        morning = here.replace(hour=MORNING, minute=0, second=0, microsecond=0)
        match self.cleaned_data["canned"]:
            case "hours":
                return now + timedelta(hours=4)
            case "tomorrow":
                return morning + timedelta(days=1)
            case "days":
                return now + timedelta(days=3)
            case "monday":
                return morning + timedelta(days=7 - here.weekday())
        until: datetime = self.cleaned_data["until"]
        return until


class EscalateForm(ReasonForm):
    """Why it comes first now."""

    canned = forms.ChoiceField(choices=[("", ""), *((reason, reason) for reason in ESCALATIONS)], required=False)


class NoteForm(PlainForm):
    """What the other curators should know."""

    text = forms.CharField(max_length=MAX_NOTE, strip=True, error_messages={"required": "Write a note first."})


class AskForm(PlainForm):
    """A question in one's own words; left empty, whether it is so."""

    question = forms.CharField(max_length=MAX_QUESTION, strip=True, required=False)


class MergeForm(PlainForm):
    """Which memory the claim is folded into."""

    into = forms.UUIDField(error_messages={
        "required": "Choose what it belongs to.", "invalid": "That is no id of a memory."
    })  # fmt: skip


class ViewForm(PlainForm):
    """A name for the filters as they are, and for whom."""

    name = forms.CharField(max_length=MAX_NAME, strip=True, error_messages={"required": "Give the view a name."})
    shared = forms.BooleanField(required=False)
    is_default = forms.BooleanField(required=False)
    replaces = forms.BooleanField(required=False)  # the view of one's own that has the name already
