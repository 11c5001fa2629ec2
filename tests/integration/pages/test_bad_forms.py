"""Whatever the form of a page is sent, a refusal is told in a sentence: never an empty body, never a fault of ours.

Every address of the URL table is sent nothing and nonsense under every name that any form has, by the first person whom
it lets in; an address added later is in it by itself.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from accounts.ids import new_id
from memoryhub.management.tour import TABLES, examples_of
from tests.factories import walk
from tests.factories.visitors import Visitors, conclude, tell

NONSENSE = "¤ {no} <b>such</b> thing \u202e 99"
PEOPLE = ("curator", "customer", "operator", "auditor")
#: Sent under every name at once.
SENT: dict[str, Any] = {"nothing": None, "nonsense": NONSENSE, "too long": "x" * 7000, "twice": [NONSENSE, "7"]}
#: Says in its own words that a link does not work (any more).
OWN_WORDS = {"curation:welcome", "curation:my-memory-enter"}

_FAULT = re.compile(
    r'<(p|div|ul|section)\b[^>]*(?:class="(?:[^"]* )?(?:fault|note-bad|note-warn)\b[^"]*"|role="alert")[^>]*>(.*?)</\1>',
    re.DOTALL,
)
_ERROR_PAGE = re.compile(r"<h1[^>]*data-focus[^>]*>.*?</h1>\s*<p[^>]*>(.*?)</p>", re.DOTALL)


def names() -> set[str]:
    """Every name that a field of any form has: in the templates, and in the classes of forms."""
    found: set[str] = set()
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        found |= set(re.findall(r'<(?:input|select|textarea|button)\b[^>]*\bname="(\w+)"', path.read_text()))
    classes = [forms.Form]
    while classes:
        one = classes.pop()
        classes += one.__subclasses__()
        found |= set(one.base_fields)  # type: ignore[attr-defined]  # made by the metaclass
    return found - {"csrfmiddlewaretoken"}


def addresses(examples: dict[str, list[object]]) -> Iterator[tuple[str, str]]:
    """Every address, with something real in it where there is any."""
    for table, app in TABLES.items():
        for pattern in get_resolver(table).url_patterns:
            name = f"{app}:{pattern.name}"
            inside = {
                key: (examples.get(key) or [7 if "Int" in type(kind).__name__ else new_id()])[0]
                for key, kind in pattern.pattern.converters.items()
            }
            yield name, reverse(name, kwargs=inside)


def sentences(answer: HttpResponse) -> list[str]:
    """What an answer says about what is wrong."""
    page = answer.content.decode()
    found = [words for _, words in _FAULT.findall(page)] + _ERROR_PAGE.findall(page)
    told = [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found]
    return [one for one in told if " " in one and one.rstrip().endswith((".", "!", "?", "”"))]


def send(client: Client, address: str, body: dict[str, Any], *, htmx: bool) -> HttpResponse:
    """A form, without what it does."""
    kept = {name: cookie.value for name, cookie in client.cookies.items()}
    with transaction.atomic():
        answer: Any = client.post(address, body, headers={"HX-Request": "true"} if htmx else None)
        transaction.set_rollback(True)
    client.cookies.clear()
    for name, value in kept.items():
        client.cookies[name] = value
    return answer


def walked(
    visitors: Visitors, examples: dict[str, list[object]], *, only: str = "", sent: tuple[str, ...] = tuple(SENT)
) -> tuple[list[str], int]:
    """What was answered without a sentence, and how many refusals there were."""
    people, clients = walk.cast(visitors), {}
    for who in PEOPLE:
        clients[who] = Client(raise_request_exception=False)
        clients[who].force_login(people[who])
    every, faults, refused = names(), [], 0
    for name, address in addresses(examples):
        if not re.search(only, name):
            continue
        for who in PEOPLE:
            if send(clients[who], address, {}, htmx=False).status_code not in (403, 405):
                break
        for what in sent:
            body = dict.fromkeys(every, SENT[what]) if SENT[what] is not None else {}
            for htmx in (False, True):
                answer = send(clients[who], address, body, htmx=htmx)
                if answer.streaming or answer.status_code < 400:
                    continue
                refused += 1
                if answer.status_code >= 500 or not (sentences(answer) or name in OWN_WORDS):
                    faults.append(f"{name} as {who}, {what}{' by htmx' if htmx else ''}: {answer.status_code}")
    return faults, refused


def test_a_refusal_of_a_form_is_told_in_a_sentence(visitors: Visitors) -> None:
    ground, mira = visitors.ground, visitors.mira
    tell(ground, mira, "I prefer tea.")
    conclude(ground, mira, "Mira likes window seats.")
    only = (
        "my-memory-(pause|correct|dispute|answer)|my-conversation-|queue-(reject|merge)|account-close|decision-reverse"
    )
    faults, refused = walked(visitors, examples_of(ground.organisation.pk), only=only, sent=("nothing", "nonsense"))
    assert faults == []
    assert refused > 20


@pytest.mark.long
def test_every_refusal_of_every_form_is(visitors: Visitors) -> None:
    faults, refused = walked(visitors, walk.fill_in(visitors))
    assert faults == []
    assert refused > 100
