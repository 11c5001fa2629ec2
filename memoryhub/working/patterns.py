"""Where in a long text could a pattern match at all? Patterns that look only where a word they need stands.

A pattern like "(?:ignore|forget) (?:all|your) rules" can't match without "rules". What a pattern needs is read from the
pattern itself, so no list kept by hand can fall behind it; then only the places around such words are searched. Time
grows with the length of the text and, for what holds few of the words, hardly with the number of patterns.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from re import _parser  # type: ignore[attr-defined]
from typing import Final

from memoryhub.word_caches import forget_with, holds_words
from memoryhub.working.alternatives import compiled
from memoryhub.working.needed_words import FIGURE, beginnings, candidates, in_lower_case, value_of

SHORT: Final = 1500  # characters: below it a pattern is simply run, once one of its words is there
_VERY_SHORT: Final = 12  # characters: to look for words first takes longer
_LONGEST_MATCH: Final = 1200  # characters; a pattern that may match more is searched for in the whole text
_TELLING: Final = 2  # letters of a word worth looking for beside the rarest
_COST_OF_A_PLACE: Final = 30  # to look around a place takes as long as so many characters
_GRAM: Final = 3  # letters: in a short text a word is first looked for by so many of them
_KEPT: Final = 6  # texts whose grams are remembered
_PARTS: Final = 4  # times as long: what is longer holds too much that the part does not
_END_OF_RUN: Final = 28
_OPAQUE_RUN: Final = re.compile(r"[A-Za-z0-9+/=]{60,}")  # a code or a key: no sentence has a word like it
_MOST_SETS: Final = 4  # of words looked for before a pattern is run
_COST_OF_A_BEGINNING: Final = 8  # to try a place where a match would begin takes as long as so many characters


#: One letter, or two or three in a row.
Gram = str | tuple[str, ...]


class Scan:
    """A text prepared for many patterns: what stands where is looked up once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = in_lower_case(text)
        self._there: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}
        self._distinct: str | None = None

    @cached_property
    def grams(self) -> Set[Gram]:
        """Every one, two and three letters in a row, and the sign for a digit where there is one; perhaps more of them,
        as they only tell what may stand there.
        """
        return _taken_apart(self.text)[1] if len(self.text) < SHORT else _recent.grams_of(self.lowered)

    @cached_property
    def prose(self) -> "Scan":
        """The text with its keys and encoded parts blotted out, every place where it was: for what sentences say."""
        if len(self.text) < SHORT:
            return self
        blotted = _OPAQUE_RUN.sub(lambda run: "_" * len(run.group()), self.text)
        return self if blotted == self.text else Scan(blotted)

    def holds(self, word: str) -> bool:
        """Whether a lower-case word, or part of one, stands anywhere in the text."""
        there = self._there.get(word)
        if there is None:
            there = self._there[word] = self._look_for(word)
        return there

    def _look_for(self, word: str) -> bool:
        if word == FIGURE:
            return _SOME_FIGURE.search(self.text) is not None
        if word.isdigit():
            return word in self.lowered
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
        if word == FIGURE:
            yield from (match.start() for match in _FIGURES.finditer(self.text))
            return
        at = self.lowered.find(word)
        while at >= 0:
            yield at
            at = self.lowered.find(word, at + 1)

    @property
    def _vocabulary(self) -> str:
        if self._distinct is None:
            self._distinct = _words_of(self.lowered)
        return self._distinct


_ALNUM = re.compile(r"[^\W_]+")
_SOME_FIGURE = re.compile(r"\d")
_FIGURES = re.compile(r"\d{1,8}")


@holds_words(most=2)  # a long text is scanned by one step after the other
def _words_of(lowered: str) -> str:
    """Every distinct run of letters and figures once: shorter than a long text, and the same for `in`. Numbers, and
    the middle of a key or an encoded part, are left out: no pattern begins or ends in there.
    """
    readable = _OPAQUE_RUN.sub(_ends_of, lowered)
    return "\n".join(run for run in set(_ALNUM.findall(readable)) if not run.isdigit())


