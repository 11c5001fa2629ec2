"""Where does a form about one item of the queue go, with HTMX and without? (R92)"""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def sends(context: dict[str, Any], view: str) -> SafeString:
    """The attributes of a form that is sent to `view` of the item in the context, within its filters; with HTMX what
    comes of it takes the item's place, and nothing more is sent until then.
    """
    address = f"{reverse(f'curation:{view}', args=[context['item'].pk])}{context['filters'].place}"
    return format_html(
        'method="post" action="{}" hx-post="{}" hx-target="#item" hx-swap="outerHTML settle:0ms" hx-sync="this:drop"',
        address, address,
    )  # fmt: skip
