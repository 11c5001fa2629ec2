"""Which values fill a place in a sentence, how else may one be written, and what does another person's "my" become?"""

import random
import re
from typing import Final

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "tomorrow", "next Friday")
_PLACES: Final = (
    "Lisbon", "Oslo", "Vienna", "Denver", "Kyoto", "Porto", "Hamburg", "Turin", "Leeds", "Quito", "Boston", "Cork",
    "Nantes", "Malmö", "Austin", "Perth", "Plovdiv", "Utrecht", "Salzburg", "Toledo", "Halifax", "Bergen", "Riga",
    "San Diego", "New Orleans", "Cape Town", "Las Vegas", "Old Town", "Mill Road", "Harbour Street", "Phoenix", "Miami",
)  # fmt: skip
_NAMES: Final = (
    "Ana", "Bruno", "Chen", "Daria", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Keiko", "Luis", "Marta",
    "Nadia", "Omar", "Petra", "Quentin", "Rosa", "Stefan", "Tamar", "Uma", "Viktor", "Wanda", "Yusuf", "Zoe", "Brown",
    "Kovacs", "Okafor", "Lindqvist", "Moreau", "Sharma", "Garcia", "Nakamura", "Petrov",
)  # fmt: skip
_COLOURS: Final = ("red", "blue", "green", "black", "white", "grey", "yellow", "brown", "large", "small", "medium")
_COMPANIES: Final = ("Nordnet", "Telvia", "Quickfone", "Bluewave", "Hartmann", "Solaris", "Fonex", "Marlowe")
_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

KINDS: Final = (
    "date", "day", "time", "amount", "number", "code", "place", "name", "colour", "company", "plan", "room", "account",
    "class", "month", "year",
)  # fmt: skip
_LISTS: Final = {
    "day": _DAYS, "place": _PLACES, "name": _NAMES, "colour": _COLOURS, "company": _COMPANIES, "month": _MONTHS,
    "plan": ("basic", "standard", "premium", "family", "student", "team", "annual", "monthly"),
    "room": ("single", "double", "twin", "family", "quiet", "corner"),
    "account": ("savings", "checking", "business", "joint", "holiday"),
    "class": ("second class", "first class", "economy", "business class", "standard", "premium economy"),
}  # fmt: skip


def value(kind: str, rng: random.Random) -> str:
    """One value of the kind, in one way of writing it."""
    if kind in _LISTS:
        return rng.choice(_LISTS[kind])
    if kind == "date":
        return written("date", (rng.randrange(12), rng.randrange(1, 29)), rng)
    if kind == "time":
        return written("time", (rng.randrange(1, 12), rng.choice((0, 0, 15, 30, 45)), rng.random() < 0.5), rng)
    if kind == "amount":
        return written("amount", (rng.choice((rng.randrange(5, 100), 10 * rng.randrange(10, 90))),), rng)
    if kind == "number":
        return rng.choice((_WORDS[rng.randrange(1, 10)], str(rng.randrange(2, 30))))
    if kind == "year":
        return str(rng.randrange(1998, 2026))
    letters = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(rng.choice((0, 0, 2, 3))))
    return letters + str(rng.randrange(100, 99999))


def written(kind: str, parts: tuple[int, ...], rng: random.Random) -> str:
    """A date, time or amount in one of its ways of writing."""
    if kind == "date":
        month, day = _MONTHS[parts[0]], parts[1]
        nth = f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
        return rng.choice(
            (f"{month} {day}", f"{day} {month}", f"{month} {nth}", f"the {nth} of {month}", f"{month[:3]} {day}")
        )
    if kind == "time":
        hour, minute, evening = parts
        half = "pm" if evening else "am"
        if minute == 0 and rng.random() < 0.6:
            return f"{hour} {half}"
        return rng.choice((f"{hour}:{minute:02d} {half}", f"{hour + 12 * evening:02d}:{minute:02d}"))
    return rng.choice((f"${parts[0]}", f"{parts[0]} dollars", f"{parts[0]} euros", f"${parts[0]}.00"))


def near(kind: str, old: str, rng: random.Random) -> str:
    """Another value of the kind; of those with digits often one that differs in a digit only."""
    if re.search(r"\d", old) and rng.random() < 0.6:
        for _ in range(5):
            digits = [place for place, letter in enumerate(old) if letter.isdigit()]
            place = rng.choice(digits)
            changed = old[:place] + rng.choice("123456789") + old[place + 1 :]
            changed = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "th", changed)
            if changed != old and not re.search(r"\b[4-9]\d\s*(?:st|nd|rd|th)\b", changed):
                return changed
    for _ in range(20):
        other = value(kind, rng)
        if other.lower() != old.lower():
            return other
    return "another " + old


_ALSO: Final = {word: str(place + 1) for place, word in enumerate(_WORDS)}
_MONTH: Final = "|".join(_MONTHS)


def rewritten(kind: str, old: str) -> str:
    """The same value in another way of writing it, where there is a simple one; else as it is."""
    if kind == "number":
        return _ALSO.get(old, {digit: word for word, digit in _ALSO.items()}.get(old, old))
    if kind == "amount":
        found = re.fullmatch(r"\$(\d+)(?:\.00)?", old)
        return (
            f"{found[1]} dollars" if found else old.replace(" dollars", "").join(("$", "")) if "dollars" in old else old
        )
    if kind == "date":
        found = re.fullmatch(rf"({_MONTH}) (\d+)(?:st|nd|rd|th)?", old)
        if found:
            return f"{found[2]} {found[1]}"
        found = re.fullmatch(rf"(\d+) ({_MONTH})", old)
        return f"{found[2]} {found[1]}" if found else old
    if kind == "time":
        found = re.fullmatch(r"(\d+) ([ap]m)", old)
        return f"{found[1]}:00 {found[2]}" if found else old
    return old


_PERSONS: Final = {
    "i'm": "they are", "i am": "they are", "i've": "they have", "i'll": "they will", "i'd": "they would",
    "i was": "they were", "we're": "they are", "we've": "they have", "we'd": "they would",
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves", "we": "they", "us": "them",
    "our": "their", "ours": "theirs", "ourselves": "themselves", "your": "the company's", "you": "the agent",
}  # fmt: skip
_FIRST_PERSON: Final = re.compile(
    r"(?<![\w'’])(?:" + "|".join(sorted(_PERSONS, key=len, reverse=True)).replace("'", "['’]") + r")(?![\w'’])",
    re.IGNORECASE,
)


def third_person(text: str) -> str:
    """What the customer says of themselves, as told of them: "my seat" becomes "their seat"."""
    return _FIRST_PERSON.sub(lambda found: _PERSONS[found[0].lower().replace("’", "'")], text)
