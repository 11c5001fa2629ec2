"""Signing in and out, for people. An API key never opens a page, and a browser session never opens the API.

The steps are django-allauth's: the password, then a second factor where somebody has one (docs/adr/0024).
"""

from typing import Any

from allauth.account.internal.decorators import login_stage_required
from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import LoginView
from django.db import connection
from django.forms.utils import ErrorDict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import attempts, second_factor, step_up
from accounts.forms import SignInForm
from accounts.models import User
from accounts.stages import SecondStep

WAITING, BUSY = 429, 503


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class SignIn(LoginView):
    """E-mail address and password. `next` is followed only on this host; too many wrong tries have to wait."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    next_page = "/"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not attempts.may_try(email=request.POST.get("username", ""), caller=attempts.caller_of(request)):
            return _wait(self._refused(attempts.WAIT))
        if not connection.in_atomic_block:
            connection.close()  # nobody waits with one of the pool's in their hands
        with attempts.turn_to_be_judged() as mine:
            if mine:
                return super().post(request, *args, **kwargs)
        return _busy(self._refused(attempts.BUSY))

    def _refused(self, sentence: str) -> HttpResponse:
        form = self.get_form()
        form.__dict__ |= {"_errors": ErrorDict(), "cleaned_data": {}}  # what was typed is shown again, and not judged
        form.add_error(None, sentence)
        return self.render_to_response(self.get_context_data(form=form))

    def form_valid(self, form: Any) -> HttpResponse:
        attempts.forget(email=form.cleaned_data["username"], caller=attempts.caller_of(self.request))
        self.request.session.flush()  # nothing of an earlier visit, by link or as somebody else, carries over
        answer = perform_login(self.request, form.get_user(), redirect_url=self.get_success_url())
        assert isinstance(answer, HttpResponse)  # a redirect: to the second step, or to where they wanted to go
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@login_stage_required(stage=SecondStep.key, redirect_urlname="accounts:sign-in")
@sensitive_post_parameters("code", "credential")
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: Any) -> HttpResponse:
    """The second factor of somebody whose password was right; until then nobody is signed in."""
    stage = request._login_stage
    user, fault = stage.login.user, ""
    if request.method == "POST":
        found = second_factor.answers(user, request.POST)
        if found:
            return stage.exit()
        fault = attempts.WAIT if found is None else "That did not match. Wait for the next code and try again."
    context = {"fault": fault, "held": second_factor.of(user), "question": second_factor.question(user)}
    response = render(request, "accounts/second_step.html", context, status=422 if fault else 200)
    return _wait(response) if fault == attempts.WAIT else response


@never_cache
@sensitive_post_parameters(*step_up.PROOF)
@require_http_methods(["GET", "HEAD", "POST"])
def prove(request: HttpRequest) -> HttpResponse:
    """Prove once more that it is you, then go on to where you wanted to."""
    wanted = step_up.safe_next(request, request.GET.get("next", "/"))
    if not isinstance(request.user, User):
        return redirect(f"{reverse('accounts:sign-in')}?{urlencode({'next': wanted})}")
    action = f"{reverse('accounts:prove')}?{urlencode({'next': wanted})}"
    if request.method != "POST":
        return step_up.asked(request, action=action, status=200)
    fault = step_up.try_to_prove(request)
    return step_up.asked(request, action=action, fault=fault) if fault else redirect(wanted)


@never_cache
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the visit, whether it began with a password or with a one-time link."""
    logout(request)
    messages.success(request, "You are signed out.")
    return redirect("accounts:sign-in")


def _busy(response: HttpResponse) -> HttpResponse:
    response.status_code = BUSY
    response["Retry-After"] = str(int(attempts.PATIENCE.total_seconds()))
    return response


def _wait(response: HttpResponse) -> HttpResponse:
    response.status_code = WAITING
    response["Retry-After"] = str(int(attempts.WINDOW.total_seconds()))
    return response
