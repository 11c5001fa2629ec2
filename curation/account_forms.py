"""What may people type about how they sign in, and operators about who belongs here? Faults in words that help."""

from typing import Any, Final

from django import forms

from memoryhub.governance.account import MAX_PASSWORD
from memoryhub.vocabulary import MemberRole

INPUT: Final = {"class": "input"}
CLOSE_WORD: Final = "close"
ROLES: Final = (
    (MemberRole.CURATOR.value, "Curator: decides what waits"),
    (MemberRole.OPERATOR.value, "Operator: runs and changes what is here"),
    (MemberRole.AUDITOR.value, "Auditor: looks, and changes nothing"),
    (MemberRole.CUSTOMER.value, "Customer: sees what is remembered about them"),
)


def _password(complete: str, **more: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs=INPUT | {"autocomplete": complete})
    return forms.CharField(max_length=MAX_PASSWORD, strip=False, widget=widget, **more)


class NewPasswordForm(forms.Form):
    """A password, and the same again."""

    password = _password("new-password", error_messages={"required": "Choose a password."})
    again = _password("new-password", error_messages={"required": "Type it a second time."})

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("password") and given.get("again") and given["password"] != given["again"]:
            self.add_error("again", "The two are not the same.")
        return given


class ChangePasswordForm(NewPasswordForm):
    """The one until now as well: an open window is not enough."""

    old = _password("current-password", error_messages={"required": "Type the password you have now."})
    field_order = ("old", "password", "again")


class CloseAccountForm(forms.Form):
    """The word that says that it is meant."""

    word = forms.CharField(
        max_length=20, strip=True, error_messages={"required": f"Type the word “{CLOSE_WORD}” to go on."},
        widget=forms.TextInput(attrs=INPUT | {"autocomplete": "off", "autocapitalize": "none"}),
    )  # fmt: skip

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if word.casefold() != CLOSE_WORD:
            raise forms.ValidationError(f"Type the word “{CLOSE_WORD}” to go on.")
        return word


class CodeForm(forms.Form):
    """The code an app shows, with the sealed secret it comes from."""

    sealed = forms.CharField(max_length=2000, widget=forms.HiddenInput)
    code = forms.CharField(
        max_length=20, error_messages={"required": "Type the six digits that the app shows."},
        widget=forms.TextInput(
            attrs=INPUT | {"inputmode": "numeric", "autocomplete": "one-time-code", "spellcheck": "false"}
        ),
    )  # fmt: skip


class PasskeyForm(forms.Form):
    """What the browser made, and what it is called."""

    name = forms.CharField(
        max_length=60, required=False, strip=True, widget=forms.TextInput(attrs=INPUT | {"autocomplete": "off"})
    )
    credential = forms.CharField(max_length=20_000, required=False, widget=forms.HiddenInput)


class RoleForm(forms.Form):
    """A role, and for a customer who they are."""

    role = forms.ChoiceField(
        choices=ROLES, widget=forms.Select(attrs=INPUT), error_messages={"invalid_choice": "Choose a role."}
    )
    subject = forms.CharField(
        max_length=200, required=False, strip=True, widget=forms.TextInput(attrs=INPUT | {"autocomplete": "off"})
    )


class NewMemberForm(RoleForm):
    """Whose address, in which role."""

    email = forms.CharField(
        max_length=254, strip=True, error_messages={"required": "Type their e-mail address."},
        widget=forms.EmailInput(attrs=INPUT | {"autocomplete": "off"}),
    )  # fmt: skip
    field_order = ("email", "role", "subject")
