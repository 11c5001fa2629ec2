"""What took the place of what just ended? "I no longer live in X, I am in Y now" tells a home, which "I am in Y" alone
does not (R13).
"""

import re
from dataclasses import replace
from typing import Final

from memoryhub.governance.claims import Claim, Reading
from memoryhub.vocabulary import Form

_NAME: Final = r"(?-i:[A-Z])[\w'’.-]{0,30}(?: (?:(?-i:[A-Z])[\w'’.-]{0,30}|upon|on|of|de|la|le|del|der|den|am|&)){0,3}"
_LEAD: Final = r"(?:(?:i|we) (?:am|are) )?(?:but )?(?:(?:now|currently|back|instead|already|settled|based) ){0,3}"
_TAIL: Final = r"(?: (?:now|these days|nowadays|instead|currently|at last)){0,2}[.! ]{0,9}$"

#: By the key that ended: the words that name what is there instead. Anything behind it makes it a visit or an errand.
_INSTEAD: Final = {
    "city": re.compile(rf"(?i)^{_LEAD}in (?P<what>{_NAME}){_TAIL}"),
    "employer": re.compile(rf"(?i)^{_LEAD}(?:at|with) (?P<what>{_NAME}){_TAIL}"),
}
_CHANGED: Final = re.compile(r"(?i)\b(?:now|these days|nowadays|instead|currently|at last)\b")


def instead_of(ended: Claim | None, words: str, *, in_one_breath: bool) -> Reading | None:
    """What the words say is there in the place of what `ended` said is over; None where they say nothing of the kind.

    In a sentence of its own only with "I", and with a word that says that it changed. It is no surer than the ending.
    """
    if ended is None or ended.about_other or not ended.closes or not (ended.value or "").startswith("not "):
        return None
    pattern = _INSTEAD.get(ended.key or "")
    match = pattern.match(words) if pattern else None
    if match is None:
        return None
    if not in_one_breath and not (_CHANGED.search(words) and re.match(r"(?i)(?:i|we) ", words)):
        return None
    form = None if ended.form is Form.ASSERTION else ended.form
    return Reading(ended.key, match["what"].rstrip("."), closes=ended.closes, changed=True, form=form)


def together(ended: Claim, instead: Claim) -> Claim:
    """Both as one statement: the new value, in the words of the ending and of what came in its place."""
    return replace(
        instead, text=f"{ended.text}, {instead.text}", quote=f"{ended.quote}, {instead.quote}",
        closes=ended.closes, valid_from=instead.valid_from or ended.valid_from,
    )  # fmt: skip
