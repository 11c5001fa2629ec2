"""How much of a proposal does evidence show? All of it, a part, or nothing; never more than it says (R19).

A merged change or a passed test stands behind the note about that fix as a whole. Anything else backs the value it
holds, word by word: a Makefile that names a target proves that the target exists, not how long it takes.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.governance.wording import backed_part, clauses, contains, is_shown, says_more, shown_part, stated, words
from memoryhub.models import Entry
from memoryhub.vocabulary import Category, EvidenceType, Kind

#: What a note calls the change it was about.
_A_CHANGE: Final = re.compile(
    r"(?i)\b(?:pr|mr|pull request|merge(?:d|s)?|merge request|change(?:set)?|commit)\b|[#!]\d"
)
#: A number, a measure or a yes: says nothing without the name it is written to.
_BARE: Final = re.compile(
    r"[-+]?[\d.,:]+(?:ms|s|m|h|d|kb|mb|gb|tb|k|%)?|true|false|yes|no|on|off|none|null|enabled|disabled|"
    r"(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|percent|euros?|dollars?|pounds?|[kmgt]?i?b"
)
_PIECES: Final = re.compile(r"[\n{};]|,\s")
_WRITTEN: Final = re.compile(r"\W{0,6}(?P<name>\w[\w .-]{0,60}?)[\"'`]?\s{0,3}(?:=>|:=|==|=|:)\s{0,3}(?P<value>\S.*)")
_PART: Final = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}(?![a-z])|[^\W\d_A-Za-z]{1,40}|\d{1,40}")
_NO_NAME: Final = frozenset({"the", "is", "are", "of", "a", "an", "to", "in", "our", "my", "its", "s"})


@dataclass(frozen=True)
class Shown:
    """One evidence, as it was given: `value` is what it shows, if it says."""

    type: EvidenceType
    ref: str
    value: str = ""
    session_ref: str = ""

    @property
    def stands_behind_fixes(self) -> bool:
        """Whether it is the outcome of a fix, and so backs the note about it."""
        return self.type in (EvidenceType.MERGE, EvidenceType.TEST)


@dataclass(frozen=True)
class Support:
    """`whole`: the statement as it is. Else `text`, and under a key `value`: the part that is shown; empty: nothing."""

    whole: bool = False
    text: str = ""
    value: str = ""

    def __bool__(self) -> bool:
        return self.whole or bool(self.text)


WHOLE: Final = Support(whole=True)
NOTHING: Final = Support()


def support_of(entry: Entry, shown: Shown) -> Support:
    """What of an entry's statement the evidence backs; the entry was named, or found to be about it."""
    if is_note(entry) and shown.stands_behind_fixes:
        return WHOLE
    if not shown.value:  # a merge says that a change was taken, not what is so
        return WHOLE if shown.type == EvidenceType.MERGE and not entry.key else NOTHING
    if entry.key and entry.value:
        return _under_key(entry, shown.value)
    parts = clauses(entry.content)
    backed = [told for part in parts if (told := backed_part(part, shown.value))]
    return WHOLE if backed == parts else Support(text=", ".join(backed))


def is_note(entry: Entry) -> bool:
    """Whether an entry tells what was done or learnt: what a merge can be about."""
    return entry.kind == Kind.EPISODIC or entry.category == Category.LESSON


def note_about(notes: Sequence[Entry], shown: Shown) -> Entry | None:
    """The one note of a run that is about the fix this evidence is the outcome of; None where that can't be told.

    Told by the reference it names (in its episode's evidence, its source or its words), else by being the only one that
    tells of a fix; never one that names another change.
    """
    possible = [note for note in notes if not _names_another(note, shown.ref)]
    for about in (
        [note for note in possible if _names(note, shown.ref)],
        [note for note in possible if str((note.episode or {}).get("fix") or "").strip()],
        possible,
    ):
        if about:
            return about[0] if len(about) == 1 else None
    return None


def _under_key(entry: Entry, shown: str) -> Support:
    if _is_of_another(entry, shown):
        return NOTHING
    if contains(shown, entry.value):
        parts = clauses(entry.content)
        told = [
            part
            for part in parts
            if (contains(part, entry.value) or is_shown(part, shown))
            and not says_more(part, entry.value, entry.key, shown)
        ]
        if told and len(told) == len(parts):
            return WHOLE
        return Support(text=", ".join(told) or stated(entry.key, entry.value), value=entry.value)
    part = shown_part(entry.value, shown)
    return Support(text=stated(entry.key, part), value=part) if part else NOTHING


def _is_of_another(entry: Entry, shown: str) -> bool:
    """Whether a number or a yes stands in the evidence under other names alone: "timeout = 3" is no three retries.

    A name ("MariaDB 11") tells by itself what it is; a bare value tells it only by what it is written to.
    """
    if not all(_BARE.fullmatch(word) for word in words(entry.value)):
        return False
    named = _parts(f"{entry.key} {entry.content}") - _parts(entry.value)
    found = [piece for piece in _PIECES.split(shown) if contains(piece, entry.value)]
    written = [match for piece in found if (match := _WRITTEN.match(piece)) and contains(match["value"], entry.value)]
    return bool(found) and len(written) == len(found) and not any(_share(_parts(one["name"]), named) for one in written)


def _parts(name: str) -> frozenset[str]:
    """The words of a name, taken apart at joints and humps: maxRetries, MAX_RETRIES and max-retries are the same."""
    return frozenset(part.casefold() for part in _PART.findall(name) if part.casefold() not in _NO_NAME)


def _share(some: Collection[str], others: Collection[str]) -> bool:
    """Whether two names have a word in common, in whatever ending."""
    return any(one == other or (len(one) > 3 and one[:4] == other[:4]) for one in some for other in others)


def _named_by(note: Entry) -> list[str]:
    evidence = (note.episode or {}).get("evidence")
    listed = [str(one) for one in evidence] if isinstance(evidence, list) else []
    return [*listed, note.provenance.ref]


def _names(note: Entry, ref: str) -> bool:
    return any(_same_change(one, ref) for one in _named_by(note)) or contains(note.content, ref)


def _names_another(note: Entry, ref: str) -> bool:
    changes = [one for one in _named_by(note) if _A_CHANGE.search(one)]
    return bool(changes) and not any(_same_change(one, ref) for one in changes)


def _same_change(one: str, other: str) -> bool:
    """Whether two references share what tells changes apart: their numbers and hashes, else all their words."""
    first, second = (({word for word in words(text) if any(map(str.isdigit, word))}) for text in (one, other))
    if first and second:
        return bool(first & second)
    return bool(words(one)) and words(one) == words(other)
