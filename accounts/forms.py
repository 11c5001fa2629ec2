"""What does a person type to sign in? E-mail address and password, and one answer for every way of being wrong."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm


class SignInForm(AuthenticationForm):
    """Says the same for an unknown address, a wrong password and a closed account: nobody learns who has one."""

    error_messages = {
        "invalid_login": "E-mail address and password do not match. Check both and try again.",
        "inactive": "E-mail address and password do not match. Check both and try again.",
    }

    username = forms.CharField(
        max_length=254,
        widget=forms.EmailInput(attrs={"class": "input", "autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "current-password"}),
    )
