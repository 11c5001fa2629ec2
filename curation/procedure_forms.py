"""A SKILL.md or AGENT.md that somebody pastes or uploads: one text, or what is wrong with it."""

import uuid
from typing import Any

from django import forms

from accounts.models import Agent
from curation.plain_form import PlainForm
from memoryhub import conf

TOO_LARGE = f"The file is larger than {conf.MAX_SKILL_BYTES // 1024} KB."


class FileForm(PlainForm):
    """The words of a file, pasted or uploaded; what is uploaded counts."""

    text = forms.CharField(required=False, strip=False, max_length=conf.MAX_SKILL_BYTES,
                           error_messages={"max_length": TOO_LARGE})  # fmt: skip
    file = forms.FileField(required=False, allow_empty_file=True)

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if (file := given.get("file")) is not None:
            given["text"] = self._read(file)
        if not self.errors and not str(given.get("text") or "").strip():
            self.add_error("text", "Paste the text of the file, or choose the file.")
        return given

    def _read(self, file: Any) -> str:
        if file.size > conf.MAX_SKILL_BYTES:
            self.add_error("file", TOO_LARGE)
            return ""
        try:
            text: str = file.read().decode("utf-8")
        except UnicodeDecodeError:
            self.add_error("file", "It is not a text file in UTF-8.")
            return ""
        if "\x00" in text:
            self.add_error("file", "It is not a text file in UTF-8.")
            return ""
        return text

    @property
    def shown(self) -> str:
        """The words to show again: those that were read, else those that were pasted."""
        cleaned = getattr(self, "cleaned_data", {})
        return str(cleaned.get("text") or self.data.get("text") or self.initial.get("text") or "").replace("\x00", "")


class SkillFileForm(FileForm):
    """… and the agent that is to have the skill."""

    agent = forms.ModelChoiceField(
        queryset=Agent.objects.none(), to_field_name="slug", empty_label=None,
        error_messages={"required": "Choose the agent that is to have it.", "invalid_choice": "No such agent."},
    )  # fmt: skip

    def __init__(self, *args: Any, organisation: uuid.UUID, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        agents = Agent.objects.filter(organisation_id=organisation).order_by("slug")
        self.fields["agent"].queryset = agents  # type: ignore[attr-defined]  # it is the field above
