"""How did an action end, as far as its record says? Its yes or no, its result, however nested, and its detail; pure.

Nothing is done that the record does not plainly call done: a yes beside an error, a part that failed or a detail that
denies it is told as just that. What a record does not say stays unsaid (R72).
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from memoryhub.dreams.reservations import MAX_DEPTH, MAX_ITEMS, denies, says_no, takes_back

_GOOD = frozenset(
    {"", "ok", "okay", "true", "yes", "success", "successful", "succeeded", "done", "completed", "complete", "200"}
)
_BARE = _GOOD | {"error", "failed", "failure", "fail", "false", "no", "refused", "rejected", "denied", "declined"}
_EMPTY = frozenset({"", "none", "null", "no", "false", "0", "ok"})
_BAD = re.compile(
    r"(?i)^(?:error|fail|invalid|unable|abort|timed? ?out|exception|unauthori[sz]ed|forbidden|not found|unsuccessful|"
    r"crash|unavailable|bad request|internal server|\w*error\b|\w*exception\b)"
)
_REFUSED = re.compile(r"(?i)^(?:refus|reject|den(?:y|ied)|declin|forbid|not (?:allowed|permitted|possible))")
_FAULT_NAMES = frozenset(
    {"error", "errors", "exception", "exceptions", "fault", "faults", "failure", "failures", "failed", "error message"}
)
_FAULT_TEXTS = ("message", "detail", "details", "reason", "description", "title", "error", "code", "type")
_VERDICTS = frozenset({"ok", "success", "succeeded", "successful", "is success", "is ok", "passed"})
_STATES = frozenset({"status", "state", "outcome", "result", "verdict"})
_REMARKS = frozenset({"message", "msg", "detail", "details", "note", "info", "reason", "warning"})
_OTHERS = frozenset({"address", "location", "customer", "user", "profile"})  # a state there is a place or a person's
_WRAPPERS = frozenset({"result", "results", "data", "response", "body", "output", "content"})
_EXITS = frozenset({"exit code", "exit status", "returncode", "return code"})
_CODES = _EXITS | {"status", "status code", "http status", "http code"}
#: Names under which a result counts what worked and what did not.
_COUNTS_GOOD = frozenset({"succeeded", "successful", "success", "passed", "sent", "done", "delivered", "updated", "ok"})
_COUNTS_BAD = frozenset({"failed", "failures", "errors", "refused", "rejected", "bounced", "skipped"})
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s_\-.]+")
_DID = re.compile(r"(?:ed|(?:^| )(?:sent|paid|made|held|done|found|valid|available|complete|kept|written|taken))$")


class Outcome(StrEnum):
    """How one attempt ended, as far as the record says."""

    DONE = "done"
    PARTLY = "partly"  # some parts of it worked and some did not
    REFUSED = "refused"
    FAILED = "failed"
    FAULTY = "faulty"  # it is recorded as done and carries an error all the same
    ANSWERED = "answered"  # it came back with something other than a plain yes: told in the tool's own word
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Ending:
    """How it ended, and the tool's own words where they say more than yes or no."""

    outcome: Outcome
    said: str = ""
    parts: tuple[int, int] = (0, 0)  # of PARTLY: how many did not work, of how many


@dataclass(frozen=True)
class _Inside:
    """What stands inside a nested result."""

    good: int = 0
    bad: int = 0
    fault: str = ""
    fair: str = ""  # a state that is a plain yes, in its own word: no truth value
    word: str = ""  # a state or a remark that is neither a plain yes nor a plain no
    doubt: bool = False
    parts: tuple[int, int] = (0, 0)