@holds_words(most=32)  # one step after the other asks for the same sentences, and many patterns do
def _taken_apart(text: str) -> tuple[str, Set[Gram]]:
    lowered = in_lower_case(text)
    return lowered, _recent.grams_of(lowered)


class _Recent:
    """The grams of the texts asked of last, so that a part of one is not taken apart again: it has no others."""

    def __init__(self) -> None:
        self._texts: tuple[tuple[str, Set[Gram]], ...] = ()  # replaced as a whole: threads read it without a lock

    def forget(self) -> None:
        self._texts = ()

    def grams_of(self, lowered: str) -> Set[Gram]:
        """Its grams, and perhaps those of some words around it."""
        for known, grams in self._texts:
            if len(known) <= _PARTS * len(lowered) and lowered in known:
                return grams
        behind = lowered[1:]
        grams = {*zip(lowered, behind, lowered[2:], strict=False), *zip(lowered, behind, strict=False), *lowered}
        if _SOME_FIGURE.search(lowered):
            grams.add(FIGURE)
        if len(lowered) < SHORT:
            self._texts = ((lowered, grams), *self._texts[: _KEPT - 1])
        return grams


_recent = _Recent()
forget_with(_recent.forget)


def _by_gram(words: Iterable[str]) -> dict[Gram, tuple[str, ...]]:
    """The words that may stand where a gram does."""
    found: dict[Gram, list[str]] = {}
    for word in words:
        found.setdefault(_gram_of(word), []).append(word)
    return {gram: tuple(begun) for gram, begun in found.items()}


def _one_stands(words: dict[Gram, tuple[str, ...]], grams: Set[Gram], lowered: str) -> bool:
    for gram in grams:
        for word in words[gram]:
            if word in lowered or word == FIGURE:
                return True
    return False


def _gram_of(word: str) -> Gram:
    """What a word that stands in a text puts among the text's grams."""
    return word if len(word) == 1 else tuple(word[:_GRAM])


def _ends_of(run: re.Match[str]) -> str:
    return f"{run.group()[:_END_OF_RUN]}\n{run.group()[-_END_OF_RUN:]}"


