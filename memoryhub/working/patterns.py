"""Where in a long text could a pattern match at all? Patterns that look only where a word they need stands.

A pattern like "(?:ignore|forget) (?:all|your) rules" can't match without "rules". What a pattern needs is read from the
pattern itself, so no list kept by hand can fall behind it; then only the places around such words are searched. Time
grows with the length of the text and, for what holds few of the words, hardly with the number of patterns.
"""

import re
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final

SHORT: Final = 1500  # characters: below it a pattern is simply run, once one of its words is there
_LONGEST_MATCH: Final = 1200  # characters; a pattern that may match more is searched for in the whole text
_WORTH: Final = 6  # a longer word makes a place no rarer
_FIGURE: Final = "\0"  # stands for any digit among the words a pattern needs
_TELLING: Final = 3  # letters of a word worth looking for beside the rarest
_MOST_SPELLINGS: Final = 40  # of one word with several letters possible at a place
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
            there = self._there[word] = self._look_for(word)
        return there

    def _look_for(self, word: str) -> bool:
        if word == _FIGURE:
            return _SOME_FIGURE.search(self.text) is not None
        if word.isalnum():
            return word in self._vocabulary
        part = max(_ALNUM.findall(word), key=len, default="")
        return (not part or part in self._vocabulary) and word in self.lowered

    def places(self, word: str) -> list[int]:
        """Where it stands, in order."""
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = list(self._each(word)) if self.holds(word) else []
        return found

    def _each(self, word: str) -> Iterator[int]:
        if word == _FIGURE:
            yield from (match.start() for match in _FIGURES.finditer(self.text))
            return
        at = self.lowered.find(word)
        while at >= 0:
            yield at
            at = self.lowered.find(word, at + 1)

    @property
    def _vocabulary(self) -> str:
        """Every distinct run of letters and figures once: shorter than a long text, and the same for `in`."""
        if self._distinct is None:
            self._distinct = "\n".join(set(_ALNUM.findall(self.lowered)))
        return self._distinct


_ALNUM = re.compile(r"[^\W_]+")
_SOME_FIGURE = re.compile(r"\d")
_FIGURES = re.compile(r"\d{1,8}")


def _lower_alone(letter: str) -> str:
    """A letter in lower case, or as it is where that takes more than one (İ): places stay what they are in the text."""
    lowered = letter.lower()
    return lowered if len(lowered) == 1 else letter


class Rule:
    """A compiled pattern that knows which words it can't do without and how long a match can be."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = re.compile(pattern, flags)
        tree = _parser.parse(pattern, flags)
        sets = sorted(set(_candidates(tree)), key=_value, reverse=True)
        self.needs: tuple[str, ...] | None = tuple(sorted(sets[0])) if sets else None
        self.figures = any(words == {_FIGURE} for words in sets)
        self._beside = tuple(tuple(words) for words in sets[1:] if _value(words)[0] >= _TELLING)
        self.width = int(min(tree.getwidth()[1], _LONGEST_MATCH + 1))

    def search(self, scan: Scan) -> re.Match[str] | None:
        """The first match, or None."""
        return next(self.finditer(scan), None)

    def finditer(self, scan: Scan) -> Iterator[re.Match[str]]:
        """What `re.finditer` would give over the whole text."""
        if self.needs is None:
            return self.pattern.finditer(scan.text)
        if self.figures and not scan.holds(_FIGURE):
            return iter(())
        if len(scan.text) < SHORT:
            lowered = scan.lowered
            for word in self.needs:
                if word in lowered or word == _FIGURE:
                    return self.pattern.finditer(scan.text)
            return iter(())
        there = [word for word in self.needs if scan.holds(word)]
        if not there or not all(any(map(scan.holds, words)) for words in self._beside):
            return iter(())
        if self.width > _LONGEST_MATCH:
            return self.pattern.finditer(scan.text)
        places = scan.places(there[0]) if len(there) == 1 else sorted(at for word in there for at in scan.places(word))
        return self._around(scan.text, places)

    def _around(self, text: str, places: list[int]) -> Iterator[re.Match[str]]:
        """Matches in the parts of the text that are near a place; parts that touch are one."""
        index = 0
        done = 0
        while index < len(places):
            position = max(done, places[index] - self.width)
            stop = places[index]
            while index < len(places) and places[index] <= stop + 2 * self.width:
                stop = places[index]
                index += 1
            for match in self._between(text, position, min(len(text), stop + 2 * self.width)):
                yield match
                done = match.end()

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


def _needed(tree: Any) -> frozenset[str] | None:
    return max(_candidates(tree), key=_value, default=None)


def _value(words: frozenset[str]) -> tuple[float, int]:
    """Longer words first, then fewer of them; a letter or two is everywhere."""
    return min(_WORTH, *(_rarity(word) for word in words)), -len(words)


def _rarity(word: str) -> float:
    return 2.5 if word == _FIGURE else sum(2 if character > "\u0250" else 1 for character in word)


def _candidates(tree: Any) -> Iterator[frozenset[str]]:
    """Sets of words of which every match of this sequence holds at least one."""
    runs = [""]
    for operation, argument in tree:
        letters = _letters(operation, argument)
        if letters and len(runs) * len(letters) <= _MOST_SPELLINGS:
            runs = [run + letter for run in runs for letter in letters]
            continue
        if all(map(_telling, runs)):
            yield frozenset(runs)
        runs = [""]
        inner = _needed_inside(operation, argument)
        if inner is not None:
            yield inner
    if all(map(_telling, runs)):
        yield frozenset(runs)


def _letters(operation: Any, argument: Any) -> list[str]:
    """The few characters that can stand at a place; none when it is not one place or could be too many."""
    if operation is _constants.LITERAL:
        return [chr(argument).lower()]
    if operation is _constants.IN and all(kind is _constants.LITERAL for kind, _ in argument):
        return list(dict.fromkeys(chr(code).lower() for _, code in argument))
    return []


def _needed_inside(operation: Any, argument: Any) -> frozenset[str] | None:
    if operation in _OPAQUE:
        return None
    if operation is _constants.IN:
        figures = all(kind is _constants.CATEGORY and what is _constants.CATEGORY_DIGIT for kind, what in argument)
        return frozenset({_FIGURE}) if figures else None
    if operation is _constants.SUBPATTERN:
        return _needed(argument[3])
    if operation is _constants.ATOMIC_GROUP:
        return _needed(argument)
    if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        return _needed(repeated) if least >= 1 else None
    if operation is _constants.BRANCH:
        branches = [_needed(branch) for branch in argument[1]]
        if all(branches):
            return frozenset(word for branch in branches if branch for word in branch)
    return None


def _telling(word: str) -> bool:
    return len(word) >= 2 or (len(word) == 1 and not word.isalnum() and not word.isspace()) or word > "\u0250"