def ending_of(action: Mapping[str, Any], *, looked: bool = False) -> Ending:
    """How the record says an action ended.

    `ok` decides what it can: without it only a plain truth value in the result counts as done, and with it only where
    nothing in result or detail takes it back or is not known to be harmless (`reservations`). Of a look-up (`looked`)
    what stands inside the result is what was found, an order that failed for one, and says nothing about the looking.
    """
    ok, result = action.get("ok"), _opened(action.get("result"))
    detail = " ".join(str(action.get("detail") or "").split())
    if isinstance(result, Mapping | list):
        if looked:
            return _of_found(ok, result, detail)
        ending = _of_nested(ok, _inside(result), detail)
        deed = _name(action.get("tool") or "").split()
        if ending.outcome == Outcome.DONE and (takes_back(result, deed=deed) or says_no(detail, deed=deed)):
            return replace(ending, outcome=Outcome.ANSWERED)
        return ending
    word = " ".join(str(result).split()) if isinstance(result, str | int | float) and result is not True else ""
    ending = _of_plain(ok, result, word, detail)
    if ending.outcome == Outcome.DONE and says_no(detail, deed=_name(action.get("tool") or "").split()):
        return replace(ending, outcome=Outcome.ANSWERED)
    return ending


def _of_found(ok: object, result: Mapping[str, object] | list[object], detail: str) -> Ending:
    told = result.items() if isinstance(result, Mapping) else ()
    named = [(_name(key), value) for key, value in told]
    inside = _together([_under(name, value, 0, own=True) for name, value in named if name in _FAULT_NAMES | _VERDICTS])
    return Ending(Outcome.FAILED if ok is False or inside.bad else Outcome.ANSWERED, inside.fault or detail)


def _of_plain(ok: object, result: object, word: str, detail: str) -> Ending:
    if result is False:
        word = ""
    plain = word.casefold().rstrip(".!")
    bare = plain in _BARE
    said = detail if bare else ": ".join(part for part in (word, detail) if part)
    if ok is False or result is False:
        return Ending(Outcome.REFUSED if _REFUSED.match(word) else Outcome.FAILED, said)
    if ok is True or result is True:
        if plain not in _GOOD:
            return Ending(Outcome.ANSWERED, said or word)
        return Ending(Outcome.ANSWERED if denies(detail) else Outcome.DONE, said)
    told = word or detail
    if _REFUSED.match(told):
        return Ending(Outcome.REFUSED, said)
    if _BAD.match(told):
        return Ending(Outcome.FAILED, said)
    return Ending(Outcome.ANSWERED, said or word) if told else Ending(Outcome.UNKNOWN)


def _of_nested(ok: object, inside: _Inside, detail: str) -> Ending:
    said = inside.fault or inside.word or detail
    if ok is False:
        return Ending(Outcome.REFUSED if _REFUSED.match(inside.word or inside.fault) else Outcome.FAILED, said)
    failed, of = inside.parts
    if 0 < failed < of:
        return Ending(Outcome.PARTLY, said, inside.parts)
    if inside.bad:
        if ok is True or inside.good:
            return Ending(Outcome.FAULTY, said)
        return Ending(Outcome.REFUSED if _REFUSED.match(inside.word or inside.fault) else Outcome.FAILED, said)
    if inside.word or (inside.fair and ok is None and not inside.good):
        return Ending(Outcome.ANSWERED, ": ".join(part for part in (inside.word or inside.fair, detail) if part))
    if ok is True or inside.good:
        return Ending(Outcome.ANSWERED if inside.doubt or denies(detail) else Outcome.DONE, detail)
    return Ending(Outcome.ANSWERED, detail) if detail else Ending(Outcome.UNKNOWN)


def _opened(result: object) -> object:
    """A result that is JSON in a text, as what it holds."""
    if isinstance(result, str) and result.strip()[:1] in ("{", "["):
        try:
            return json.loads(result)
        except (ValueError, RecursionError):
            return result
    return result


def _inside(value: object, depth: int = 0, *, own: bool = True) -> _Inside:
    """What stands in a result. `own`: what is said there is said of the action, not of a thing it names."""
    if depth >= MAX_DEPTH:
        return _Inside(doubt=True)  # nobody looked that deep, so nobody says that all is well
    if isinstance(value, list):
        return _of_list(
            [_inside(each, depth + 1, own=own) for each in value[:MAX_ITEMS]], whole=len(value) <= MAX_ITEMS
        )
    if not isinstance(value, Mapping):
        return _Inside()
    named = [(_name(key), inner) for key, inner in list(value.items())[:MAX_ITEMS]]
    counts = [(name, inner) for name, inner in named if isinstance(inner, int) and not isinstance(inner, bool)]
    good = sum(inner for name, inner in counts if name in _COUNTS_GOOD and inner > 0)
    bad = sum(inner for name, inner in counts if name in _COUNTS_BAD and inner > 0)
    if bad:
        counted = _Inside(good=int(good > 0), bad=1, parts=(bad, good + bad))
        named = [(name, inner) for name, inner in named if name not in _COUNTS_GOOD | _COUNTS_BAD]
        return _together([counted, *(_under(name, inner, depth, own=own) for name, inner in named)])
    return _together([_under(name, inner, depth, own=own) for name, inner in named], doubt=len(value) > MAX_ITEMS)


