"""What happened in a session, told from its structured actions alone? The template part of a summary (R72); pure.

A sentence is made from one run of attempts at the same thing and says no more than the record: an action without a
recorded outcome is told as tried, a failed one never as done, a read-only one at most as looked up. Quoted details come
from outside: they are left out unless they plainly report how something went (`plain_reports`).
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memoryhub.dreams.plain_reports import is_kind, is_label, is_plain_report
from memoryhub.dreams.results import Outcome, ending_of

#: Stands where nothing was done (R72).
NO_ACTION: Final = "No action was taken."
NOTHING_ELSE: Final = "No other action was taken."  # where there were look-ups alone
MAX_SENTENCES: Final = 12  # a summary is recalled within a token budget; the rest is counted, not told
MAX_TARGETS: Final = 2  # arguments that name what was acted on

#: Tools that change nothing outside the agent's own head; they are no part of what happened.
_THOUGHT = frozenset({"think", "calculate", "plan", "reflect", "reason", "scratchpad"})
_READS = frozenset(
    {"get", "list", "search", "find", "lookup", "look", "check", "read", "fetch", "query", "view", "show", "describe",
     "retrieve", "inspect", "browse", "preview", "compare", "count", "locate", "peek"}
)  # fmt: skip
#: A name of a thing and what there is to know of it reads too (order_status); another first word may be a verb.
_NAMED: Final = """
    account appointment booking build card case claim customer delivery device flight hotel inventory invoice issue job
    loan member order parcel payment plan policy product project refund reservation room seat server service
    shipment stock subscription system task ticket transaction transfer user weather
