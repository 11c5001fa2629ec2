"""How is a day written for the person who reads it? In their zone, and as their language writes it (R90).

The language is the one their browser asks for. Words of the pages stay as they are; only dates follow it.
"""

from collections.abc import Callable
from datetime import datetime, tzinfo
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils import formats, timezone, translation

from curation.visitor import PageRequest

ENGLISH: Final = "en-gb"
WRITTEN_OUT: Final = "j F Y"  # what Django has for English is cut short

P = ParamSpec("P")
PersonView = Callable[Concatenate[PageRequest, P], HttpResponse]


def language_of(request: HttpRequest) -> str:
    """The language that the person's browser asks for; English where it asks for none that is known."""
    asked = translation.get_language_from_request(request)
    return ENGLISH if asked.partition("-")[0] == "en" else asked


def in_their_language(view: PersonView[P]) -> PersonView[P]:
    """Every date the view tells is written in the language of whoever reads it."""

    @wraps(view)
    def told(request: PageRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with translation.override(language_of(request)):
            return view(request, *args, **kwargs)

    return told


def on_day(moment: datetime, zone: tzinfo) -> str:
    """A date in the person's zone, in the language that is in force: "12 October 2026"."""
    english = (translation.get_language() or ENGLISH).partition("-")[0] == "en"
    return formats.date_format(moment.astimezone(zone), WRITTEN_OUT if english else "DATE_FORMAT")


def at_time(moment: datetime, zone: tzinfo) -> str:
    """The same with the time of day: "12 October 2026, 14:05"."""
    return f"{on_day(moment, zone)}, {moment.astimezone(zone):%H:%M}"


def time_left(until: datetime) -> str:
    """How long it still is, in days and hours: for a countdown that needs no script."""
    minutes = max(0, int((until - timezone.now()).total_seconds() // 60))
    days, hours = divmod(minutes // 60, 24)
    parts: list[tuple[int, str]] = [(days, "day"), (hours, "hour")] if days or hours else [(minutes, "minute")]
    told = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " and ".join(told) or "less than a minute"
