"""Signing in and out, for people. An API key never opens a page, and a browser session never opens the API."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import attempts
from accounts.forms import SignInForm


class SignIn(LoginView):
    """E-mail address and password. `next` is followed only on this host; too many wrong tries have to wait."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    next_page = "/"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if attempts.are_used_up(email=request.POST.get("username", ""), caller=_caller(request)):
            form = self.get_form()
            form.errors.clear()
            minutes = int(attempts.WINDOW.total_seconds() // 60)
            form.add_error(None, f"Too many tries that did not match. Wait {minutes} minutes and try again.")
            response = self.render_to_response(self.get_context_data(form=form), status=429)
            response["Retry-After"] = str(int(attempts.WINDOW.total_seconds()))
            return response
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        attempts.forget(email=form.cleaned_data["username"], caller=_caller(self.request))
        self.request.session.flush()  # nothing of an earlier visit, by link or as somebody else, carries over
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        attempts.count_failure(email=self.request.POST.get("username", ""), caller=_caller(self.request))
        return self.render_to_response(self.get_context_data(form=form), status=422)


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the visit, whether it began with a password or with a one-time link."""
    logout(request)
    messages.success(request, "You are signed out.")
    return redirect("accounts:sign-in")


def _caller(request: HttpRequest) -> str:
    return request.META.get("REMOTE_ADDR") or "unknown"
