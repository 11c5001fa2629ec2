"""What happened in a session, told from its structured actions alone? The template part of a summary (R72); pure.

A sentence is made from one run of attempts at the same thing and says no more than the record: an action without a
recorded outcome is told as tried, a failed one never as done, a read-only one at most as looked up. Quoted details come
from tools: they are shortened, quoted, and left out where they read like an instruction.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

#: Stands where nothing was done (R72).
NO_ACTION: Final = "No action was taken."
MAX_SENTENCES: Final = 12  # a summary is recalled within a token budget; the rest is counted, not told
MAX_DETAIL: Final = 160  # characters of a quoted detail
MAX_TARGETS: Final = 2  # arguments that name what was acted on

#: Tools that change nothing outside the agent's own head; they are no part of what happened.
_THOUGHT = frozenset({"think", "calculate", "plan", "reflect", "reason", "scratchpad"})
_READS = frozenset(
    {"get", "list", "search", "find", "lookup", "look", "check", "read", "fetch", "query", "view", "show", "describe"}
)
_WRITES = re.compile(
    r"(?:^|_)(?:or|and|then|set|create|update|delete|remove|add|send|book|cancel|refund|pay|post|put|write|save|"
    r"close|open|"
    r"approve|reject|issue|transfer|charge|submit|order|buy|reset|change|modify|assign|move|start|stop|run|"
    r"execute)(?:_|$)"
)
_WORDS = re.compile(r"[A-Z]{1,80}(?![a-z])|[A-Z]?[a-z]+|\d+")
_GOOD = frozenset(
    {"", "ok", "okay", "true", "yes", "success", "successful", "succeeded", "done", "completed", "complete", "200"}
)
_BAD = re.compile(
    r"(?i)^(?:error|fail|invalid|unable|abort|timed? ?out|exception|unauthori[sz]ed|not found|unsuccessful|\w*error\b)"
)
_REFUSED = re.compile(r"(?i)^(?:refus|reject|den(?:y|ied)|declin|forbid|not (?:allowed|permitted|possible))")
_BARE = frozenset(
    {"", "error", "failed", "failure", "fail", "false", "no", "refused", "rejected", "denied", "declined", "ok", "true"}
)
_TARGET = re.compile(r"(?i)(?:^|_)(?:id|number|no|ref|reference|code|order|ticket|case|item|path)$")
_PRIVATE = re.compile(
    r"(?i)pay|card|account|iban|bank|mail|phone|address|birth|dob|name|pass|token|secret|thought|note|message|"
    r"text|body|reason|user|customer"
)


class Outcome(StrEnum):
    """How one attempt ended, as far as the record says."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    ANSWERED = "answered"  # it came back with something other than a plain yes: told in the tool's own word
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Attempt:
    """One recorded action, read: what was tried, on what, and how it ended."""

    tool: str
    target: str
    outcome: Outcome
    detail: str
    looked: bool


@dataclass(frozen=True)
class Told:
    """One sentence, and the attempts it maps to (every attempt of a session is in exactly one, or was a thought)."""

    sentence: str
    attempts: tuple[Attempt, ...]


def read(
    action: Mapping[str, Any], *, side_effects: Mapping[str, bool], safe: Callable[[str], bool], skip: str = ""
) -> Attempt | None:
    """One action of an event, or None for a mere thought. `side_effects` is what the agent declared for its tools.

    `safe` says whether a text from outside may be quoted; `skip` is the subject's own id, which says nothing here.
    """
    tool = str(action.get("tool") or "").strip()
    plain = _plain(tool)
    if not plain or plain in _THOUGHT:
        return None
    looked = not side_effects[tool] if tool in side_effects else _reads_only(tool)
    outcome, said = _outcome(action)
    detail = quotable(said, safe)
    shown = plain if safe(plain) else "an action"
    return Attempt(shown, _target(action.get("arguments"), safe, skip), outcome, detail, looked)


def tell(attempts: Sequence[Attempt]) -> list[Told]:
    """The sentences: runs of attempts in the order of what happened, then the look-ups in one."""
    acted = [attempt for attempt in attempts if not attempt.looked]
    looked = tuple(attempt for attempt in attempts if attempt.looked)
    runs = list(_runs(acted))
    told = [Told(_run_told(run), run) for run in runs[:MAX_SENTENCES]]
    rest = tuple(attempt for run in runs[MAX_SENTENCES:] for attempt in run)
    if rest:
        told.append(Told(_counted(rest), rest))
    if looked:
        told.append(Told(_looked_up(looked), looked))
    if not attempts:
        told.append(Told(NO_ACTION, ()))
    return told


