"""How is a policy written down, and read strictly? The document is JSON or TOML; both hold the same tables.

A document may be partial: it changes only what it names. What it names has to be known and within the floors; all
faults are told at once, each under the path of its field. A role's grants are named as a whole.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final, TypeVar

from django.db.models import TextChoices

from memoryhub.errors import Invalid
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_floors import faults_of
from memoryhub.permissions import GRANTED_OPS
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode, Role, SensitiveData, Treatment

Document = dict[str, Any]
Word = TypeVar("Word", bound=TextChoices)
Value = TypeVar("Value")

_DURATION = re.compile(r"(\d{1,6}) (hour|day|week)s?")
_UNITS: Final = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}
_PATTERN: Final = "It is memory:<kind>:<op>:<category>, each by its name or '*'."


class _Fault(ValueError):
    """One value that can't be read; its words are for the person who wrote it."""


def written(policy: Policy) -> Document:
    """The whole policy as a document: `read` of it over any base gives the same policy."""
    return {
        "treatments": {str(family): str(policy.treatments[family]) for family in SensitiveData},
        "lifetimes": {str(category): told(policy.lifetimes[category]) for category in Category},
        "review_before": told(policy.review_before),
        "commit_at": policy.commit_at,
        "discard_below": policy.discard_below,
        "untrusted_claims_per_call": policy.untrusted_claims,
        "modes": {str(kind): str(policy.modes[kind]) for kind in Kind},
        "grants": {str(role): sorted(policy.grants[role]) for role in Role},
        "member_may_add": sorted(policy.member_may_add),
        "four_eyes": sorted(policy.four_eyes),
    }


def read(document: object, *, base: Policy) -> Policy:
    """`base` with what the document names changed. Raises Invalid: unknown names, wrong values, floors; all at once."""
    faults: dict[str, list[str]] = {}
    if not isinstance(document, dict):
        raise Invalid(errors={"document": ['It is a table of fields, such as {"commit_at": 0.9}.']})
    named: dict[str, Any] = {}
    for field, value in document.items():
        if field not in _FIELDS:
            faults[str(field)] = [f"There is no such field; there are: {', '.join(_FIELDS)}."]
            continue
        name, reader = _FIELDS[field]
        named[name] = reader(value, getattr(base, name), field, faults)
    policy = replace(base, **named)
    if faults := faults_of(policy) | faults:
        raise Invalid(errors=faults)
    return policy


def difference(before: Policy, after: Policy) -> list[tuple[str, str, str]]:
    """What differs, field by field in the document's order: (path, before, after)."""
    old, new = _flat(written(before)), _flat(written(after))
    return [(path, old[path], new[path]) for path in new if old[path] != new[path]]


def told(length: timedelta) -> str:
    """A length of time as a document has it: "14 days", "36 hours"."""
    hours = round(length / _UNITS["hour"])
    number, unit = (hours // 24, "day") if hours % 24 == 0 else (hours, "hour")
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _flat(document: Document) -> dict[str, str]:
    flat: dict[str, str] = {}
    for field, value in document.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for name, one in inner:
            flat[f"{field}.{name}".rstrip(".")] = ", ".join(one) if isinstance(one, list) else str(one)
    return flat


# Readers: (value, what the base has, path, faults) → the new value. A fault leaves what the base has. ---------------

Reader = Callable[[Any, Any, str, dict[str, list[str]]], Any]


def _one(convert: Callable[[object], Value]) -> Reader:
    def reader(value: object, now: Value, path: str, faults: dict[str, list[str]]) -> Value:
        try:
            return convert(value)
        except _Fault as fault:
            faults.setdefault(path, []).append(str(fault))
            return now

    return reader


def _table(words: type[Word], convert: Callable[[object], Value]) -> Reader:
    def reader(value: object, now: dict[Word, Value], path: str, faults: dict[str, list[str]]) -> Any:
        if not isinstance(value, dict):
            faults.setdefault(path, []).append("It is a table.")
            return now
        changed = dict(now)
        for name, one in value.items():
            if name not in words.values:
                faults[f"{path}.{name}"] = [f"There is no such word; there are: {', '.join(words.values)}."]
                continue
            word = words(name)
            changed[word] = _one(convert)(one, changed[word], f"{path}.{name}", faults)
        return MappingProxyType(changed)

    return reader


def _word(words: type[Word]) -> Callable[[object], Word]:
    def convert(value: object) -> Word:
        if not isinstance(value, str) or value not in words.values:
            raise _Fault(f"It is one of: {', '.join(words.values)}.")
        return words(value)

    return convert


def _length(value: object) -> timedelta:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _Fault('It is a number of hours, days or weeks, such as "14 days".')
    return int(match[1]) * _UNITS[match[2]]


_LARGEST = 1e9  # far above every threshold: neither an endless number nor one too long for a float


def _fraction(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        raise _Fault("It is a number.")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Fault("It is a whole number.")
    return value


def _patterns(value: object) -> frozenset[str]:
    patterns = _texts(value)
    for pattern in patterns:
        parts = pattern.split(":")
        allowed: tuple[Iterable[str], ...] = (
            ("memory",),
            (*Kind.values, "*"),
            (*GRANTED_OPS, "*"),
            (*Category.values, "*"),
        )
        if len(parts) != len(allowed) or any(part not in known for part, known in zip(parts, allowed, strict=True)):
            raise _Fault(f"'{pattern[:80]}' is no grant. {_PATTERN}")
    return frozenset(patterns)


def _categories(value: object) -> frozenset[Category]:
    return frozenset(_word(Category)(one) for one in _texts(value))


def _classes(value: object) -> frozenset[FourEyes]:
    return frozenset(_word(FourEyes)(one) for one in _texts(value))


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _Fault("It is a list of texts.")
    return value


#: Field of the document → attribute of Policy, and how its value is read.
_FIELDS: Final[dict[str, tuple[str, Reader]]] = {
    "treatments": ("treatments", _table(SensitiveData, _word(Treatment))),
    "lifetimes": ("lifetimes", _table(Category, _length)),
    "review_before": ("review_before", _one(_length)),
    "commit_at": ("commit_at", _one(_fraction)),
    "discard_below": ("discard_below", _one(_fraction)),
    "untrusted_claims_per_call": ("untrusted_claims", _one(_count)),
    "modes": ("modes", _table(Kind, _word(PolicyMode))),
    "grants": ("grants", _table(Role, _patterns)),
    "member_may_add": ("member_may_add", _one(_categories)),
    "four_eyes": ("four_eyes", _one(_classes)),
}
