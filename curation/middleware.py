"""May this page be opened, and how does a refusal look? Stands between every page and the outside.

Every page needs a visitor unless its view says `open_to_all`. Whatever a domain verb refuses becomes a page in plain
words, with the status that the API would give.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from accounts import sessions
from curation.refusals import refusal_page, refusal_words
from curation.signed_out import send_to, sign_in_first
from curation.visitor import identify
from memoryhub.errors import HubError

PAGES = frozenset({"curation", "accounts"})

View = Callable[..., HttpResponse]


def open_to_all(view: View) -> View:
    """Mark a page that needs no visitor."""
    view.open_to_all = True  # type: ignore[attr-defined]  # read below
    return view


def open_without_second_factor(view: View) -> View:
    """Mark a page on which a second factor is set up, or which leads away: open also where it is still missing."""
    view.open_without = True  # type: ignore[attr-defined]  # read below
    return view


class PageVisitor:
    """Puts `visitor` and `principal` on requests for pages, and keeps what they answer out of every cache."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.visitor = request.principal = None  # type: ignore[attr-defined]
        response = self.get_response(request)
        if response.status_code == 404 and request.resolver_match is None and _may_be_a_page(request):
            response = _nothing_here(request)
        if _is_page(request):
            if response.status_code == 405 and not response.content:
                response = _with_words(request, response)
            response["Cache-Control"] = "no-store"
            patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response

    def process_view(self, request: Any, view: View, args: Any, kwargs: Any) -> HttpResponse | None:
        if not _is_page(request):
            return None
        request.visitor = identify(request, now=timezone.now())
        request.principal = request.visitor.principal if request.visitor else None
        open_page = request.resolver_match.app_name == "accounts" or getattr(view, "open_to_all", False)
        if request.visitor is not None and not request.visitor.by_link:
            sessions.seen(request, now=timezone.now())
            if request.visitor.lacks_second_factor and not open_page and not getattr(view, "open_without", False):
                return send_to(request, reverse("curation:account"))
        if request.visitor is not None or open_page:
            return None
        if request.user.is_authenticated:
            return HttpResponseRedirect(reverse("curation:no-place"))
        return sign_in_first(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if _is_page(request) and isinstance(exception, HubError):
            return refusal_page(request, exception)
        return None


def _with_words(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """Django answers a wrong method with an empty page; somebody who typed an address gets words and a way on."""
    response = refusal_words(
        request, status=405, sentence="This address takes a form, not a visit. Nothing was changed."
    )
    response["Allow"] = refused["Allow"]
    return response


def _nothing_here(request: Any) -> HttpResponse:
    """An address that leads nowhere; whoever is signed in keeps their navigation."""
    request.visitor = identify(request, now=timezone.now())
    request.principal = request.visitor.principal if request.visitor else None
    return refusal_words(request, status=404, sentence="The page is absent, or it is not yours to see.")


def _may_be_a_page(request: HttpRequest) -> bool:
    return not request.path.startswith(("/api/", "/static/", "/mcp", "/metrics"))


def _is_page(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and match.app_name in PAGES
