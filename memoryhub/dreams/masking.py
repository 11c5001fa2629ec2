"""When are two findings the same? Numbers, amounts, dates and ids are masked as N; words and names are not (R73); pure.

"Order 10515 is already shipped" and "Order 10593 is already shipped" are one pattern. What differs only by a sign, a
currency, a plural or the case is one pattern too; that shows in the key, while the masked words stay readable.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from memoryhub.working.normalisation import align

MASK: Final = "N"
MAX_DEPTH: Final = 5  # of arguments that are searched for ids

_HOST = re.compile(
    r"(?i)\b(?:https?://[^\s/\"'<>]+|(?<![a-z0-9]\.)(?:[a-z0-9-]{1,63}\.){1,20}(?:com|org|net|io|gov|edu|info|dev|"
    r"app|co|ai|example|test|[a-z]{2}))(?=[/\s:,;)\"'>.]|$)(?!\.\d)"
)
#: A run of letters and digits, its pieces joined by - or _, or by . , : / between digits; masked when it holds a digit.
_PIECES = r"(?<![A-Za-z0-9])[A-Za-z0-9]+(?:(?:[-_]|(?<=\d)[.,:/\u2044'\u2019](?=\d))[A-Za-z0-9]+)*"
_RUN = re.compile(rf"(?:(?<!\w)[+\-±]?[$€£¥₹#№]\s?[+\-]?|(?<!\w)[+\-±](?=[\d$€£]))?{_PIECES}(?:\s?%)?")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
#: Months of other languages, taken for one only right after a number: "mars" and "mai" are words elsewhere.
_MONTH_ABROAD = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|januar|februar|m\u00e4rz|"
    r"mai|juni|juli|oktober|dezember|janvier|f\u00e9vrier|mars|avril|juin|juillet|ao\u00fbt|septembre|octobre|novembre|"
    r"d\u00e9cembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|mar\u00e7o|"
    r"maio|junho|julho|setembro|outubro|novembro|dezembro|januari|februari|maart|mei|augustus)"
)
_DATE_ABROAD = re.compile(rf"(?i)\bN\.?\s+(?:de\s+|d')?{_MONTH_ABROAD}\b\.?(?:\s+(?:del?\s+)?N\b)?")
_DATE_IN_SIGNS = re.compile(
    r"N\s?\u5e74(?:\s?N\s?\u6708)?(?:\s?N\s?\u65e5)?|N\s?\u6708\s?N\s?\u65e5"
)  # year, month, day
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_DATE = re.compile(
    rf"(?:\b(?i:{_DAY})\.?,?\s+)?(?:\bN\s+(?:of\s+)?(?:(?i:{_MONTH})\b|May\b)\.?(?:,?\s+N)?|\b(?:(?i:{_MONTH})|"
    rf"May)\b\.?\s+N(?:,?\s+N)?)"
)
_WEEKDAY_NUMBER = re.compile(rf"\b(?i:{_DAY}),?\s+N\b")
_UNIT = re.compile(
    r"\bN\s?(?:(?i:am|pm|a\.m\.|p\.m\.|o'clock|dollars?|euros?|pounds?|rupees?|cents?|percent)|"
    r"USD|EUR|GBP|INR|JPY|CHF|kr|GMT|UTC|CES?T|[ECMP][SD]T|IST|JST|BST)(?!\w)"
)
_UNIT_BEFORE = re.compile(r"\b(?:USD|EUR|GBP|INR|JPY|CHF|SEK|NOK|DKK|Rs\.?)\s?N\b")
#: Numbers in words; capitalised they are part of a name, and "one" is many a word.
_UNITS = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_IN_WORDS = re.compile(
    rf"(?<![\w-])(?:{_TENS}-(?:one|{_UNITS})|{_TENS}|{_UNITS})(?:\s(?:hundred|thousand|million))?(?![\w-])"
)
_LIST = re.compile(r"\bN(?:(?:\s?,\s?|\s?,?\s(?:and|or|to)\s|\s?[-–—/]\s?|\s(?=N\b))N){1,500}\b")
_SAME = {"are": "is", "were": "was", "have": "has", "do": "does", "these": "this", "those": "that"}
_PLURAL_AFTER = re.compile(r"\bn ((?:[a-z]+ )?)([a-z]{2,}?)(ies|s)\b")
_PLURAL_BEFORE = re.compile(r"\b([a-z]{2,}?)(ies|s) (?:no\.? |number )?n\b")
#: Arguments whose value is an id whatever it looks like; a name or a code of a place stays what it is.
_ID_NAME = re.compile(r"(?i)(?:^|_|\b)(?:ids?|number|ref|reference)$|[a-z]I[dD]s?$")
_ID_VALUE = re.compile(r"^(?=.*[0-9_-]|[A-Z]{3})[A-Za-z0-9_-]{3,40}")  # "refund" is a word, QWX is none
_EDGES = " \t\n.,;:!?\"'()[]"


def mask(value: str) -> str:
    """The value with every number, amount, date and id as N; otherwise its own words."""
    text = " ".join(align(value).text.split())
    hosts: list[str] = []

    def keep(match: re.Match[str]) -> str:
        hosts.append(match.group())
        return f"\x00{'h' * len(hosts)}\x00"

    text = _HOST.sub(keep, text)
    text = _RUN.sub(_masked, text)
    text = re.sub(rf"{MASK}(?:[+\-]?{MASK})+", MASK, text)
    text = re.sub(rf"(?<!\w)['\u2019]{MASK}\b", MASK, text)
    text = _IN_WORDS.sub(MASK, text)
    for form in (_DATE, _DATE_ABROAD, _DATE_IN_SIGNS, _WEEKDAY_NUMBER, _UNIT, _UNIT_BEFORE):
        text = form.sub(MASK, text)
    text = _LIST.sub(MASK, text)
    for number, host in enumerate(hosts, 1):
        text = text.replace(f"\x00{'h' * number}\x00", host)
    return " ".join(text.split())


def without_ids(value: str, ids: Iterable[str]) -> str:
    """The value with these words as N: ids that have no digit are known only from where else they stand."""
    for known in ids:
        value = re.sub(rf"(?<![A-Za-z0-9]){re.escape(known)}(?![A-Za-z0-9])", MASK, value)
    return value


def ids_in(actions: Iterable[object]) -> set[str]:
    """What the actions of a turn name as an id: short values of arguments called so, at any of a few depths."""
    found: set[str] = set()
    for action in actions:
        if isinstance(action, dict):
            found |= set(_ids(action.get("arguments"), named=False, depth=0))
    return found


def _ids(given: object, *, named: bool, depth: int) -> Iterator[str]:
    if isinstance(given, dict) and depth < MAX_DEPTH:
        for name, inner in given.items():
            yield from _ids(inner, named=bool(_ID_NAME.search(str(name))), depth=depth + 1)
    elif isinstance(given, list) and depth < MAX_DEPTH:
        for each in given:
            yield from _ids(each, named=named, depth=depth + 1)
    elif named and isinstance(given, str) and _ID_VALUE.fullmatch(given):
        yield given


def key(value: str) -> str:
    """What two values share when they are the same finding: masked, without case, plurals and the marks around it."""
    text = mask(value).casefold().strip(_EDGES)
    text = re.sub(r"\bthe n\b", "n", " ".join(_SAME.get(word, word) for word in text.split()))
    text = _PLURAL_AFTER.sub(lambda m: f"n {m.group(1)}{_singular(m.group(2), m.group(3))}", text)
    return _PLURAL_BEFORE.sub(lambda m: f"{_singular(m.group(1), m.group(2))} n", text)


def says_something(value: str) -> bool:
    """Whether words are left once everything is masked: a bare number is no finding to learn from."""
    return len(re.sub(r"\bn\b|[\W\d_]", "", key(value))) >= 3


def _masked(match: re.Match[str]) -> str:
    return MASK if any(character.isdigit() for character in match.group()) else match.group()


def _singular(stem: str, ending: str) -> str:
    if ending == "ies":
        return f"{stem}y"
    return stem + ending if stem.endswith(("s", "u", "i")) else stem
