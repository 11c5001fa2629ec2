"""What do pages look like? Every component and every state of it on one page, made by the templates that pages use.

Everything here is made up and written in `samples`: nothing of the organisation is read or shown.
"""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from curation import samples
from curation.fragments import page
from curation.refusals import HEADINGS, check_page
from curation.visitor import PageRequest

STAFF = "The gallery is for people who build and look after these pages."


@require_safe
def gallery(request: PageRequest) -> HttpResponse:
    """All components, light or dark and dense or roomy as the visitor has it."""
    check_page(request.principal, "read_figures", sentence=STAFF)
    refusals = [
        {"status": status, "heading": heading, "sentence": samples.REFUSALS[status], "errors": {}}
        for status, heading in HEADINGS.items()
    ]
    context = {
        "section": "gallery", "colours": samples.COLOURS, "tones": samples.TONES, "changes": samples.changes(),
        "unseen": samples.UNSEEN, "charts": samples.charts(), "refusals": refusals,
        "conflict": samples.CONFLICT,
    }  # fmt: skip
    return page(request, "curation/gallery/page.html", context)
