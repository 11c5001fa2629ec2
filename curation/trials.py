"""What may be tried out in the playground? One form for each tab; what is typed is shown back and kept nowhere."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django import forms

from curation.plain_form import PlainForm
from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance.subjects import check_external_id
from memoryhub.permissions import SPEAKS
from memoryhub.vocabulary import Channel, KeyRole, Kind, RecallProfile

MOST_SUBJECTS: Final = 20
ACTIONS: Final = 3  # of a turn that can be typed; a recorded one is posted with `manage.py replay`
ENDINGS: Final = (("", "Nobody recorded how it ended"), ("yes", "It worked"), ("no", "It failed"))
#: Who speaks through a channel, as the gate hears it (R14: decided by the principal, never by the text).
SPEAKERS: Final = {
    KeyRole.CUSTOMER_RELAY: "as the person",
    KeyRole.AGENT: "as the agent",
    KeyRole.SYSTEM_OF_RECORD: "as a system of record",
    KeyRole.CURATOR: "as you, a curator",
}
CHANNELS: Final = [
    (channel, f"{Channel(channel).label[0].upper()}{Channel(channel).label[1:]} ({SPEAKERS[KeyRole(needed)]})")
    for channel, (needed, _) in SPEAKS.items()
]
#: Channels on which nobody but an agent speaks.
_AGENTS_OWN: Final = frozenset(channel for channel, (needed, _) in SPEAKS.items() if needed == KeyRole.AGENT)


class _Id(forms.CharField):
    """A caller's own id, as the API takes it."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(
            attrs={"class": "input mono", "autocomplete": "off", "spellcheck": "false", "list": "known-subjects"}
        )
        super().__init__(max_length=conf.MAX_EXTERNAL_ID, widget=widget, **options)

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        if text:
            _check_id(text)
        return text


def _words(rows: int, **options: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"class": "input", "rows": rows})
    return forms.CharField(strip=False, max_length=conf.MAX_TEXT_BYTES, widget=widget, **options)


def _line(**options: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"class": "input", "autocomplete": "off"})
    return forms.CharField(required=False, widget=widget, **options)


