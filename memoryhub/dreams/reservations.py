"""Does anything beside a yes take it back, or leave it open? What is not known to be harmless does (R72); pure.

A result that calls itself a success is told as one only where every flag, count, code and text beside that is a plain
one. `deed` are the words of the tool's own name: "cancelled" takes nothing back of a cancellation.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from memoryhub.working.normalisation import listed

MAX_DEPTH: Final = 6  # of a nested result that is looked into
MAX_ITEMS: Final = 500  # of its values; a longer one is no result but data

#: Words in a detail with which a plain yes is no plain yes.
_DENIES = re.compile(
    r"(?i)\b(?:errors?|fail\w*|refus\w*|reject\w*|denied|declin\w*|not|no|none|never|unable|can'?t|couldn'?t|didn'?t|"
    r"won'?t|wasn'?t|isn'?t|hasn'?t|cannot|without|invalid|pending|partial(?:ly)?|partly|in part|queued|waiting|later|"
    r"scheduled|submitted|in progress|processing|accepted for|time[ds]? ?out|timeout|abort\w*|bounc\w*|missing|"
    r"except\w*|only|some|but|however|un(?:success|avail|deliver)\w*|dry.?run|simulat\w*|would|preview)\b"
)
_SHARE = re.compile(r"\b(\d+)\s?(?:of|/|out of)\s?(\d+)\b")
#: Words, of a text or of a name, by which something was undone, was not real, or waits; the deed's own do not count.
_OPEN = re.compile(
    r"^(?:await\w*|wait\w*|requir\w*|needs?|needed|approvals?|pend\w*|queue\w*|scheduled|submitted|delay\w*|postpone\w*|"
    r"defer\w*|hold|held|review\w*|expir\w*|insufficient|unpaid|backorder\w*|duplicate\w*|ignor\w*|skip\w*|block\w*|"
    r"suspend\w*|lock(?:ed|out)|sandbox\w*|test|testing|mock\w*|fake\w*|stub\w*|draft\w*|dry|simulat\w*|preview\w*|revers\w*|"
    r"cancel\w*|void\w*|undo|undone|rollback|rolled|revert\w*|refund(?:ed|s)|chargeback\w*|disput\w*|err|errs?|errors?|"
    r"errorcode|errormessage|errno|faults?|fail\w*|reject\w*|refus\w*|den(?:y|ied|ial)|declin\w*|timeout|timedout|abort\w*|"
    r"bounc\w*|missing|invalid|unavailable|partial\w*|incomplete|warn\w*|problems?|issues?|exceptions?|conflicts?|dropped|"
    r"lost|forbidden|unauthori[sz]ed|not|no|never|without|almost|nearly|half|soon|later|tomorrow|unless|sold|nothing|zero|"
    r"blockers?|stale|deprecated|dead|escalated|throttled|noop|unchanged)$"
)
#: Names that only describe: what stands under them is no verdict, however it reads.
_LABELS = frozenset({"id", "ids", "uuid", "url", "link", "ref", "reference", "number", "sku", "at", "date", "email"})
#: Flags that may be set beside a yes.
_FINE = frozenset(
    listed(
        """
    ok okay success succeeded successful passed done completed complete finished created updated saved stored sent
    delivered confirmed processed valid found available active enabled notified recorded logged persisted committed
    booked paid shipped charged result
    """
    )
)
#: Of these there may be none.
_MAY_BE_ZERO = frozenset(
    listed(
        """
    balance fee fees discount tax cost price tip shipping remaining left retries offset page index duration ms
    latency elapsed seconds due outstanding version position
    """
    )
)
_MUST_HOLD = frozenset({"live", "final", "in stock", "effective", "real"})  # flags that may not be unset
_CODES = frozenset({"code", "status code", "http status", "http code", "response code", "result code", "status"})
_EXITS = frozenset({"exit code", "exit status", "returncode", "return code"})
_NOTHING = frozenset({"", "none", "null", "no", "false", "0", "ok", "n/a", "na", "-"})
_UNDONE = frozenset(
    {"cancelled", "canceled", "reversed", "refunded", "voided", "reverted"}
)  # perhaps what was asked for
_STEPS = frozenset({"next step", "next steps", "next action", "next actions", "todo", "to do", "follow up"})
_NAME_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s_\-.]+")
_WORDS = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,6})?")


def denies(detail: str) -> bool:
    """Whether the words beside a yes take something of it back."""
    share = _SHARE.search(detail)
    return bool(_DENIES.search(detail)) or (share is not None and share.group(1) != share.group(2))


def takes_back(value: object, *, deed: Collection[str], name: str = "", depth: int = 0) -> bool:
    """Whether something in a result that says yes is not known to be harmless."""
    words = [part.lower() for part in _NAME_PARTS.split(name) if part]
    plain = " ".join(words)
    if depth > MAX_DEPTH:
        return True
    if isinstance(value, Mapping | list) and len(value) > MAX_ITEMS:
        return True
    if words and words[-1] in _LABELS and not isinstance(value, bool | Mapping | list):
        return _is_open(words, deed) and words[-1] in {"at", "date"} and bool(value)
    if words and (_is_open(words, deed) or plain in _STEPS):
        return _is_set(value) or (words[-1] in _UNDONE and value in ("no", "No", "NO"))
    if isinstance(value, Mapping):
        return any(takes_back(inner, deed=deed, name=str(key), depth=depth + 1) for key, inner in value.items())
    if isinstance(value, list):
        return any(takes_back(inner, deed=deed, name=name, depth=depth + 1) for inner in value)
    if isinstance(value, bool):
        return not _is_fine(words, deed) if value else plain in _MUST_HOLD
    if isinstance(value, int | float):
        return _is_bad_number(float(value), plain, words)
    if isinstance(value, str):
        text = " ".join(value.split())
        if _NUMBER.fullmatch(text):
            return _is_bad_number(float(text), plain, words)
        return says_no(text, deed=deed) or (text.casefold() in {"true", "yes"} and not _is_fine(words, deed))
    return False


def says_no(text: str, *, deed: Collection[str]) -> bool:
    """Whether a text beside a yes denies it or leaves it open."""
    return denies(text) or _is_open(_WORDS.findall(text.lower()), deed)


def _is_open(words: Collection[str], deed: Collection[str]) -> bool:
    return any(_OPEN.match(word) and not _is_of(word, deed) for word in words)


def _is_fine(words: list[str], deed: Collection[str]) -> bool:
    return not words or words[-1] in _FINE or _is_of(words[-1], deed)


def _is_of(word: str, deed: Collection[str]) -> bool:
    """Whether a word is a form of one in the tool's name: "moved" of "move"."""
    return any(len(each) >= 3 and word.startswith(each[: max(3, len(each) - 1)]) for each in deed)


def _is_set(value: object) -> bool:
    return value.casefold().strip() not in _NOTHING if isinstance(value, str) else bool(value)


def _is_bad_number(number: float, plain: str, words: list[str]) -> bool:
    if plain in _EXITS:
        return number != 0
    if plain in _CODES:
        return not (number == 0 or 200 <= number <= 299)
    return number == 0 and bool(words) and words[-1] not in _MAY_BE_ZERO