"""
_THINGS = frozenset(_NAMED.split())
_FACTS = frozenset({"status", "details", "info", "information", "history", "balance"})
#: What a name that begins like a look-up may go on with when it is none: check_in, get_rid_of, list_for_sale.
_WRITES = re.compile(
    r"\b(?:or|and|then|set|create|update|delete|remove|add|send|book|cancel|refund|pay|post|put|write|save|close|open|"
    r"approve|reject|issue|transfer|charge|submit|buy|reset|change|modify|assign|move|start|stop|run|execute|"
    r"in|out|off|rid|after|sale|aloud|replace|store|register|renew|extend|apply|sign|publish|upload|deploy|merge|commit|"
    r"push|install|insert|append|edit|rename|archive|restore|mark|lock|unlock|enable|disable|grant|revoke|accept|confirm|"
    r"block|schedule|dispatch|ship|return|swap|exchange|upgrade|release|claim|log|record|notify|email|mail|call|sell|"
    r"drop|clear|purge|sync|import|convert|fix|repair|redeem|reserve|subscribe|unsubscribe|invite|share|print)\b"
)
#: "Look up X", "search for X": what stands between the reading and what is read.
_BETWEEN = frozenset({"up", "for", "all", "the"})
_TARGET = re.compile(r"(?i)(?:^|_)(?:id|number|no|ref|reference|code|order|ticket|case|item|path)$")
_WAY: Final = (
    re.compile(r"\b(?:origin|from|source|departure|pickup)\b"),
    re.compile(r"\b(?:destination|to|target|arrival|dropoff)\b"),
)
_PRIVATE = re.compile(
    r"(?i)pay|card|account|iban|bank|mail|phone|address|birth|dob|name|pass|token|secret|thought|note|message|text|body|reason|user|customer"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BARE = re.compile(r"(?i)yes|no|ok|okay|true|false|none|null|nan|[+-]?\d{1,12}(?:\.\d{1,4})?")
_AN_ACTION: Final = "an action"  # whose name may not be told
_LOOKED: Final = "Looked up"
_LOOKED_IN_VAIN: Final = "Look-ups that failed"
_LOOKED_UNTOLD: Final = "Look-ups with no outcome recorded"
_LISTED: Final = 8  # kinds of look-ups named; the rest is counted


@dataclass(frozen=True)
class Attempt:
    """One recorded action, read: what was tried, on what, and how it ended. `given` tells one set of arguments from
    another, `parts` how many parts of a result in parts did not work, of how many.
    """

    tool: str
    target: str
    outcome: Outcome
    detail: str
    looked: bool
    given: str = field(default="", repr=False)
    parts: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Told:
    """One sentence, and the attempts it maps to (every attempt of a session is in exactly one, or was a thought)."""

    sentence: str
    attempts: tuple[Attempt, ...]


def read(
    action: Mapping[str, Any],
    *,
    side_effects: Mapping[str, bool],
    safe: Callable[[str], bool],
    skip: str = "",
    quoting: bool = True,
) -> Attempt | None:
    """One action of an event, or None for a mere thought. `side_effects` is what the agent declared for its tools.

    `safe` says whether a text from outside may be told; `skip` is the subject's own id, which says nothing here.
    Without `quoting` nothing the tool said is told, only how it ended.
    """
    name = str(action.get("tool") or "").strip()
    plain = _plain(name)
    if not name or (plain in _THOUGHT and not side_effects.get(name)):
        return None
    looked = not side_effects[name] if name in side_effects else _reads_only(plain)
    ending = ending_of(action, looked=looked)
    return Attempt(
        tool=plain if plain and name[0] != "[" and is_label(plain) and safe(plain) else _AN_ACTION,
        target=_target(action.get("arguments"), safe, skip),
        outcome=ending.outcome,
        detail=quotable(ending.said, safe, bare=ending.outcome == Outcome.ANSWERED) if quoting else "",
        looked=looked,
        given=json.dumps([name, action.get("arguments")], sort_keys=True, default=str),
        parts=ending.parts,
    )


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
        told.append(Told(_looked_up(looked) + ("" if acted else f" {NOTHING_ELSE}"), looked))
    if not attempts:
        told.append(Told(NO_ACTION, ()))
    return told


def _runs(attempts: Iterable[Attempt]) -> Iterable[tuple[Attempt, ...]]:
    """Attempts in a row at the same thing: a retry belongs to what it retries, a reversal in between parts them."""
    run: list[Attempt] = []
    for attempt in attempts:
        if run and not _is_retry(run[-1], attempt):
            yield tuple(run)
            run = []
        run.append(attempt)
    if run:
        yield tuple(run)


def _is_retry(before: Attempt, after: Attempt) -> bool:
    """Whether it is the same thing tried again; of actions that are not named only the very same."""
    if before.tool == _AN_ACTION or after.tool == _AN_ACTION:
        return before.given == after.given
    return (before.tool, before.target) == (after.tool, after.target)


def _run_told(run: tuple[Attempt, ...]) -> str:
    name = run[0].tool + (f" ({run[0].target})" if run[0].target else "")
    told = ""
    position = 0
    while position < len(run):
        end = position
        while end < len(run) and _told_alike(run[end], run[position]):
            end += 1
        if position:
            same = all(each.given == run[position - 1].given for each in run[position:end])
            told += "; then it " if same else "; then, with other arguments, it "
        times = end - position
        told += _phrase(run[position]) + (f" ({times} times)" if times > 1 else "")
        position = end
    return _sentence(f"{name} {told}")


def _told_alike(one: Attempt, other: Attempt) -> bool:
    return (one.outcome, one.detail, one.parts) == (other.outcome, other.detail, other.parts)


def _phrase(attempt: Attempt) -> str:
    quoted = f': "{attempt.detail}"' if attempt.detail else ""
    match attempt.outcome:
        case Outcome.DONE:
            return f"succeeded{quoted}"
        case Outcome.PARTLY:
            return f"worked only in part ({attempt.parts[0]} of {attempt.parts[1]} parts did not){quoted}"
        case Outcome.FAULTY:
            return f"came back with an error{quoted}"
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
        Outcome.DONE: "succeeded", Outcome.PARTLY: "worked only in part", Outcome.REFUSED: "refused",
        Outcome.FAILED: "failed", Outcome.FAULTY: "came back with an error", Outcome.ANSWERED: "answered",
        Outcome.UNKNOWN: "with no outcome recorded",
    }  # fmt: skip
    counts = [(sum(each.outcome == outcome for each in rest), word) for outcome, word in words.items()]
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{len(rest)} more {'action' if len(rest) == 1 else 'actions'}: {told}."


def _looked_up(looked: tuple[Attempt, ...]) -> str:
    """One sentence for each way look-ups went: what was looked up, how often, and where that did not work."""
    heads: dict[str, dict[str, int]] = {_LOOKED: {}, _LOOKED_IN_VAIN: {}, _LOOKED_UNTOLD: {}}
    for attempt in looked:
        counts, what = heads[_went(attempt)], _looked_for(attempt.tool)
        counts[what] = counts.get(what, 0) + 1
    return " ".join(f"{head}: {_listed(counts)}." for head, counts in heads.items() if counts)


def _went(attempt: Attempt) -> str:
    match attempt.outcome:
        case Outcome.REFUSED | Outcome.FAILED | Outcome.FAULTY:
            return _LOOKED_IN_VAIN
        case Outcome.UNKNOWN:
            return _LOOKED_UNTOLD
        case _:
            return _LOOKED


def _listed(counts: Mapping[str, int]) -> str:
    named = sorted(counts.items())
    told = [what + (f" ({count} times)" if count > 1 else "") for what, count in named[:_LISTED]]
    more = sum(count for _, count in named[_LISTED:])
    return ", ".join(told) + (f" and {more} more" if more else "")


def _looked_for(tool: str) -> str:
    first, *rest = tool.split()
    while rest and rest[0] in _BETWEEN:
        rest.pop(0)
    return " ".join(rest) if rest and first in _READS and rest[0] != "by" else tool


def _plain(tool: str) -> str:
    """A tool's name in words: `process_refund` and `processRefund` are "process refund"; scripts stay what they are."""
    spaced = _CAMEL.sub(" ", tool)
    kept = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in spaced)
    return " ".join(kept.lower().split())[:80].rstrip()


