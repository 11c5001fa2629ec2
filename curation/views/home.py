"""Where does a visitor land? On the page their role works with."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from curation.fragments import page
from curation.middleware import open_to_all, open_without_second_factor
from curation.visitor import ORGANISATION, PageRequest


@require_safe
def home(request: PageRequest) -> HttpResponse:
    """The first page of whoever signed in."""
    return redirect(request.visitor.home or "curation:no-place")


@open_to_all
@require_safe
def no_place(request: PageRequest) -> HttpResponse:
    """For somebody who signed in and belongs to no organisation, or whose role has no pages."""
    return page(request, "curation/home/no_place.html", {}, status=403)


@open_without_second_factor
@require_POST
def choose_organisation(request: PageRequest) -> HttpResponse:
    """Somebody with several organisations works in another one; a foreign id changes nothing."""
    wanted = request.POST.get("organisation", "")
    if wanted in {str(other.pk) for other in request.visitor.others}:
        request.session[ORGANISATION] = wanted
    return redirect("curation:home")
