"""What may an operator type about an agent? Each form says its own faults in words that help."""

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.forms.renderers import get_default_renderer

from accounts.models import User
from curation.plain_form import INCOMPLETE, PlainForm
from memoryhub.governance.agent_tools import SignalSpec
from memoryhub.governance.policy_versions import MAX_REASON
from memoryhub.models import AgentPolicy, AgentSignal
from memoryhub.vocabulary import Kind, PolicyMode, Remembers

DAY: Final = 86400  # seconds
LIFETIMES: Final = ((90 * DAY, "90 days"), (30 * DAY, "30 days"), (365 * DAY, "a year"), (0, "until it is revoked"))
OVERLAPS: Final = ((DAY, "a day"), (3600, "an hour"), (7 * DAY, "a week"), (0, "not at all: the old one ends now"))
EMPTY_ROWS: Final = 2  # for signals to add
MOST_ROWS: Final = 50
INPUT: Final = {"class": "input"}


class NewAgentForm(PlainForm):
    """A slug for programs, a name for people, and whose proposals its own count as."""

    name = forms.CharField(
        max_length=200, strip=True, error_messages={"required": "Give it a name."}, widget=forms.TextInput(attrs=INPUT)
    )
    slug = forms.CharField(
        max_length=80, strip=True, error_messages={"required": "Give it a slug."},
        widget=forms.TextInput(attrs=INPUT | {"autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
    owner = forms.TypedChoiceField(
        required=False, coerce=uuid.UUID, empty_value=None, widget=forms.Select(attrs=INPUT),
        error_messages={"invalid_choice": "They are no curator or operator of this organisation."},
    )  # fmt: skip

    def __init__(self, *args: Any, people: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].choices = [("", "Nobody"), *((str(one.pk), one.email) for one in people)]  # type: ignore[attr-defined]


def _seconds(choices: Sequence[tuple[int, str]]) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(choices=choices, coerce=int, widget=forms.Select(attrs=INPUT))


class NewKeyForm(PlainForm):
    """What a key of the agent may do, whom it reaches, and how long it lives."""

    relay = forms.BooleanField(required=False)
    subject = forms.CharField(
        max_length=200, required=False, strip=True, widget=forms.TextInput(attrs=INPUT | {"autocomplete": "off"})
    )
    lifetime = _seconds(LIFETIMES)

    @property
    def life(self) -> timedelta | None:
        return timedelta(seconds=self.cleaned_data["lifetime"]) or None


class RotateForm(PlainForm):
    """How long the old key still works beside the new one."""

    overlap = _seconds(OVERLAPS)


class AgentPolicyForm(PlainForm):
    """How far each kind goes, how sure it has to be, what of a turn is kept, and which decision it is for (R16)."""

    episodic = forms.ChoiceField(choices=PolicyMode, widget=forms.Select(attrs=INPUT))
    semantic = forms.ChoiceField(choices=PolicyMode, widget=forms.Select(attrs=INPUT))
    procedural = forms.ChoiceField(choices=PolicyMode, widget=forms.Select(attrs=INPUT))
    commit_at = forms.FloatField(
        required=False, widget=forms.TextInput(attrs=INPUT | {"inputmode": "decimal"}),
        error_messages={"invalid": "A number from 0 to 1, such as 0.9."},
    )  # fmt: skip
    discard_below = forms.FloatField(
        required=False, widget=forms.TextInput(attrs=INPUT | {"inputmode": "decimal"}),
        error_messages={"invalid": "A number from 0 to 1, such as 0.3."},
    )  # fmt: skip
    remembers = forms.ChoiceField(choices=Remembers, widget=forms.Select(attrs=INPUT))
    improves = forms.CharField(
        max_length=MAX_REASON, strip=True, widget=forms.Textarea(attrs=INPUT | {"rows": 2}),
        error_messages={"required": "Say which decision of the agent its memory improves; the next reader will ask."},
    )  # fmt: skip

    @classmethod
    def of(cls, policy: AgentPolicy | None) -> "AgentPolicyForm":
        """The form as it is set now."""
        begun = {kind.value: PolicyMode.PROPOSE_ONLY for kind in Kind} | {"remembers": Remembers.ALL}
        return cls(initial={name: getattr(policy, name) for name in cls.base_fields} if policy else begun)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if self.errors.keys() & {"commit_at", "discard_below"}:
            return given
        if (given.get("commit_at") is None) != (given.get("discard_below") is None):
            empty = "commit_at" if given.get("commit_at") is None else "discard_below"
            self.add_error(empty, "Both, or none: then the organisation's hold.")
        return given

    @property
    def modes(self) -> dict[Kind, PolicyMode]:
        return {kind: PolicyMode(self.cleaned_data[kind.value]) for kind in Kind}

    @property
    def thresholds(self) -> tuple[float, float] | None:
        commit_at, discard_below = self.cleaned_data["commit_at"], self.cleaned_data["discard_below"]
        return None if commit_at is None else (commit_at, discard_below)


class SignalForm(PlainForm):
    """How one kind of signal becomes a lesson; a row whose kind is empty is none."""

    kind = forms.CharField(max_length=100, required=False, strip=True, widget=forms.TextInput(attrs=INPUT))
    wording = forms.CharField(
        max_length=2000, required=False, strip=True, widget=forms.Textarea(attrs=INPUT | {"rows": 2})
    )
    tools = forms.CharField(max_length=2000, required=False, widget=forms.TextInput(attrs=INPUT))
    prefetch = forms.CharField(max_length=2000, required=False, widget=forms.TextInput(attrs=INPUT))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if not given.get("kind") and any(given.get(name) for name in ("wording", "tools", "prefetch")):
            self.add_error("kind", "Name the kind of signal; empty all of the row to take it away.")
        return given


if TYPE_CHECKING:
    _Rows = forms.BaseFormSet[SignalForm]
else:
    _Rows = forms.BaseFormSet


class SignalForms(_Rows):
    """All rows: as many as are declared, and some empty ones to add."""

    form, min_num, extra, max_num, absolute_max = SignalForm, 0, EMPTY_ROWS, MOST_ROWS, MOST_ROWS
    can_order, can_delete, can_delete_extra = False, False, False
    validate_min, validate_max = False, True
    renderer = get_default_renderer()
    default_error_messages: ClassVar = {
        **forms.BaseFormSet.default_error_messages, "missing_management_form": INCOMPLETE,
        "too_many_forms": f"At most {MOST_ROWS} kinds of signals.",
    }  # fmt: skip

    def clean(self) -> None:
        kinds = [form.cleaned_data["kind"] for form in self.forms if form.is_valid() and form.cleaned_data.get("kind")]
        if len(set(kinds)) != len(kinds):
            raise forms.ValidationError("Each kind may be named once.")

    @property
    def specs(self) -> list[SignalSpec]:
        """What is declared, as the verb takes it."""
        rows = [form.cleaned_data for form in self.forms if form.cleaned_data.get("kind")]
        return [SignalSpec(row["kind"], row["wording"], _names(row["tools"]), _names(row["prefetch"])) for row in rows]


def signal_forms(signals: Sequence[AgentSignal]) -> SignalForms:
    """The rows as they are declared now, and some empty ones."""
    return SignalForms(
        prefix="signals",
        initial=[
            {
                "kind": one.kind, "wording": one.wording, "tools": ", ".join(one.tools),
                "prefetch": ", ".join(one.prefetch),
            }
            for one in signals
        ],
    )  # fmt: skip


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split(",") if (name := part.strip()))
