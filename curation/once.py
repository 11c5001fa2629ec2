"""Was this form of a page sent before? A form that makes something new each time carries a token that is good for one
time: a double press or a reload sends the same token again, and only the first does something.
"""

from typing import Final

from django.utils import timezone

from curation.visitor import PageRequest
from memoryhub.governance import sent_forms

FIELD: Final = "once"
token = sent_forms.token


def is_spent(request: PageRequest, *, of: object = "") -> bool:
    """Spend the token that came with the form, in the transaction of what it makes (tenancy.acting_for): whether it was
    spent before. `of`: which of the forms that a page shows with one token. A form without one is no page's own.
    """
    given = request.POST.get(FIELD, "")
    return bool(given) and not sent_forms.spend(f"{of} {given}", by=request.principal, now=timezone.now())