def _moment() -> forms.DateTimeField:
    return forms.DateTimeField(
        required=False,
        widget=forms.DateTimeInput(attrs={"class": "input", "type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"invalid": "A day and a time, like 2026-10-12 09:00."},
    )


def _choice(choices: Sequence[tuple[str, str]], *, required: bool = True) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices, required=required, widget=forms.Select(attrs={"class": "input"}))


def _number(low: int, high: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"})
    return forms.IntegerField(required=False, min_value=low, max_value=high, widget=widget)


def _check_id(text: str) -> None:
    try:
        check_external_id(text)
    except Invalid as fault:
        raise forms.ValidationError([one for faults in fault.errors.values() for one in faults]) from fault


class Trial(PlainForm):
    """What every tab has: `agents` are the slugs and names to choose from."""

    no_agent = ""  # the label of "no agent"; empty where there has to be one

    def __init__(self, *args: Any, agents: Sequence[tuple[str, str]] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        chosen = [("", self.no_agent), *agents] if self.no_agent else list(agents)
        self.fields["agent"] = _choice(chosen, required=not self.no_agent)
        self.fields["agent"].error_messages["required"] = "Choose an agent; this organisation may have none yet."

    def full_clean(self) -> None:
        super().full_clean()
        self._mark()

    def refuse(self, faults: Mapping[str, Sequence[str]], sentence: str) -> None:
        """Show what the domain refused: beside the field it is about, else on top."""
        for field, found in (faults or {"": [sentence]}).items():
            self.add_error(field if field in self.fields else None, " ".join(found))
        self._mark()

    def _mark(self) -> None:
        """Tell a screen reader which fields have a fault, and where it is said."""
        for name in self.fields:
            if name in self.errors:
                described = {"aria-invalid": "true", "aria-describedby": f"id_{name}-fault"}
                self.fields[name].widget.attrs.update(described)


class MessageForm(Trial):
    """A text, about whom, through which channel."""

    no_agent = "None: the organisation's policy alone"

    subject = _Id(error_messages={"required": "Say about whom; an id that nobody has yet will do."})
    channel = _choice(CHANNELS)
    text = _words(4, error_messages={"required": "Write a message first."})
    said_at = _moment()
    speaker = _Id(required=False)
    key = _line(max_length=100)
    value = _line(max_length=2000)
    ref = _line(max_length=500)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("channel") in _AGENTS_OWN and not given.get("agent") and "agent" not in self.errors:
            self.add_error("agent", "Only an agent speaks through this channel: choose one.")
        if given.get("value") and not given.get("key"):
            self.add_error("key", "A value needs a key.")
        return given


class TurnForm(Trial):
    """A finished turn: what the person said, and what was done."""

    subject = _Id(error_messages={"required": "Say about whom; an id that nobody has yet will do."})
    speaker = _Id(required=False)
    user_input = _words(4, required=False)
    occurred_at = _moment()
    quarantined = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for number in range(ACTIONS):
            self.fields[f"tool_{number}"] = _line(max_length=100)
            self.fields[f"ok_{number}"] = _choice(ENDINGS, required=False)
            self.fields[f"result_{number}"] = _line(max_length=2000)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        for number in range(ACTIONS):
            if given.get(f"result_{number}") and not given.get(f"tool_{number}"):
                self.add_error(f"tool_{number}", "Say which tool it was.")
        if not self.errors and not given["user_input"].strip() and not self.actions:
            self.add_error("user_input", "Write what the person said, or what was done.")
        return given

    @property
    def action_fields(self) -> list[tuple[int, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """The rows for what was done: number, tool, ending, result."""
        return [(n + 1, self[f"tool_{n}"], self[f"ok_{n}"], self[f"result_{n}"]) for n in range(ACTIONS)]

    @property
    def actions(self) -> list[dict[str, Any]]:
        """What was done, as `POST /turns` takes it."""
        ok = {"yes": True, "no": False}
        given = self.cleaned_data
        return [
            {
                "tool": given[f"tool_{n}"], "arguments": {}, "result": given.get(f"result_{n}", ""), "detail": "",
                "ok": ok.get(given.get(f"ok_{n}", "")),
            }
            for n in range(ACTIONS)
            if given.get(f"tool_{n}")
        ]  # fmt: skip


class _About(Trial):
    """A question about one subject or several."""

    subjects = forms.CharField(
        widget=forms.Textarea(attrs={"class": "input input-short mono", "rows": 1, "spellcheck": "false"}),
        error_messages={"required": "Say about whom: one id a line."},
    )
    query = _words(2, error_messages={"required": "Write a question first."})

    def clean_subjects(self) -> list[str]:
        names = [line.strip() for line in str(self.cleaned_data["subjects"]).splitlines() if line.strip()]
        if len(names) > MOST_SUBJECTS:
            raise forms.ValidationError(f"At most {MOST_SUBJECTS} at once.")
        for name in names:
            _check_id(name)
        return names


class QueryForm(_About):
    """A question to recall, with its limits."""

    no_agent = "None: with your own rights"

    profile = _choice([("", "As the agent's policy says"), *RecallProfile.choices], required=False)
    as_of = _moment()
    valid_at = _moment()
    kinds = forms.MultipleChoiceField(choices=Kind.choices, required=False, widget=forms.CheckboxSelectMultiple)
    limit = _number(0, 200)
    token_budget = _number(0, 100_000)
    min_relevance = forms.FloatField(
        required=False, min_value=0, max_value=1,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "decimal", "step": "0.05"}),
    )  # fmt: skip

    @property
    def limits(self) -> dict[str, Any]:
        """What is not left to the defaults, as a Query takes it."""
        given = self.cleaned_data
        moments: dict[str, datetime | None] = {name: given[name] for name in ("as_of", "valid_at")}
        numbers = {name: given[name] for name in ("limit", "token_budget", "min_relevance")}
        return {**moments, **numbers, "kinds": tuple(given["kinds"]), "profile": given["profile"] or None}


class ContextForm(_About):
    """The whole memory part of one prompt."""

    query = _words(2, required=False)
    signals = _line(max_length=1000)
    session_id = _line(max_length=conf.MAX_EXTERNAL_ID)
    token_budget = _number(0, 100_000)

    def clean_signals(self) -> list[str]:
        return str(self.cleaned_data["signals"]).split()