def _reads_only(plain: str) -> bool:
    """Whether the name of an undeclared tool says that it only reads."""
    first, _, rest = plain.partition(" ")
    reads = first in _READS or (first in _THINGS and rest in _FACTS)
    return reads and not _WRITES.search(rest)


def _rank(name: str) -> int:
    """What says best what was acted on: its id, then from where to where, then anything else as it comes."""
    if _TARGET.search(name):
        return 0
    plain = _plain(name)
    return next((place for place, pattern in enumerate(_WAY, 1) if pattern.search(plain)), len(_WAY) + 1)


def _target(arguments: object, safe: Callable[[str], bool], skip: str) -> str:
    """The arguments that name what was acted on: short, plain, and nothing personal."""
    if not isinstance(arguments, Mapping):
        return ""
    found = []
    for name, value in arguments.items():
        shown = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not shown or shown == skip or len(shown) > 40 or _PRIVATE.search(str(name)) or shown.startswith("["):
            continue
        if len(shown.split()) <= 3 and is_label(shown) and safe(shown) and safe(_plain(str(name))):
            found.append((_rank(str(name)), f"{_plain(str(name))} {shown}"))
    found.sort(key=lambda pair: pair[0])
    named = [told for rank, told in found if rank == found[0][0] == 0]
    return ", ".join((named or [told for _, told in found])[:MAX_TARGETS])


def seen(observations: Iterable[object], *, safe: Callable[[str], bool]) -> str:
    """Which kinds of things were observed where no action was recorded, or ""; never what they said."""
    counts: dict[str, int] = {}
    for each in observations:
        kind = _plain(str(each.get("kind") or "")) if isinstance(each, Mapping) else ""
        if kind and is_kind(kind) and safe(kind):
            counts[kind] = counts.get(kind, 0) + 1
    return f"Seen: {_listed(counts)}." if counts else ""


def quotable(text: str, safe: Callable[[str], bool], *, bare: bool = False) -> str:
    """A detail as it may be quoted: one line that plainly reports, with no quotes that would end the quotation; or "".

    A mere yes, no or number explains nothing; it is quoted only as an answer of its own (`bare`).
    """
    line = " ".join(text.replace('"', "'").split()).rstrip(".")
    if _BARE.fullmatch(line):
        return line if bare and safe(line) else ""
    return line if is_plain_report(line) and safe(line) else ""


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