def _outcome(action: Mapping[str, Any]) -> tuple[Outcome, str]:
    """How the record says it ended, and the tool's own words where they say more than yes or no.

    `ok` decides; "ok" with a word that is no plain yes (partial, pending, even an error) is told in that word, so that
    no more is claimed than stands there. Without `ok` the first word of the result decides, and nothing counts as done.
    """
    ok, result = action.get("ok"), action.get("result")
    plain_value = isinstance(result, str | int | float) and not isinstance(result, bool)
    word = " ".join(str(result).split()) if plain_value else ""
    detail = str(action.get("detail") or "")
    plain = word.casefold()
    said = detail if plain in _BARE or plain in _GOOD else ": ".join(part for part in (word, detail) if part)
    if ok is False or result is False:
        return (Outcome.REFUSED if _REFUSED.match(word) else Outcome.FAILED), said
    if ok is True or result is True:
        return (Outcome.DONE if plain in _GOOD else Outcome.ANSWERED), (said if plain in _GOOD else said or word)
    if _REFUSED.match(word):
        return Outcome.REFUSED, said
    if _BAD.match(word):
        return Outcome.FAILED, said
    return (Outcome.ANSWERED, word) if word and plain not in _GOOD else (Outcome.UNKNOWN, "")


def _runs(attempts: Iterable[Attempt]) -> Iterable[tuple[Attempt, ...]]:
    """Attempts in a row at the same thing: a retry belongs to what it retries, a reversal in between parts them."""
    run: list[Attempt] = []
    for attempt in attempts:
        if run and (run[-1].tool, run[-1].target) != (attempt.tool, attempt.target):
            yield tuple(run)
            run = []
        run.append(attempt)
    if run:
        yield tuple(run)


def _run_told(run: tuple[Attempt, ...]) -> str:
    name = run[0].tool + (f" ({run[0].target})" if run[0].target else "")
    parts: list[str] = []
    position = 0
    while position < len(run):
        end = position
        while end < len(run) and (run[end].outcome, run[end].detail) == (run[position].outcome, run[position].detail):
            end += 1
        times = end - position
        parts.append(_phrase(run[position]) + (f" ({times} times)" if times > 1 else ""))
        position = end
    return _sentence(f"{name} {'; then it '.join(parts)}")


def _phrase(attempt: Attempt) -> str:
    quoted = f': "{attempt.detail}"' if attempt.detail else ""
    match attempt.outcome:
        case Outcome.DONE:
            return f"succeeded{quoted}"
        case Outcome.REFUSED:
            return f"was refused{quoted}"
        case Outcome.FAILED:
            return f"failed{quoted}"
        case Outcome.ANSWERED:
            return f'was answered with "{attempt.detail}"' if attempt.detail else "was answered"
        case Outcome.UNKNOWN:
            return "was tried, with no outcome recorded"


def _counted(rest: tuple[Attempt, ...]) -> str:
    words = {
        Outcome.DONE: "succeeded", Outcome.REFUSED: "refused", Outcome.FAILED: "failed",
        Outcome.ANSWERED: "answered", Outcome.UNKNOWN: "with no outcome recorded",
    }  # fmt: skip
    counts = [(sum(each.outcome == outcome for each in rest), word) for outcome, word in words.items()]
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{len(rest)} more {'action' if len(rest) == 1 else 'actions'}: {told}."


def _looked_up(looked: tuple[Attempt, ...]) -> str:
    """One sentence for all look-ups: what was looked up, how often, and where that did not work."""
    good: dict[str, int] = {}
    bad: dict[str, int] = {}
    for attempt in looked:
        into = bad if attempt.outcome in (Outcome.REFUSED, Outcome.FAILED) else good
        what = _looked_for(attempt.tool)
        into[what] = into.get(what, 0) + 1
    parts = []
    if good:
        parts.append("Looked up: " + _listed(good) + ".")
    if bad:
        parts.append("Look-ups that failed: " + _listed(bad) + ".")
    return " ".join(parts)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(what + (f" ({count} times)" if count > 1 else "") for what, count in sorted(counts.items())[:8])


def _looked_for(tool: str) -> str:
    first, _, rest = tool.partition(" ")
    return rest if rest and first in _READS else tool


def _plain(tool: str) -> str:
    """A tool's name in words: `process_refund` and `processRefund` are "process refund"."""
    return " ".join(word.lower() for word in _WORDS.findall(tool))[:80]


def _reads_only(tool: str) -> bool:
    """Whether the name of an undeclared tool says that it only reads."""
    words = _plain(tool).split()
    return bool(words) and words[0] in _READS and not _WRITES.search("_".join(words[1:]))


def _target(arguments: object, safe: Callable[[str], bool], skip: str) -> str:
    """The arguments that name what was acted on: short, plain, and nothing personal."""
    if not isinstance(arguments, Mapping):
        return ""
    found = []
    for name, value in arguments.items():
        shown = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not shown or shown == skip or len(shown) > 40 or _PRIVATE.search(str(name)) or shown.startswith("["):
            continue
        if len(shown.split()) <= 3 and safe(shown) and safe(_plain(str(name))):
            found.append((0 if _TARGET.search(str(name)) else 1, f"{_plain(str(name))} {shown}"))
    best = [told for rank, told in sorted(found, key=lambda pair: pair[0]) if rank == 0] or [told for _, told in found]
    return ", ".join(best[:MAX_TARGETS])


def quotable(text: str, safe: Callable[[str], bool]) -> str:
    """A detail as it may be quoted: one line, short, without quotes that would end the quotation; "" where unsafe."""
    line = " ".join(text.replace('"', "'").split())
    if not line or line[0] in "{[<" or not safe(line):  # data, markup or a mark of something taken out: no words
        return ""
    return textwrap.shorten(line, MAX_DETAIL, placeholder=" …").rstrip(".")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
