"""How is a refusal said on a page? Plain words for every status; the details stay what the domain verb said."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from memoryhub.errors import HubError, Invalid, NotFound, NotGranted
from memoryhub.http_errors import status_of
from memoryhub.permissions import can_do
from memoryhub.tenancy import Principal

HEADINGS = {
    400: "The request could not be read",
    401: "Sign in first",
    403: "You may not do this",
    404: "There is nothing here",
    409: "Somebody was first",
    405: "That is not a page",
    412: "It changed in the meantime",
    413: "That is too much text",
    422: "Something has to be put right",
    429: "Too many requests",
    503: "Not possible right now",
}


def refusal_page(request: HttpRequest, error: HubError) -> HttpResponse:
    """The page that says why nothing was done, with the status of the error."""
    status = status_of(error)
    sentence = "The page is absent, or it is not yours to see." if isinstance(error, NotFound) else error.detail
    errors = error.errors if isinstance(error, Invalid) else {}
    return refusal_words(request, status=status, sentence=sentence, errors=errors)


def refusal_words(
    request: HttpRequest, *, status: int, sentence: str, errors: Mapping[str, Sequence[str]] | None = None
) -> HttpResponse:
    """A heading for the status and a sentence; for HTMX only that, without the page around it."""
    heading = HEADINGS.get(status, "That was not possible")
    context = {"status": status, "heading": heading, "sentence": sentence, "errors": errors or {}}
    template = "error.html#error" if getattr(request, "htmx", False) else "error.html"
    return render(request, template, context, status=status)


def check_page(principal: Principal, action: str, *, sentence: str) -> None:
    """Raise NotGranted with a sentence for people (not for keys) unless the visitor may do `action`."""
    if not can_do(principal, action):
        raise NotGranted(sentence)


def first_fault(form: Form) -> str:
    """The first thing that is wrong with a form, for where its fields may not be shown."""
    return next((str(fault) for faults in form.errors.values() for fault in faults), "")


@contextmanager
def told_in(form: Form) -> Iterator[None]:
    """What a verb refuses inside becomes faults of the form, each at its field where it has one: what was typed is
    kept."""
    try:
        yield
    except Invalid as error:
        for field, sentences in (error.errors or {"": [error.detail]}).items():
            for sentence in sentences:
                form.add_error(field if field in form.fields else None, sentence)