def _under(name: str, value: object, depth: int, *, own: bool) -> _Inside:
    """What one named value says."""
    if name in _FAULT_NAMES:
        return _Inside(bad=1, fault=_fault_text(value)) if _is_something(value) else _Inside()
    if name in _VERDICTS and (isinstance(value, str) or value in (True, False)):
        said = _of_word(str(value))
        return said if said.bad or said.word else _Inside(good=1)
    if name in _CODES and isinstance(value, int) and not isinstance(value, bool):
        broken = value != 0 if name in _EXITS else 400 <= value <= 599
        return _Inside(bad=1, fault=str(value)) if broken else _Inside()
    if isinstance(value, str):
        return _of_text(name, " ".join(value.split()), own=own)
    if name in _OTHERS:
        return _Inside()
    if isinstance(value, bool):
        return _Inside(doubt=not value and name not in _COUNTS_BAD and bool(_DID.search(name)))
    return _inside(value, depth + 1, own=own and (isinstance(value, list) or name in _WRAPPERS))


def _of_text(name: str, text: str, *, own: bool) -> _Inside:
    """What a text says under its name: a state counts; a remark where it takes something back; others are data."""
    if name in _STATES and (len(text) > 2 or text.casefold() in _GOOD):
        return _of_word(text) if own else _Inside(word=text)
    if name in _REMARKS and own:
        if _BAD.match(text) or _REFUSED.match(text):
            return _Inside(bad=1, fault=text)
        return _Inside(word=text) if denies(text) else _Inside()
    return _Inside()


def _of_word(word: str) -> _Inside:
    plain = word.casefold()
    if plain in _GOOD | {"1", "1.0"}:
        return _Inside(fair=word)
    if plain == "0" or _REFUSED.match(word) or _BAD.match(word) or plain in _BARE:
        return _Inside(bad=1, word=word)
    return _Inside(word=word)


def _of_list(items: list[_Inside], *, whole: bool) -> _Inside:
    """A list whose elements say how they ended is a result in parts."""
    together = _together(items, doubt=not whole)
    judged = [each for each in items if each.good or each.bad or each.fair]
    faulty = sum(1 for each in judged if each.bad)
    return replace(together, parts=(faulty, len(judged))) if len(judged) > 1 else together


def _together(found: Iterable[_Inside], *, doubt: bool = False) -> _Inside:
    found = list(found)
    return _Inside(
        good=sum(each.good for each in found),
        bad=sum(each.bad for each in found),
        fault=next((each.fault for each in found if each.fault), ""),
        fair=next((each.fair for each in found if each.fair), ""),
        word=next((each.word for each in found if each.word), ""),
        doubt=doubt or any(each.doubt for each in found),
        parts=next((each.parts for each in found if each.parts != (0, 0)), (0, 0)),
    )


def _is_something(value: object) -> bool:
    return str(value).casefold().strip() not in _EMPTY if isinstance(value, str) else bool(value)


def _fault_text(value: object) -> str:
    """The words of a fault, where it has some."""
    if isinstance(value, list):
        return next((text for each in value if (text := _fault_text(each))), "")
    if isinstance(value, Mapping):
        named = {_name(key): inner for key, inner in value.items()}
        return next((text for name in _FAULT_TEXTS if (text := _fault_text(named.get(name)))), "")
    plain = value is not None and not isinstance(value, bool)
    return " ".join(str(value).split()) if plain else ""


def _name(key: object) -> str:
    return " ".join(part.lower() for part in _PARTS.split(str(key)) if part)
