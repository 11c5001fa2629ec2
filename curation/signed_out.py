"""What does somebody hear whose visit ended before they sent a form? That they were signed out, and the way back in.

With HTMX the browser goes to sign in and back again. Without, a page says so, and shows the words that were sent, as
far as they came from a page of ours.
"""

from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.csrf import csrf_failure

from curation.fragments import done
from curation.visitor import PageRequest, identify

WRITTEN = ("text", "question", "name", "q", "message")  # fields of words; never a word that opens something
MOST = 20_000  # characters shown again


def sign_in_first(request: Any) -> HttpResponse:
    """Send them to sign in and back again; a fragment or a form can't be gone back to, so its page is."""
    if request.method in ("GET", "HEAD") and not request.htmx:
        return HttpResponseRedirect(_sign_in(request.get_full_path()))
    target = _sign_in(_page_before(request))
    if request.htmx:
        response = HttpResponse(status=401)
        response["HX-Redirect"] = target
        return response
    words = [word[:MOST] for name in WRITTEN for word in request.POST.getlist(name) if word.strip()]
    context = {"target": target, "words": words if _from_here(request) else []}
    return render(request, "signed_out.html", context, status=401)


def send_to(request: Any, url: str) -> HttpResponse:
    """Lead the whole browser there, also when HTMX asked for a part of a page."""
    if not request.htmx:
        return HttpResponseRedirect(url)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = url
    return response


def form_refused(request: Any, reason: str = "") -> HttpResponse:
    """Django's answer to a form without its token, unless the reason is that the visit ended."""
    match = request.resolver_match
    if match is not None and match.app_name == "curation" and hasattr(request, "htmx"):
        request.visitor = identify(request, now=timezone.now())
        request.principal = request.visitor.principal if request.visitor else None
        if request.visitor is None and not request.user.is_authenticated:
            return sign_in_first(request)
    return csrf_failure(request, reason=reason)


def signed_off(request: PageRequest) -> HttpResponse:
    """After somebody closed their own account: their visit is over, and the page where others sign in says why."""
    logout(request)
    sentence = "Your account is closed, and its e-mail address is gone. Nobody can sign in with it any more."
    return done(request, sentence, url=reverse("accounts:sign-in"))


def _sign_in(back: str) -> str:
    return f"{reverse('accounts:sign-in')}?{urlencode({'next': back or '/'})}"


def _page_before(request: Any) -> str:
    """The page the form stood on, where the browser tells and it is one of ours."""
    if request.htmx:
        return str(request.htmx.current_url_abs_path or "/")
    before = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}):
        return "/"
    parts = urlsplit(before)
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def _from_here(request: HttpRequest) -> bool:
    """Whether the form was sent from a page of this host: another's words are not shown in our name."""
    here = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Sec-Fetch-Site") == "same-origin" or request.headers.get("Origin") == here
