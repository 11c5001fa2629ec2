"""Which words can't a pattern do without, and with which does it begin? Read from its parsed tree.

Words are in lower case; a text is looked through in lower case as well.
"""

from collections.abc import Iterable, Iterator
from re import _constants  # type: ignore[attr-defined]
from typing import Any, Final

_WORTH: Final = 6  # a longer word makes a place no rarer
FIGURE: Final = "\0"  # stands for any digit among the words a pattern needs
_MOST_SPELLINGS: Final = 40  # of one word with several letters possible at a place
_MOST_ALIKE: Final = 4  # of one letter again and again
_OPAQUE = {_constants.ASSERT, _constants.ASSERT_NOT, _constants.AT, _constants.GROUPREF}


#: Letters that a pattern without regard to case takes for one another although each is a small one.
_TWINS: Final = str.maketrans("ıſςµ", "isσμ")


def in_lower_case(text: str) -> str:
    """A text as words are looked for in it, every letter where it was: one alone (İ) would become two."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").lower().translate(_TWINS)


def _needed(tree: Any, ahead: bool) -> frozenset[str] | None:
    return max(candidates(tree, ahead), key=value_of, default=None)


def value_of(words: frozenset[str]) -> tuple[float, int]:
    """Longer words first, then fewer of them; a letter or two is everywhere."""
    return min(_WORTH, *(_rarity(word) for word in words)), -len(words)


def _rarity(word: str) -> float:
    return 2.5 if word == FIGURE else sum(2 if character > "\u0250" else 1 for character in word)


def candidates(tree: Any, ahead: bool = False) -> Iterator[frozenset[str]]:
    """Sets of words of which every match of this sequence holds at least one; `ahead`: or sees it before itself."""
    runs = [""]
    for operation, argument in tree:
        letters = _letters(operation, argument)
        if letters and len(runs) * len(letters) <= _MOST_SPELLINGS:
            runs = [run + letter for run in runs for letter in letters]
            continue
        if all(map(_telling, runs)):
            yield frozenset(runs)
        runs = [""]
        inner = _needed_inside(operation, argument, ahead)
        if inner is not None:
            yield inner
    if all(map(_telling, runs)):
        yield frozenset(runs)


def beginnings(tree: Any) -> frozenset[str] | None:
    """Words with one of which every match of this sequence begins; None where it may begin otherwise."""
    return _begun(list(tree))


def _begun(parts: list[Any]) -> frozenset[str] | None:
    runs = [""]
    for place, (operation, argument) in enumerate(parts):
        if operation in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
            continue
        letters = _letters(operation, argument)
        if letters and len(runs) * len(letters) <= _MOST_SPELLINGS:
            runs = [run + letter for run in runs for letter in letters]
            continue
        inner = _begun_inside(operation, argument, parts[place + 1 :]) if runs == [""] else None
        return inner or _telling_ones(runs)
    return _telling_ones(runs)


def _begun_inside(operation: Any, argument: Any, behind: list[Any]) -> frozenset[str] | None:
    ways: list[frozenset[str] | None] = []
    if operation is _constants.SUBPATTERN:
        ways = [_begun(list(argument[3]))]
    elif operation is _constants.BRANCH:
        ways = [_begun(list(branch)) for branch in argument[1]]
    elif operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        ways = [_begun(list(repeated))] if least else [_begun(list(repeated)), _begun(behind)]
    return frozenset(word for words in ways if words for word in words) if ways and all(ways) else None


def _telling_ones(runs: Iterable[str]) -> frozenset[str] | None:
    words = frozenset(runs)
    return words if all(len(word) >= 2 or _telling(word) for word in words) else None


def _letters(operation: Any, argument: Any) -> list[str]:
    """The few characters that can stand at a place, "" where it may be empty; none when too many could."""
    if operation is _constants.MAX_REPEAT and argument[:2] == (0, 1) and len(argument[2]) == 1:
        letters = _letters(*argument[2][0])
        return ["", *letters] if letters else []
    if operation is _constants.LITERAL:
        return [in_lower_case(chr(argument))]
    if operation is _constants.IN and all(kind is _constants.LITERAL for kind, _ in argument):
        return list(dict.fromkeys(in_lower_case(chr(code)) for _, code in argument))
    return []


def _needed_inside(operation: Any, argument: Any, ahead: bool) -> frozenset[str] | None:
    if ahead and operation is _constants.ASSERT and argument[0] > 0:
        return _needed(argument[1], ahead)
    if operation in _OPAQUE:
        return None
    if operation is _constants.IN:
        figures = all(kind is _constants.CATEGORY and what is _constants.CATEGORY_DIGIT for kind, what in argument)
        return frozenset({FIGURE}) if figures else None
    if operation is _constants.SUBPATTERN:
        return _needed(argument[3], ahead)
    if operation is _constants.ATOMIC_GROUP:
        return _needed(argument, ahead)
    if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        if least > 1 and len(repeated) == 1 and repeated[0][0] is _constants.LITERAL:
            return frozenset({in_lower_case(chr(repeated[0][1])) * min(least, _MOST_ALIKE)})
        return _needed(repeated, ahead) if least >= 1 else None
    if operation is _constants.BRANCH:
        branches = [_needed(branch, ahead) for branch in argument[1]]
        if all(branches):
            return frozenset(word for branch in branches if branch for word in branch)
    return None


def _telling(word: str) -> bool:
    return len(word) >= 2 or (len(word) == 1 and not word.isalnum() and not word.isspace()) or word > "\u0250"
