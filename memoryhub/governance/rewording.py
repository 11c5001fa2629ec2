"""What do other words for a statement say, and under which key do they stand? (R14, R18, R92)

A curator who edits what waits, and anybody who corrects what is in force, says something anew: the words are read by
the extraction and classified by the rules that the gate has, whatever the statement was that they take the place of.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from memoryhub import conf
from memoryhub.governance.claims import Claim, Classification, Extraction
from memoryhub.governance.classification import category_of, classify, kind_of
from memoryhub.governance.extraction import extract
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.vocabulary import Category, Channel, Form, Kind, Reason, Role, Sensitivity

_VALUE_WORDS: Final = 8  # the longest a value without a sentence around it is: an address
_UNREAD_WORDS: Final = 3  # in a language the rules do not read, only a name or two are certainly no sentence
_SPEAKS_OF_SOMEBODY: Final = re.compile(
    r"(?i)^\W*(?:i|we|my|our|he|she|they|his|her|their|the (?:customer|user|client|person|caller))\b"
)


@dataclass(frozen=True)
class Reworded:
    """An edit's words as one claim, and what it is."""

    claim: Claim
    classification: Classification


def read(entry: Entry, text: str, *, now: datetime) -> Reworded:
    """What a curator's `text` says in the place of `entry`: under its key if the words say something there, else under
    the one key they give, else under none. Of several statements the one that claims authority decides the category;
    a category that somebody named stays where the words alone give none.
    """
    claims = _as_curator(text, now, UTC).claims
    claim = _under(entry, [one for one in claims if one.key and one.value is not None], text)
    told = kind_named = Kind(entry.kind) if entry.kind == Kind.EPISODIC else None
    named = None
    if told is None and category_of(claim) == Category.GENERAL and (claim.key or "") == entry.key:
        named, kind_named = Category(entry.category), Kind(entry.kind)
    found = classify(
        claim, channel=Channel.CURATOR, role=Role.CURATOR, kind=kind_named, category=named,
        sensitivity=Sensitivity(entry.sensitivity),
    )  # fmt: skip
    strictest = _authority_in((claim, *claims))
    if told is None and strictest is not None and found.category not in AUTHORITY_CATEGORIES:
        kind = kind_of(strictest)
        found = replace(found, category=strictest, kind=kind, importance=conf.IMPORTANCE[strictest])
    return Reworded(claim, found)


def key_in(entry: Entry, text: str, *, now: datetime) -> str:
    """The key that a statement stands under once a curator has put it in these words; empty for none."""
    return entry.key if text.strip() == entry.content else read(entry, text.strip(), now=now).claim.key or ""


def claims_authority(text: str, *, now: datetime) -> bool:
    """Whether any statement in a curator's words, of whatever kind it is kept, is a limit, a right or an identity."""
    claims = _as_curator(text, now, UTC).claims
    return _authority_in((_whole(text), *claims)) is not None


def corrected(
    extraction: Extraction, corrects: Entry, text: str, *, said_at: datetime, zone: tzinfo, keyed: bool
) -> Extraction:
    """One claim that takes the corrected entry's place.

    It stands under the old key where the words say something under it, where they are about it, or are no more than a
    value; `keyed`: the caller gave the value under the key. Words about another key stand under that, all others under
    none, so that a later change of the old key leaves them alone.
    """
    under = (corrects.entity or "subject", corrects.key)
    found = next((claim for claim in extraction.claims if (claim.entity, claim.key or "") == under), None)
    if found is None and corrects.key and not keyed:
        found = _elsewhere(extraction, corrects, text, said_at=said_at, zone=zone)
    claim = found or replace(
        _whole(text), entity=under[0], key=corrects.key or None, value=text if corrects.key else None,
        category_hint=Category(corrects.category),
    )  # fmt: skip
    claim = replace(claim, text=text, quote=text)
    if is_under(claim, corrects):  # what held until a day still does
        claim = replace(claim, single=corrects.single, valid_to=claim.valid_to or corrects.valid_to)
    return replace(extraction, claims=(claim,), reason=None)


def is_under(claim: Claim, entry: Entry) -> bool:
    """Whether a claim stands under an entry's key, or both under none."""
    return (claim.key or "") == entry.key and (not entry.key or claim.entity == (entry.entity or "subject"))


def _elsewhere(extraction: Extraction, corrects: Entry, text: str, *, said_at: datetime, zone: tzinfo) -> Claim | None:
    """The claim for words that say nothing under the corrected key; None where they are meant for it all the same."""
    named = [claim for claim in extraction.claims if claim.key and not claim.ends_key]
    before = {claim.key for claim in _as_curator(corrects.content, said_at, zone).claims if claim.key}
    if named:
        again = next((claim for claim in named if claim.key in before and corrects.key not in before), None)
        if again is not None:  # the key has a name of its caller's own; the old words were read just so
            return replace(again, entity=corrects.entity or "subject", key=corrects.key)
        return named[0] if len(named) == 1 else _whole(text)
    words = normalised(text)
    if re.search(rf"(?<!\w){re.escape(corrects.key.replace('_', ' '))}(?!\w)", words):
        return None
    if corrects.key not in before and _mostly_the_same(words, normalised(corrects.content)):
        return None
    return None if _is_a_value(text, said_at, zone) else replace(_whole(text), category_hint=_hint(extraction))


def _is_a_value(text: str, said_at: datetime, zone: tzinfo) -> bool:
    """Whether words are no sentence: "Bonn", "in Bonn", an address."""
    if _SPEAKS_OF_SOMEBODY.search(text):
        return False
    read_as = extract(text, said_at=said_at, zone=zone, channel=Channel.USER_MESSAGE)
    limit = _UNREAD_WORDS if read_as.reason == Reason.LANGUAGE_NOT_HANDLED else _VALUE_WORDS
    return not read_as.claims and len(text.split()) <= limit


def _mostly_the_same(words: str, before: str) -> bool:
    told, known = set(words.split()), set(before.split())
    return bool(told) and 2 * len(told & known) > len(told)


def _under(entry: Entry, keyed: list[Claim], text: str) -> Claim:
    claim = next((one for one in keyed if is_under(one, entry)), keyed[0] if len(keyed) == 1 else _whole(text))
    return replace(claim, text=text)


def _authority_in(claims: Iterable[Claim]) -> Category | None:
    return next((found for one in claims if (found := category_of(one)) in AUTHORITY_CATEGORIES), None)


def _hint(extraction: Extraction) -> Category | None:
    return extraction.claims[0].category_hint if len(extraction.claims) == 1 else None


def _as_curator(text: str, said_at: datetime, zone: tzinfo) -> Extraction:
    return extract(text, said_at=said_at, zone=zone, channel=Channel.CURATOR)


def _whole(text: str) -> Claim:
    return Claim(text=text.strip(), quote=text.strip(), form=Form.ASSERTION)
