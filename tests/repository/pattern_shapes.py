"""Could a pattern take more than a time in proportion to its text? Read from its parse tree, so no clock is asked.

Three shapes do: a long repeat that many places in one run can reach ("x*y" tries every x as its start), a repeat
beside another that takes the same characters, and a repeat in a repeat. Each is harmless once something that the run
can't hold stands between. What is judged are sets of characters, over a sample that holds each kind of them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

LONG = 2000  # times: a repeat that may go on for more is called endless
_SAMPLE = (
    "".join(map(chr, range(256))) + "\u0130\u017f\u212a\u0301\u0436\u6f22\u05d0\u0663\u200b\u3000\u2026\u2019\U0001f600"
)
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_CHARACTERS = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_OF_LETTERS = (_constants.LITERAL, _constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)
_WORD = frozenset(filter(re.compile(r"\w").match, _SAMPLE))

Node = tuple[Any, Any]


def faults(pattern: re.Pattern[str]) -> list[str]:
    """Every repeat of a pattern that may take more than a time in proportion, as a sentence."""
    tree = list(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    return list(dict.fromkeys(_of_sequence(tree, (), (), pattern.flags)))


def _of_sequence(nodes: Sequence[Node], before: tuple[Node, ...], after: tuple[Node, ...], flags: int) -> Iterator[str]:
    for index, (operation, argument) in enumerate(nodes):
        led, rest = (*before, *nodes[:index]), (*nodes[index + 1 :], *after)
        if operation is _constants.SUBPATTERN:
            yield from _of_sequence(list(argument[3]), led, rest, (flags | argument[1]) & ~argument[2])
        elif operation is _constants.ATOMIC_GROUP:
            may_fail = (
                ((_constants.FAILURE, None),) if any(map(_may_fail, rest)) else ()
            )  # and nothing goes back into it
            yield from _of_sequence(list(argument), led, may_fail, flags)
        elif operation is _constants.BRANCH:
            for branch in argument[1]:
                yield from _of_sequence(list(branch), led, rest, flags)
        elif operation is _constants.ASSERT or operation is _constants.ASSERT_NOT:
            if argument[0] > 0:
                yield from _of_sequence(list(argument[1]), led, ((_constants.FAILURE, None),), flags)
        elif operation in _REPEATS:
            _, most, body = argument
            if most > LONG:
                yield from _of_repeat((operation, argument), led, rest, flags)
            after_it = rest if most == 1 else ((_constants.FAILURE, None), *rest)
            yield from _of_sequence(list(body), led, after_it, flags)


def _of_repeat(node: Node, led: Sequence[Node], rest: Sequence[Node], flags: int) -> Iterator[str]:
    operation, (_, _, body) = node
    run = _held(body, flags)
    shown = "".join(sorted(run & set("a1 -.\n")))
    fenced = _fenced(led, run, flags) or (_is_of_words(body) and _holds_a_letter(led))
    if any(_may_fail(one) for one in rest) and not fenced and not _ends_anyway(run, rest):
        yield f"an endless repeat of {shown!r} can be reached from many places of one run"
    if len(body) > 1 or body[0][0] not in _CHARACTERS:
        for inner in _endless(body):
            within = _held(inner[1][2], flags)
            if not _holds_another(_without(body, inner), within, flags):
                yield f"a repeat in a repeat: {shown!r}"
    if operation is _constants.POSSESSIVE_REPEAT:
        return
    for place, (other, argument) in enumerate(rest):
        if other is _constants.FAILURE:
            continue
        between = rest[:place]
        if _holds_another(between, run, flags) or (_is_of_words(body) and _holds_a_letter(between)):
            return
        if other in _REPEATS and argument[1] > LONG:
            same = run & _held(argument[2], flags)
            if _holds_another(argument[2], run, flags):
                continue
            if same and any(map(_may_fail, rest[place + 1 :])):
                yield f"two endless repeats of {''.join(sorted(same & set('a1 -.')))!r} side by side"


def _is_of_words(nodes: Any) -> bool:
    """Whether a repeat is of given words ("(?:now |also )*"), so that only those words make a run."""
    return all(map(_is_of_letters, nodes)) and _holds_a_letter(nodes)


def _is_of_letters(node: Node) -> bool:
    operation, argument = node
    if operation is _constants.SUBPATTERN:
        return all(map(_is_of_letters, argument[3]))
    if operation is _constants.BRANCH:
        return all(all(map(_is_of_letters, branch)) for branch in argument[1])
    if operation in _REPEATS:
        return all(map(_is_of_letters, argument[2]))
    return operation in _OF_LETTERS or (
        operation is _constants.IN and len(argument) < 6 and argument[0][0] is _constants.LITERAL
    )


def _holds_a_letter(nodes: Any) -> bool:
    """Whether every match holds a given letter or figure."""
    for operation, argument in nodes:
        if operation is _constants.LITERAL and chr(argument).isalnum():
            return True
        if operation is _constants.SUBPATTERN and _holds_a_letter(argument[3]):
            return True
        if operation is _constants.ATOMIC_GROUP and _holds_a_letter(argument):
            return True
        if operation in _REPEATS and argument[0] > 0 and _holds_a_letter(argument[2]):
            return True
        if operation is _constants.BRANCH and all(map(_holds_a_letter, argument[1])):
            return True
    return False


def _endless(nodes: Any) -> Iterator[Node]:
    for operation, argument in nodes:
        if operation in _REPEATS:
            if argument[1] > LONG and operation is not _constants.POSSESSIVE_REPEAT:
                yield operation, argument
            yield from _endless(argument[2])
        elif operation is _constants.SUBPATTERN:
            yield from _endless(argument[3])
        elif operation is _constants.BRANCH:
            for branch in argument[1]:
                yield from _endless(branch)


def _without(body: Any, inner: Node) -> list[Node]:
    return [node for node in body if node[1] is not inner[1]]


def _may_fail(node: Node) -> bool:
    """Whether what stands after a repeat can send the search back into it."""
    operation, argument = node
    if operation in _REPEATS:
        return bool(argument[0] > 0)
    if operation is _constants.SUBPATTERN:
        return any(map(_may_fail, argument[3]))
    if operation is _constants.BRANCH:
        return all(any(map(_may_fail, branch)) for branch in argument[1])
    return True


def _ends_anyway(run: frozenset[str], rest: Sequence[Node]) -> bool:
    """Whether a run that holds everything is followed by "or the end of the text"."""
    operation, argument = rest[0] if rest else (None, None)
    while operation is _constants.SUBPATTERN:
        operation, argument = argument[3][0]
    end = (_constants.AT, _constants.AT_END_STRING)
    return len(run) == len(set(_SAMPLE)) and operation is _constants.BRANCH and [end] in map(list, argument[1])


def _fenced(led: Sequence[Node], run: frozenset[str], flags: int) -> bool:
    """Whether only few places can reach a run: what leads to it holds, or looks back at, what the run can't hold."""
    return any(_looks_back(node, run, flags) for node in led) or _holds_another(led, run, flags)


