"""Which values does a text name: dates, times, amounts, numbers, ids, names and places? In which slot is each? (R72)

Two values are the same when their canonical forms are: "May 21st" and "21 May", "5pm" and "17:00", "two" and "2".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memoryhub.working.normalisation import listed


class ValueKind(StrEnum):
    """What a value is; of one kind the latest counts."""

    DATE = "date"
    TIME = "time"
    AMOUNT = "amount"
    ID = "id"
    NUMBER = "number"
    NAME = "name"


@dataclass(frozen=True)
class Value:
    """One value as it stands: `same` is what two mentions of it share, `of` what it counts or which shape an id has;
    `relative`: only who knows the day it was said on knows what it means ("tomorrow").
    """

    kind: ValueKind
    same: str
    of: str
    slot: str
    relative: bool
    start: int
    end: int


_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        listed(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen "
            "nineteen twenty"
        ),
        1,
    )
} | {
    "both": "2",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "hundred": "100",
    "dozen": "12",
    "couple": "2",
    "half": "half",
    "first": "1st",
    "second": "2nd",
    "third": "3rd",
    "fourth": "4th",
    "fifth": "5th",
}
_WORDED = "|".join(_NUMBERS)
_SLOTS = r"from|to|for|at|in|on|by|until|till|between|into|via|near|with|under|before|after|starting|through|than"
_SLOT = re.compile(
    rf"(?i)\b(?P<slot>{_SLOTS})\s{{1,9}}(?:(?:the|my|our|their|a|an|around|about|approximately|flight|room|number|"
    rf"no\.?|"
    rf"booking|reservation)\s{{1,9}}){{0,12}}$"
)
_FOUND = re.compile(
    rf"""(?ix)
      (?P<iso>\b(?P<iy>\d{{4}})-(?P<im>\d\d)-(?P<id>\d\d)\b)
    | (?P<md>\b(?P<m1>{_MONTH})\.?\s{{1,9}}(?:the\s{{1,9}})?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:\d])
        (?!\s?(?:am|pm)\b)
        (?:,?\s{{1,9}}(?:20\d\d)\b)?)
    | (?P<dm>\b(?:the\s{{1,9}})?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s{{1,9}}(?:of\s{{1,9}})?(?P<m2>{_MONTH})\b
        (?:,?\s{{1,9}}(?:20\d\d)\b)?)
    | (?P<slash>\b\d{{1,2}}[/.]\d{{1,2}}(?:[/.]\d{{2,4}})?\b(?!\s?(?:%|[ap]m)))
    | (?P<nth>\b(?:the\s{{1,9}})?(?P<dn>\d{{1,2}})(?:st|nd|rd|th)\b
        (?!\s{{1,9}}(?:floor|street|st|ave|avenue|time|row|one|option)))
    | (?P<day>\b(?:next\s{{1,9}}|last\s{{1,9}}|this\s{{1,9}})?{_DAY}\b)
    | (?P<rel>\b(?:today|tomorrows?|tonight|yesterday|
        (?:this|next|last|coming|following)\s{{1,9}}(?:morning|afternoon|evening|night|week|weekend|month|year)|
        day\s{{1,9}}after\s{{1,9}}tomorrow)\b)
    | (?P<month>\b(?:january|february|april|june|july|august|september|october|november|december|
        (?<=in\s)(?:march|may))\b)
    | (?P<time>\b(?P<h>\d{{1,2}})(?:[:.](?P<mi>\d\d))?\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?|o'?clock)|
        \b(?P<h24>\d{{1,2}}):(?P<mi24>\d\d)\b|
        \b(?:noon|midday|midnight|morning|afternoon|evening)\b)
    | (?P<amount>[$€£¥₹]\s?(?P<a1>\d[\d,]{{0,60}}(?:\.\d{{1,60}})?)(?:\s?[kK]\b)?|
        \b(?P<a2>\d[\d,]{{0,60}}(?:\.\d{{1,60}})?)\s?(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|cents?|rupees?|percent|%))
    | (?P<ident>\#\s?\w{{1,60}}(?:-\w{{1,60}}){{0,12}}|
        \b(?=[\w-]{{0,60}}\d)(?=[\w-]{{0,60}}[a-z_])\w{{1,60}}(?:[-_]\w{{1,60}}){{0,12}}(?<!\d(?:st|nd|rd|th))\b|
        \b\d{{1,60}}(?:-\d{{1,60}}){{1,12}}\b|\b\d{{5,}}\b)
    | (?P<number>\b\d{{1,60}}(?:[.,]\d{{1,60}}){{0,12}}\b|\b(?:{_WORDED})\b)
    """
)
_UNIT = re.compile(
    r"(?i)^[\s-]{0,60}(?:(?:more|extra|additional|of|the|my|our|new|full|large|small|checked|adult|other|separate|"
    r"a)[\s-]{1,60}){0,12}(?P<unit>[a-z]{1,60})"
)
#: What has a number of its own: "room 12" counts no rooms.
_NUMBERED = re.compile(
    r"(?i)\b(?P<what>room|gate|platform|floor|desk|seat|table|number|terminal|version|unit|apartment|flat|track|"
    r"door|line|"
    r"locker|hall|building|coach|carriage|cabin|row|page|step|zone|lane|bay|channel|level|stop)\s{1,9}$"
)
_NO_UNIT = frozenset(
    listed(
        "at in on for to from by with and or is are was were please if until till as but so because that which then i "
        "we it you would will should could might may can seems sounds makes instead "
        "now then rather altogether total each only too also per"
    )
)
#: Capitals inside a sentence; the first word of one may be any word.
_NAME = re.compile(
    r"[A-Z][\w'’&.-]{0,60}[\w](?:[ -](?:of |de |del |la |le |von |van |the )?[A-Z][\w'’&.-]{0,60}\w){0,12}|"
    r"\b[A-Z]{2,}\b"
)
_NO_NAMES = frozenset(
    listed(
        "i i'm i'd i'll i've monday tuesday wednesday thursday friday saturday sunday january february march april "
        "may june july august september "
        "october november december mondays tuesdays wednesdays thursdays fridays saturdays sundays ok okay id asap am "
        "pm pin the hi hello yes no "
        "please thanks jan feb mar apr jun jul aug sep sept oct nov dec pdf usb tv faq sms est pst cet gmt utc mr "
        "mrs ms dr"
    )
)
_SENTENCE_START = re.compile(r"(?:^|[.!?…:;\n\"“(]\s{0,9}|[-*•]\s{1,9})$")


def values(text: str) -> tuple[Value, ...]:
    """Every value of the text, in order; none overlaps another."""
    found = list(_numeric(text))
    taken = [(value.start, value.end) for value in found]
    found += [name for name in _names(text) if not any(start < name.end and name.start < end for start, end in taken)]
    return tuple(sorted(found, key=lambda value: value.start))


def _numeric(text: str) -> Iterator[Value]:
    for match in _FOUND.finditer(text):
        kind, same, of = _read(match, text)
        if same:
            relative = bool(match["rel"]) or bool(re.match(r"(?i)(?:next|last|this)\s", match["day"] or ""))
            yield Value(kind, same, of, _slot(text, match.start()), relative, match.start(), match.end())


def _read(match: re.Match[str], text: str) -> tuple[ValueKind, str, str]:
    words = " ".join(match.group().lower().split())
    if match["iso"]:
        return ValueKind.DATE, f"{int(match['im'])}-{int(match['id'])}", "day"
    if match["md"]:
        return ValueKind.DATE, f"{_MONTHS[match['m1'][:3].lower()]}-{int(match['d1'])}", "day"
    if match["dm"]:
        return ValueKind.DATE, f"{_MONTHS[match['m2'][:3].lower()]}-{int(match['d2'])}", "day"
    if match["nth"]:
        return ValueKind.DATE, f"?-{int(match['dn'])}", "day"
    if match["slash"] or match["day"] or match["rel"] or match["month"]:
        return ValueKind.DATE, re.sub(r"^(?:this) (?=\w+day)|(?<=day)s$", "", words), "day"
    if match["time"]:
        return ValueKind.TIME, _clock(match, words), "time"
    if match["amount"]:
        return (
            ValueKind.AMOUNT,
            (match["a1"] or match["a2"]).replace(",", "").removesuffix(".00") + _currency(words),
            "%" if words.endswith(("%", "percent")) else "money",
        )
    if match["ident"]:
        same = words.lstrip("# ")
        if not re.search(r"\d", same):
            return ValueKind.ID, "", ""
        return ValueKind.ID, same, re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "9", same))
    number = _NUMBERS.get(words, words.replace(",", ""))
    unit = _UNIT.match(text[match.end() :])
    if named := _NUMBERED.search(text[: match.start()]):
        return ValueKind.NUMBER, number, named["what"].lower()
    of = unit["unit"].lower() if unit and unit["unit"].lower() not in _NO_UNIT else ""
    return (ValueKind.NUMBER, number, re.sub(r"(?<=\w\w)s$", "", of)) if words != "one" else (ValueKind.NUMBER, "", "")


_CURRENCIES: Final = (
    ("$", r"\$|dollar|buck|usd"), ("€", "€|euro?"), ("£", "£|pound|gbp"), ("¥", "¥"), ("₹", "₹|rupee"), ("c", "cent"),
)  # fmt: skip


def _currency(words: str) -> str:
    return next((sign for sign, pattern in _CURRENCIES if re.search(rf"(?:{pattern})(?!cent)", words)), "")


def _clock(match: re.Match[str], words: str) -> str:
    if match["h24"]:
        return f"{int(match['h24'])}:{match['mi24']}"
    if not match["h"]:
        return {"midday": "12:00", "noon": "12:00", "midnight": "0:00"}.get(words, words)
    hour, half = int(match["h"]), (match["half"] or "")[0].lower()
    if half == "p" and hour < 12:
        hour += 12
    return f"{0 if half == 'a' and hour == 12 else hour}:{match['mi'] or '00'}"


def _names(text: str) -> Iterator[Value]:
    for match in _NAME.finditer(text):
        start, words = match.start(), match.group()
        if _SENTENCE_START.search(text[:start]):
            head, _, rest = words.partition(" ")
            if not rest or head.isupper():
                continue
            start, words = start + len(head) + 1, rest
        kept = [word for word in words.split() if word.lower().replace("’", "'") not in _NO_NAMES]
        if kept and not words.lower().replace("’", "'").startswith(("i'", "i ")) and words.lower() not in _NO_NAMES:
            yield Value(ValueKind.NAME, _plain_name(words), "name", _slot(text, start), False, start, match.end())


def _plain_name(words: str) -> str:
    return re.sub(r"['’]s$", "", words.lower())


def _slot(text: str, start: int) -> str:
    match = _SLOT.search(text[max(0, start - 50) : start])
    return match["slot"].lower() if match else ""
