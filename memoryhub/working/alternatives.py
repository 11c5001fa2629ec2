"""How is "(?i)(?:ignore|forget|…)" tried at a place in little time? Its words sorted by their first letter.

Where case does not count, `re` tries one alternative after the other at every place of a text, and most begin with
another letter than stands there. Sorted by that letter, and the letter compared as it is in either case, a place where
nothing can begin is passed over at once. What matches, and where, stays the same.
"""

import _sre  # type: ignore[import-not-found]
import re
from collections import defaultdict
from functools import cache
from re import _casefix, _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final

_LETTERS: Final = 0x460  # Latin, Greek and Russian; what is beyond is left as it was written
_BEYOND: Final = 0x3000  # no capital of those letters has a higher number than this
_REPEATS: Final = {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}


def compiled(tree: Any) -> re.Pattern[str]:
    """The pattern of a parsed tree, which is changed: its alternatives are sorted, those of one letter in their
    order.
    """
    flags = tree.state.flags
    if not flags & re.ASCII:
        _sort(tree, flags)
    pattern: re.Pattern[str] = _compiler.compile(tree, flags)
    return pattern


def _sort(tree: Any, flags: int) -> None:
    for place, (operation, argument) in enumerate(tree.data):
        if operation is _constants.SUBPATTERN:
            _, added, taken, inner = argument
            _sort(inner, (flags | added) & ~taken)
        elif operation in _REPEATS:
            _sort(argument[2], flags)
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            _sort(argument[1], flags)
        elif operation is _constants.ATOMIC_GROUP:
            _sort(argument, flags)
        elif operation is _constants.BRANCH:
            for alternative in argument[1]:
                _sort(alternative, flags)
            if flags & re.IGNORECASE:
                tree.data[place] = (_constants.BRANCH, (None, _by_first_letter(argument[1], tree.state)))


def _by_first_letter(alternatives: list[Any], state: Any) -> list[Any]:
    """One alternative for each first letter; one that begins otherwise keeps its place among those before and after."""
    sorted_so_far: list[tuple[tuple[int, ...], list[Any]]] = []
    open_ones: dict[tuple[int, ...], list[Any]] = {}
    for alternative in alternatives:
        letter = _first_letter(alternative)
        if not letter:
            open_ones = {}
            sorted_so_far.append(((), [alternative]))
            continue
        if letter not in open_ones:
            open_ones[letter] = []
            sorted_so_far.append((letter, open_ones[letter]))
        open_ones[letter].append(_parser.SubPattern(state, alternative.data[1:]))
    return [_begun(letter, rests, state) if letter else rests[0] for letter, rests in sorted_so_far]


def _begun(letter: tuple[int, ...], rests: list[Any], state: Any) -> Any:
    """What begins with this letter, in either case, and goes on with one of these."""
    one = _parser.SubPattern(state, [(_constants.IN, [(_constants.LITERAL, code) for code in letter])])
    first = (_constants.SUBPATTERN, (None, 0, re.IGNORECASE, one))
    rest = rests[0].data if len(rests) == 1 else [(_constants.BRANCH, (None, rests))]
    return _parser.SubPattern(state, [first, *rest])


def _first_letter(alternative: Any) -> tuple[int, ...]:
    """Every character that stands for the letter an alternative begins with; none where it begins otherwise."""
    if not alternative.data or alternative.data[0][0] is not _constants.LITERAL:
        return ()
    return _alike(alternative.data[0][1])


@cache
def _alike(code: int) -> tuple[int, ...]:
    """The characters that `re` takes for one another without regard to case; none for what has no case."""
    small = _sre.unicode_tolower(code)
    if code >= _LETTERS or not _sre.unicode_iscased(code):
        return ()
    return tuple(sorted(other for same in (small, *_casefix._EXTRA_CASES.get(small, ())) for other in _written()[same]))


@cache
def _written() -> dict[int, list[int]]:
    """Which characters become which when written small."""
    written = defaultdict(list)
    for code in range(_BEYOND):
        written[_sre.unicode_tolower(code)].append(code)
    return written