class Rule:
    """A compiled pattern that knows which words it can't do without and how long a match can be."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.written, self.flags = pattern, flags
        tree = _parser.parse(pattern, flags)
        sets = sorted(set(candidates(tree)), key=value_of, reverse=True)
        seen = sorted(set(candidates(tree, ahead=True)), key=value_of, reverse=True)
        self.needs: tuple[str, ...] | None = tuple(sorted(sets[0])) if sets else None
        self.begins = tuple(sorted(beginnings(tree) or ()))  # one of these is what every match begins with
        self.figures = any(words == {FIGURE} for words in seen)
        self._by_figures = any(words == {FIGURE} for words in sets)
        self._beside = tuple(tuple(words) for words in seen if value_of(words)[0] >= _TELLING)
        self._sets = tuple((frozenset(map(_gram_of, words)), _by_gram(words)) for words in seen[:_MOST_SETS])
        self._words = seen[:_MOST_SETS]
        self.first_words = tuple(seen[0]) if seen else ()  # one of these stands wherever it matches
        self.width = int(min(tree.getwidth()[1], _LONGEST_MATCH + 1))
        self.pattern = compiled(tree)  # last: it sorts the tree

    def search(self, scan: Scan) -> re.Match[str] | None:
        """The first match, or None."""
        return next(self.finditer(scan), None)

    def finditer(self, scan: Scan) -> Iterator[re.Match[str]]:
        """What `re.finditer` would give over the whole text."""
        if self.needs is None:
            return self.pattern.finditer(scan.text)
        if len(scan.text) < SHORT:
            return self.pattern.finditer(scan.text) if self._are_there(scan.lowered, scan.grams) else iter(())
        if self.figures and not scan.holds(FIGURE):
            return iter(())
        words_there = [word for word in self.needs if scan.holds(word)]
        if not words_there or not all(any(map(scan.holds, words)) for words in self._beside):
            return iter(())
        if self.begins:
            places = _merged(scan, [word for word in self.begins if scan.holds(word)])
            if len(places) * _COST_OF_A_BEGINNING < len(scan.text):
                return self._from(scan.text, places)
        if self.width > _LONGEST_MATCH:
            return self.pattern.finditer(scan.text)
        places = scan.places(words_there[0]) if len(words_there) == 1 else _merged(scan, words_there)
        if self._by_figures and len(scan.places(FIGURE)) < len(places):
            places = scan.places(FIGURE)
        if len(places) * (2 * self.width + _COST_OF_A_PLACE) >= len(scan.text):
            return self.pattern.finditer(scan.text)
        return self._around(scan.text, places)

    def may_match_in(self, scan: Scan) -> bool:
        """Whether one of the words it can't do without stands in the text."""
        return self.needs is None or any(map(scan.holds, self.needs))

    def may_stand_in(self, text: str) -> bool:
        """Whether a text holds one of each set of words, so that it is worth reading with the pattern."""
        if len(text) < _VERY_SHORT:
            return True
        if len(text) < SHORT:
            return self._are_there(*_taken_apart(text))
        lowered = in_lower_case(text)
        figure = _SOME_FIGURE.search(lowered) is not None
        return all(any(figure if word == FIGURE else word in lowered for word in words) for words in self._words)

    def _are_there(self, lowered: str, there: Set[Gram]) -> bool:
        """The same of a short text that is given with its grams; most often those already say no."""
        for some, words in self._sets:
            if some.isdisjoint(there) or not _one_stands(words, some & there, lowered):
                return False
        return True

    def _from(self, text: str, places: list[int]) -> Iterator[re.Match[str]]:
        """Matches that begin at one of these places."""
        done = 0
        for place in places:
            if place >= done and (match := self.pattern.match(text, place)):
                yield match
                done = match.end()

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


class Rules:
    """Rules asked of one text, in their order. In a short text those of whose words not one begins are passed over all
    at once.
    """

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules
        self._always = frozenset(number for number, rule in enumerate(self.rules) if not rule.first_words)
        by_word: dict[str, set[int]] = {}
        for number, rule in enumerate(self.rules):
            for word in rule.first_words:
                by_word.setdefault(word, set()).add(number)
        self._numbers = {word: frozenset(numbers) for word, numbers in by_word.items()}
        self._by_gram = _by_gram(self._numbers)
        self._grams = frozenset(self._by_gram)

    def that_may_match(self, scan: Scan) -> Sequence[Rule]:
        """The rules worth asking."""
        if len(scan.text) >= SHORT:
            return self.rules
        numbers = set(self._always)
        for gram in self._grams & scan.grams:
            for word in self._by_gram[gram]:
                if word in scan.lowered or word == FIGURE:
                    numbers |= self._numbers[word]
        return [self.rules[number] for number in sorted(numbers)]

    def any_matches(self, scan: Scan) -> bool:
        """Whether one of them matches somewhere."""
        return any(rule.search(scan) for rule in self.that_may_match(scan))


class Sieved:
    """A pattern for sentences, used like one of `re`: it is run only where its words stand."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.rule = Rule(pattern, flags)
        self._whole = self.rule.pattern

    def search(self, text: str) -> re.Match[str] | None:
        return self._whole.search(text) if self.rule.may_stand_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        return self._whole.match(text) if self.rule.may_stand_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._whole.finditer(text) if self.rule.may_stand_in(text) else iter(())

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self._whole.sub(instead, text) if self.rule.may_stand_in(text) else text


def _merged(scan: Scan, words: list[str]) -> list[int]:
    return sorted(place for word in words for place in scan.places(word))
