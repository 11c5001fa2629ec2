"""What may an operator type about a webhook?"""

from collections.abc import Sequence
from typing import Any, Final

from django import forms

from accounts.models import Agent
from curation.plain_form import PlainForm
from memoryhub import conf
from memoryhub.models import NoticeKind

INPUT: Final = {"class": "input"}

#: What each kind tells, for people.
TOLD: Final = {
    NoticeKind.ERASED: "Something was erased: whoever keeps a copy erases it as well",
    NoticeKind.SUPERSEDED: "A statement was superseded: a copy of it is out of date",
    NoticeKind.APPROVED: "A curator said yes to what an agent proposed",
    NoticeKind.QUEUED: "Something an agent proposed waits for a curator",
    NoticeKind.LATE: "Something in the queue is late: once a day, for all agents",
}


class WebhookForm(PlainForm):
    """Where to, about what, and for which agent."""

    url = forms.CharField(
        max_length=conf.WEBHOOK_URL, strip=True, error_messages={"required": "Give it an address."},
        widget=forms.URLInput(attrs=INPUT | {"autocomplete": "off", "inputmode": "url", "placeholder": "https://"}),
    )  # fmt: skip
    kinds = forms.MultipleChoiceField(
        choices=[(kind.value, words) for kind, words in TOLD.items()], initial=[NoticeKind.ERASED.value],
        error_messages={"required": "Choose what it is told."},
    )  # fmt: skip
    agent = forms.TypedChoiceField(
        required=False, empty_value=None, widget=forms.Select(attrs=INPUT),
        error_messages={"invalid_choice": "There is no such agent here."},
    )  # fmt: skip

    def __init__(self, *args: Any, agents: Sequence[Agent], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slugs = [(one.slug, one.name) for one in agents]
        self.fields["agent"].choices = [("", "All of them"), *slugs]  # type: ignore[attr-defined]
