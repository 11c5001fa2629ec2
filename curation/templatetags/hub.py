"""How do stored words become safe words on a page? Markdown, unseen characters, ages, links that keep filters."""

import re
import unicodedata
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import nh3
from django import template
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from markdown_it import MarkdownIt

from curation import days, navigation
from memoryhub.tenancy import Principal

register = template.Library()

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_TAGS = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote", "hr", "br",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_JOINERS = "\u200c\u200d"  # needed to spell Persian and Indic words and to build emoji
#: Letters, marks and symbols that show nothing: fillers, the grapheme joiner, the empty Braille cell.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Any character but those of Latin, Greek and Cyrillic print, all of which are seen: most text has none of them, and is
#: not looked at letter by letter.
_DOUBTFUL = re.compile(r"[^\t\n\r\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f]")


@register.filter
def may_open(principal: Principal, view: str) -> bool:
    """Whether a link to the view leads to a page: `{% if request.principal|may_open:"memory-item" %}`."""
    return navigation.may_open(principal, view)


@register.filter
def day(moment: datetime | None) -> str:
    """A day in the zone and the language that are in force: "12 October 2026"."""
    return days.on_day(moment, timezone.get_current_timezone()) if moment else ""


@register.filter
def time_left(until: datetime) -> str:
    """How long it still is: "6 days and 3 hours"."""
    return days.time_left(until)


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML without anything active: no raw HTML, no images, no links to follow by mistake. What nobody
    would see in it is written out, too.
    """
    return _written_into(nh3.clean(_MARKDOWN.render(text), tags=_TAGS, attributes={}))  # cleaned by nh3


@register.filter
def visible(text: str) -> SafeString:
    """The text with characters that nobody would see written out, so that a reviewer sees all of it (R92)."""
    return _written_into(conditional_escape(str(text)))


@register.filter
def written_out(text: object) -> str:
    """As `visible`, as plain text: for pictures, titles and options, which hold no tags."""
    return "".join(
        f"[U+{ord(char):04X}]" if _is_unseen(char, before) else char
        for before, char in zip(f" {text}", str(text), strict=False)
    )


@register.filter
def age(moment: datetime | None) -> str:
    """How long ago, in one word and a number: "3 hours"."""
    if moment is None:
        return ""
    seconds = (timezone.now() - moment).total_seconds()
    return "under a minute" if seconds < 60 else timesince(moment, depth=1)


@register.filter
def grouped(number: float | None) -> str:
    """A large number in groups of three: 1,234,567."""
    return "" if number is None else f"{number:,.0f}"


@register.filter
def percent(share: float | None) -> str:
    """A share of one in percent, one decimal below ten: 0.034 is "3.4 %"."""
    if share is None:
        return ""
    return f"{share * 100:.0f} %" if share == 0 or share >= 0.1 else f"{share * 100:.1f} %"


@register.simple_tag(takes_context=True)
def with_query(context: dict[str, Any], **changes: object) -> str:
    """The present address with some parameters changed; an empty value takes the parameter away."""
    request: HttpRequest = context["request"]
    query = {name: value for name, value in request.GET.items() if name not in changes}
    query |= {name: str(value) for name, value in changes.items() if value not in (None, "")}
    return f"{request.path}?{urlencode(query)}" if query else request.path


def _is_unseen(char: str, before: str) -> bool:
    """Whether nobody would see it; joiners and variation selectors have a use only behind what is no plain letter."""
    category = unicodedata.category(char)
    if char in _JOINERS or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return before.isascii() and not (char == "\ufe0f" and before in "0123456789#*")  # keycap emoji
    if category == "Cf":
        return True
    return char in _BLANK or (category in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t\r")


def _written_into(page: str) -> SafeString:
    """HTML that is safe already, with its unseen characters written out; none of them is part of a tag."""
    if not _DOUBTFUL.search(page):
        return mark_safe(page)
    pairs = zip(f" {page}", page, strict=False)
    return mark_safe("".join(_marked(char) if _is_unseen(char, before) else char for before, char in pairs))


def _marked(char: str) -> SafeString:
    name = unicodedata.name(char, "control character").lower()
    return format_html('<span class="unseen" title="{}">U+{}</span>', name, f"{ord(char):04X}")
