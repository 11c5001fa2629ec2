"""How does this person like to work? Dense or roomy, keys alone or with Alt."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from curation.forms import PreferencesForm
from curation.fragments import done, page
from curation.refusals import check_page
from curation.visitor import PLAIN_KEYS, PageRequest
from memoryhub.governance import saved_views
from memoryhub.tenancy import acting_for

SECTION = "preferences"
STAFF = "Preferences are for the people who work with these pages."


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: PageRequest) -> HttpResponse:
    """Show what is chosen, and keep a choice; each is the person's own, in this organisation."""
    check_page(request.principal, "read_figures", sentence=STAFF)
    chosen = {"density": request.visitor.density, "shortcuts": request.visitor.shortcuts == PLAIN_KEYS}
    if request.method != "POST":
        return page(
            request, "curation/preferences/page.html", {"section": SECTION, "form": PreferencesForm(initial=chosen)}
        )
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return page(request, "curation/preferences/page.html", {"section": SECTION, "form": form}, status=422)
    with acting_for(request.principal, subjects=()):
        saved_views.prefer(by=request.principal, now=timezone.now(), **form.cleaned_data)
    return done(request, "Your preferences are kept.", url=reverse("curation:preferences"))
