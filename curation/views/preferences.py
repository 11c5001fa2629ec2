"""How does this person like to work? Dense or roomy, keys alone or with Alt, and when they are written to."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from curation.forms import DigestForm, PreferencesForm
from curation.fragments import done, page
from curation.refusals import check_page
from curation.visitor import PLAIN_KEYS, PageRequest
from memoryhub.governance import digests, saved_views
from memoryhub.permissions import can_do
from memoryhub.tenancy import acting_for

SECTION = "preferences"
STAFF = "Preferences are for the people who work with these pages."


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: PageRequest) -> HttpResponse:
    """Show what is chosen, and keep a choice; each is the person's own, in this organisation."""
    check_page(request.principal, "read_figures", sentence=STAFF)
    if request.method != "POST":
        return _page(request)
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return _page(request, form=form)
    with acting_for(request.principal, subjects=()):
        saved_views.prefer(by=request.principal, now=timezone.now(), **form.cleaned_data)
    return done(request, "Your preferences are kept.", url=reverse("curation:preferences"))


@require_POST
def digest(request: PageRequest) -> HttpResponse:
    """Say when one wants to hear what waits in the queue."""
    check_page(request.principal, "decide", sentence="Only curators are written to about the queue.")
    form = DigestForm(request.POST)
    if not form.is_valid():
        return _page(request, digest_form=form)
    at, late = form.cleaned_data["digest_at"], form.cleaned_data["digest_late"]
    with acting_for(request.principal, subjects=()):
        digests.choose(by=request.principal, at=at, when_late=late, now=timezone.now())
    return done(request, "It is kept when you are written to.", url=reverse("curation:preferences"))


def _page(
    request: PageRequest, *, form: PreferencesForm | None = None, digest_form: DigestForm | None = None
) -> HttpResponse:
    """The page; a faulty form keeps what was typed."""
    shown = {"density": request.visitor.density, "shortcuts": request.visitor.shortcuts == PLAIN_KEYS}
    with acting_for(request.principal, subjects=()):
        kept = saved_views.preferences_of(request.principal)
    chosen = {"digest_at": kept.digest_at, "digest_late": kept.digest_late}
    context = {
        "section": SECTION,
        "form": form or PreferencesForm(initial=shown),
        "digest_form": digest_form or DigestForm(initial=chosen),
        "curates": can_do(request.principal, "decide"),
        "mails": digests.is_set_up(),
    }
    status = 200 if form is None and digest_form is None else 422
    return page(request, "curation/preferences/page.html", context, status=status)
