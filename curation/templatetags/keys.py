"""How does a page say which key does what? The key on the button, and the same for a screen reader (R92).

Single keys can be switched off by whoever finds them in the way (WCAG 2.2, 2.1.4); then each is pressed with Alt.
`shortcuts` in the context says which: "plain" or "alt".
"""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def shortcut(context: dict[str, Any], key: str) -> SafeString:
    """The attributes of a control that a key presses: read by static/js/keys.js and by screen readers."""
    spoken = f"Alt+{key}" if context.get("shortcuts") == "alt" else key
    return format_html('data-key="{}" aria-keyshortcuts="{}"', key, spoken)


@register.simple_tag(takes_context=True)
def kbd(context: dict[str, Any], key: str) -> SafeString:
    """The key as it is printed on its control; screen readers have it from the attributes."""
    printed = f"Alt {key}" if context.get("shortcuts") == "alt" else key
    return format_html('<kbd class="key" aria-hidden="true">{}</kbd>', printed)
