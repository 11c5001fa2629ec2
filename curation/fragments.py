"""Page or part? Every view renders the whole page; a request by HTMX gets the named part of the same template."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render

from curation.visitor import PageRequest


def page(
    request: PageRequest, template: str, context: dict[str, Any], *, part: str = "", status: int = 200
) -> HttpResponse:
    """Render `template`, or only its partial `part` when HTMX asks: the view decides which, never the caller."""
    name = f"{template}#{part}" if part and request.htmx else template
    return render(request, name, context, status=status)


def posted(request: HttpRequest) -> QueryDict | None:
    """What the form of a page is made of: what was sent, also where that is nothing; None: the page is looked at."""
    return request.POST if request.method == "POST" else None


def done(request: PageRequest, sentence: str, *, url: str, warning: bool = False) -> HttpResponse:
    """After a write without HTMX: say what happened on the next page, and go there (303: a reload is harmless)."""
    (messages.warning if warning else messages.success)(request, sentence)
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response
