"""Was it proved lately that somebody is who they say? Fresh proof for what can't be taken back or opens doors.

Signing in, a second factor, and the opening of a one-time link are proof, for half an hour each (docs/adr/0024).
Whoever has a second factor is asked for that, else for the password; whoever came by a link needs a new one.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from urllib.parse import urlencode

from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import attempts, second_factor
from accounts.models import User

LIFETIME: Final = timedelta(minutes=30)
PROVED: Final = "proved_at"  # session: when it was last proved
#: What a form of ours may be sent along with to prove it; never shown again.
PROOF: Final = ("proof_code", "proof_credential", "proof_password")
PAGE: Final = "accounts/prove.html"

P = ParamSpec("P")
R = TypeVar("R", bound=HttpRequest)


def proved(request: HttpRequest, now: datetime) -> None:
    """From now on it counts as proved, for LIFETIME."""
    request.session[PROVED] = now.isoformat()


def is_fresh(request: HttpRequest, *, now: datetime) -> bool:
    """Whether it was proved within LIFETIME."""
    at = request.session.get(PROVED)
    return at is not None and timedelta(0) <= now - datetime.fromisoformat(at) < LIFETIME


def required(
    view: Callable[Concatenate[R, P], HttpResponse],
) -> Callable[Concatenate[R, P], HttpResponse]:
    """Open the view only with fresh proof; without, ask for it first. What a form held comes along and is not lost.

    A page is led to and back; a form is asked about in its place, and sent on as it was once the proof came with it.
    """

    @wraps(view)
    def guarded(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if is_fresh(request, now=timezone.now()):
            return view(request, *args, **kwargs)
        if not isinstance(request.user, User):
            return _needs_a_new_link(request)
        if request.method != "POST":
            return _sent(request, f"{reverse('accounts:prove')}?{urlencode({'next': request.get_full_path()})}")
        if not any(name in request.POST for name in PROOF):
            return asked(request, action=request.get_full_path(), values=list(_kept(request)))
        fault = try_to_prove(request)
        if fault:
            return asked(request, action=request.get_full_path(), values=list(_kept(request)), fault=fault)
        form = request.POST.copy()
        for name in PROOF:
            form.pop(name, None)  # it is no part of what the view is sent
        request.POST = form  # type: ignore[assignment]
        return view(request, *args, **kwargs)

    return guarded


def required_to_send(view: Callable[Concatenate[R, P], HttpResponse]) -> Callable[Concatenate[R, P], HttpResponse]:
    """The same for what a form of the page does; looking at the page needs no proof."""
    strict = required(view)

    @wraps(view)
    def guarded(request: R, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return (strict if request.method == "POST" else view)(request, *args, **kwargs)

    return guarded


def try_to_prove(request: HttpRequest) -> str:
    """Judge the proof that came with a form; the sentence to say where it is none, empty where it is."""
    user = request.user
    assert isinstance(user, User)  # the callers asked
    if second_factor.has_one(user):
        given = {"code": request.POST.get("proof_code"), "credential": request.POST.get("proof_credential")}
        found = second_factor.answers(user, given)
        if found is None:
            return attempts.WAIT
        if not found:
            return "That did not match. Wait for the next code, or use your passkey or a recovery code."
    else:
        who = {"email": user.email, "caller": attempts.caller_of(request)}
        if not attempts.may_try(**who):
            return attempts.WAIT
        password = request.POST.get("proof_password", "")
        if authenticate(request, username=user.email, password=password) != user:
            return "That is not your password. Try again."
        attempts.forget(**who)
    proved(request, timezone.now())
    return ""


def asked(
    request: HttpRequest,
    *,
    action: str,
    values: list[tuple[str, str]] | None = None,
    fault: str = "",
    status: int = 401,
) -> HttpResponse:
    """The page that asks for proof; its form goes to `action`, with what the form before it held."""
    user = request.user
    assert isinstance(user, User)
    held = second_factor.of(user)
    context = {
        "action": action,
        "values": values or [],
        "fault": fault,
        "held": held,
        "question": second_factor.question(user) if held.passkeys else "",
        "files": bool(request.FILES),
        "minutes": int(LIFETIME.total_seconds() // 60),
    }
    if not request.headers.get("HX-Request"):
        return render(request, PAGE, context, status=429 if fault == attempts.WAIT else 422 if fault else status)
    response = render(request, f"{PAGE}#prove", context, status=422)  # which HTMX puts in, in place of the whole page
    response["HX-Retarget"], response["HX-Reswap"], response["HX-Push-Url"] = "#content", "innerHTML", "false"
    return response


def safe_next(request: HttpRequest, wanted: str) -> str:
    """Where to go on; only on this host."""
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else "/"


def _kept(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Every field of the form that was sent, but the token and the proof."""
    for name, values in request.POST.lists():
        if name not in (*PROOF, "csrfmiddlewaretoken"):
            for value in values:
                yield name, str(value)


def _sent(request: HttpRequest, url: str) -> HttpResponse:
    if not request.headers.get("HX-Request"):
        return HttpResponseRedirect(url)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response


def _needs_a_new_link(request: Any) -> HttpResponse:
    """A visit by a link that was opened longer ago than that."""
    context = {"minutes": int(LIFETIME.total_seconds() // 60)}
    if not request.headers.get("HX-Request"):
        return render(request, "accounts/new_link.html", context, status=403)
    response = render(request, "accounts/new_link.html#new-link", context, status=422)
    response["HX-Retarget"], response["HX-Reswap"] = "#content", "innerHTML"
    return response