def _looks_back(node: Node, run: frozenset[str], flags: int) -> bool:
    operation, argument = node
    if operation is _constants.SUBPATTERN:
        return any(_looks_back(one, run, flags) for one in argument[3])
    if operation is _constants.BRANCH:
        return all(any(_looks_back(one, run, flags) for one in branch) for branch in argument[1])
    if operation is _constants.AT:
        if argument is _constants.AT_BEGINNING:
            return not flags & re.MULTILINE or "\n" not in run
        return argument is _constants.AT_BEGINNING_STRING or (argument is _constants.AT_BOUNDARY and run <= _WORD)
    if operation is _constants.ASSERT_NOT and argument[0] < 0:
        return run <= _held(argument[1], flags)
    if operation is _constants.ASSERT and argument[0] < 0:
        return _holds_another(list(argument[1]), run, flags)
    return False


def _holds_another(nodes: Any, run: frozenset[str], flags: int) -> bool:
    """Whether every match of these nodes holds a character that the run can't."""
    for operation, argument in nodes:
        if operation in _CHARACTERS and not run & _held([(operation, argument)], flags):
            return True
        if operation is _constants.SUBPATTERN and _holds_another(argument[3], run, flags):
            return True
        if operation is _constants.ATOMIC_GROUP and _holds_another(argument, run, flags):
            return True
        if operation in _REPEATS and argument[0] > 0 and _holds_another(argument[2], run, flags):
            return True
        if operation is _constants.BRANCH and all(_holds_another(branch, run, flags) for branch in argument[1]):
            return True
    return False


def _held(nodes: Any, flags: int) -> frozenset[str]:
    """Every character of the sample that a match of these nodes may hold."""
    held: set[str] = set()
    for operation, argument in nodes:
        if operation in _CHARACTERS:
            held |= _matched(operation, _frozen(argument), bool(flags & re.IGNORECASE), bool(flags & re.DOTALL))
        elif operation in _REPEATS:
            held |= _held(argument[2], flags)
        elif operation is _constants.SUBPATTERN:
            held |= _held(argument[3], (flags | argument[1]) & ~argument[2])
        elif operation is _constants.ATOMIC_GROUP:
            held |= _held(argument, flags)
        elif operation is _constants.BRANCH:
            for branch in argument[1]:
                held |= _held(branch, flags)
        elif operation is _constants.GROUPREF:
            held |= set(_SAMPLE)
    return frozenset(held)


def _frozen(argument: Any) -> Any:
    return tuple(argument) if isinstance(argument, list) else argument


@cache
def _matched(operation: Any, argument: Any, ignoring_case: bool, over_lines: bool) -> frozenset[str]:
    kinds = argument if operation is _constants.IN else ((operation, argument),)
    negated = any(kind is _constants.NEGATE for kind, _ in kinds)
    held = frozenset(
        character for character in _SAMPLE
        if any(_is_one(kind, what, form, over_lines) for kind, what in kinds for form in _forms(character, ignoring_case))
    )  # fmt: skip
    return frozenset(_SAMPLE) - held if negated else held


def _forms(character: str, ignoring_case: bool) -> set[str]:
    forms = {character, character.lower(), character.upper()} if ignoring_case else {character}
    return {form for form in forms if len(form) == 1}


_CATEGORIES = {
    _constants.CATEGORY_DIGIT: r"\d", _constants.CATEGORY_NOT_DIGIT: r"\D", _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S", _constants.CATEGORY_WORD: r"\w", _constants.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _is_one(kind: Any, what: Any, character: str, over_lines: bool) -> bool:
    if kind is _constants.LITERAL:
        return ord(character) == what
    if kind is _constants.NOT_LITERAL:
        return ord(character) != what
    if kind is _constants.RANGE:
        return bool(what[0] <= ord(character) <= what[1])
    if kind is _constants.CATEGORY:
        return re.match(_CATEGORIES[what], character) is not None
    return kind is _constants.ANY and (over_lines or character != "\n")
