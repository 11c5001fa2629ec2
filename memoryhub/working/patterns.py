"""Where in a long text could a pattern match at all? Patterns that look only where a word they need stands.

A pattern like "(?:ignore|forget) (?:all|your) rules" can't match without "rules". What a pattern needs is read from the
pattern itself, so no list kept by hand can fall behind it; then only the places around such words are searched. Time
grows with the length of the text and, for what holds few of the words, hardly with the number of patterns.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final

SHORT: Final = 1500  # characters: below it a pattern is simply run, once one of its words is there
_LONGEST_MATCH: Final = 1200  # characters; a pattern that may match more is searched for in the whole text
_MANY_PLACES: Final = 400  # with more places than this, one pass over everything is cheaper
_WORTH: Final = 6  # a longer word makes a place no rarer
_OPAQUE = {_constants.ASSERT, _constants.ASSERT_NOT, _constants.AT, _constants.GROUPREF}


class Scan:
    """A text prepared for many patterns: what stands where is looked up once."""

    def __init__(self, text: str) -> None:
        self.text = text
        lowered = text.lower()
        self.lowered = lowered if len(lowered) == len(text) else "".join(map(_lower_alone, text))
        self._there: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}
        self._distinct: str | None = None

    def holds(self, word: str) -> bool:
        """Whether a lower-case word, or part of one, stands anywhere in the text."""
        there = self._there.get(word)
        if there is None:
            there = self._there[word] = word in (self._vocabulary if word.isalnum() else self.lowered)
        return there

    def places(self, word: str) -> list[int]:
        """Where it stands, in order; one more than _MANY_PLACES at most."""
        found = self._places.get(word)
        if found is None:
            found = []
            at = self.lowered.find(word) if self.holds(word) else -1
            while at >= 0 and len(found) <= _MANY_PLACES:
                found.append(at)
                at = self.lowered.find(word, at + 1)
            self._places[word] = found
        return found

    @property
    def _vocabulary(self) -> str:
        """Every distinct run of letters and figures once: shorter than a long text, and the same for `in`."""
        if self._distinct is None:
            self._distinct = "\n".join(set(_ALNUM.findall(self.lowered)))
        return self._distinct


_ALNUM = re.compile(r"[^\W_]+")


def _lower_alone(letter: str) -> str:
    """A letter in lower case, or as it is where that takes more than one (İ): places stay what they are in the text."""
    lowered = letter.lower()
    return lowered if len(lowered) == 1 else letter


class Rule:
    """A compiled pattern that knows which words it can't do without and how long a match can be."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = re.compile(pattern, flags)
        tree = _parser.parse(pattern, flags)
        self.needs: tuple[str, ...] | None = _needed(tree)
        self.width = int(min(tree.getwidth()[1], _LONGEST_MATCH + 1))

    def search(self, scan: Scan) -> re.Match[str] | None:
        """The first match, or None."""
        return next(self.finditer(scan), None)

    def finditer(self, scan: Scan) -> Iterator[re.Match[str]]:
        """What `re.finditer` would give over the whole text."""
        if self.needs is None:
            yield from self.pattern.finditer(scan.text)
            return
        if len(scan.text) < SHORT:
            lowered = scan.lowered
            for word in self.needs:
                if word in lowered:
                    yield from self.pattern.finditer(scan.text)
                    return
            return
        there = [word for word in self.needs if scan.holds(word)]
        if not there:
            return
        if self.width > _LONGEST_MATCH:
            yield from self.pattern.finditer(scan.text)
            return
        places = sorted(place for word in there for place in scan.places(word))
        if len(places) > _MANY_PLACES:
            yield from self.pattern.finditer(scan.text)
            return
        end = 0
        for place in places:
            if place < end - self.width:
                continue
            position = max(end, place - self.width)
            stop = place
            index = bisect_left(places, place)
            while index < len(places) and places[index] <= stop + 2 * self.width:  # places close together are one
                stop = places[index]
                index += 1
            end = min(len(scan.text), stop + 2 * self.width + 20)
            yield from self._between(scan.text, position, end)

    def _between(self, text: str, position: int, end: int) -> Iterator[re.Match[str]]:
        """Matches that begin in a part of the text. What stands behind the part is seen, so that "$" means the end."""
        while match := self.pattern.search(text, position, end):
            if match.end() == end < len(text):  # it may only look complete because the part ends here
                whole = self.pattern.match(text, match.start(), min(len(text), end + self.width + 20))
                if whole is None:
                    position = match.start() + 1
                    continue
                match = whole
            yield match
            position = max(match.end(), match.start() + 1)


def _needed(tree: Any) -> tuple[str, ...] | None:
    best: frozenset[str] | None = None
    for candidate in _candidates(tree):
        if best is None or _value(candidate) > _value(best):
            best = candidate
    return None if best is None else tuple(sorted(best))


def _value(words: frozenset[str]) -> tuple[int, int]:
    """Longer words first, then fewer of them; a letter or two is everywhere."""
    return min(_WORTH, min(len(word) for word in words)), -len(words)


def _candidates(tree: Any) -> Iterator[frozenset[str]]:
    """Sets of words of which every match of this sequence holds at least one."""
    run = ""
    for operation, argument in tree:
        if operation is _constants.LITERAL:
            run += chr(argument).lower()
            continue
        if _telling(run):
            yield frozenset({run})
        run = ""
        inner = _needed_inside(operation, argument)
        if inner is not None:
            yield inner
    if _telling(run):
        yield frozenset({run})


def _needed_inside(operation: Any, argument: Any) -> frozenset[str] | None:
    if operation in _OPAQUE:
        return None
    if operation is _constants.SUBPATTERN:
        return _set(_needed(argument[3]))
    if operation is _constants.ATOMIC_GROUP:
        return _set(_needed(argument))
    if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        return _set(_needed(repeated)) if least >= 1 else None
    if operation is _constants.BRANCH:
        branches = [_needed(branch) for branch in argument[1]]
        if all(branches):
            return frozenset(word for branch in branches if branch for word in branch)
    return None


def _set(words: tuple[str, ...] | None) -> frozenset[str] | None:
    return None if words is None else frozenset(words)


def _telling(word: str) -> bool:
    return len(word) >= 2 or (len(word) == 1 and not word.isalnum() and not word.isspace()) or word > "\u0250"
