"""How long may a stranger's text keep a pattern busy? Every compiled pattern of the product, on hostile texts of 1 MB.

The patterns are found, not listed: whatever stands compiled in a module, also in its tables. That none can take more
than a time in proportion is what tests/repository holds; here it is only measured, and the slowest are named.
"""

import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import FrameType, ModuleType
from typing import Any, Final

from memoryhub.working.patterns import Rule, Rules, Scan, Sieved

#: What the product searches with.
AnyPattern = re.Pattern[str] | Rule | Sieved

PACKAGES: Final = ("accounts", "curation", "memoryhub")
SIZE: Final = 1024 * 1024  # characters
TARGET: Final = 50  # ms a pattern on SIZE characters
#: One short piece of each kind; repeated it is the text.
KINDS: Final = {
    "one letter": "a", "spaces": " ", "line breaks": "\n", "digits": "7", "words": "a a a ", "mixed": "aA1-",
    "brackets": "([{<", "quotes": "\"'", "at signs": "@", "labels": "a.", "links": "http://a.b/c?d=e&",
    "base64": "QUJD+/=", "percents": "%41", "commas": "tea, ", "my": "my ", "is": "is ", "not": "not ",
    "accents": "e\u0301", "emoji": "\U0001f600\u200d", "dashes": "-", "pairs": "a=b&", "Han": "\u6f22",
}  # fmt: skip
_FIRST_LOOK: Final = 16 * 1024  # characters: what is quick on so few is not tried on all
_AT_MOST: Final = 2.0  # seconds for one text; what takes longer is said to take that
_DEEPEST: Final = 4  # tables in tables
_LISTED: Final = 5


def patterns() -> dict[str, AnyPattern]:
    """Every compiled pattern at module level, by where it stands: "memoryhub.governance.moods.STANDING"."""
    found: dict[int, tuple[str, AnyPattern]] = {}
    for module in _modules():
        for name, value in list(vars(module).items()):
            for where, pattern in _inside(value, f"{module.__name__}.{name}"):
                found.setdefault(id(pattern), (where, pattern))
    return dict(found.values())


def compiled(pattern: AnyPattern) -> re.Pattern[str]:
    """The pattern itself as it is written, of a rule too."""
    rule = pattern.rule if isinstance(pattern, Sieved) else pattern
    return re.compile(rule.written, rule.flags) if isinstance(rule, Rule) else rule


def text_of(kind: str, size: int) -> str:
    """A hostile text, with an end that nothing expects."""
    piece = KINDS[kind]
    return (piece * (size // len(piece) + 1))[: size - 1] + "\x01"


def run(note: Callable[[str, float, str], None]) -> None:
    """Measure all and print the slowest; `note` takes name, value and unit of each figure."""
    slow = sorted(_slowest(), reverse=True)
    over = [one for one in slow if one[0] * 1000 > TARGET]
    note("patterns", len(patterns()), "")
    note(f"patterns over {TARGET} ms on 1 MB of the worst of {len(KINDS)} kinds", len(over), "")
    for seconds, where, kind in slow[:_LISTED]:
        note(f"  {where}, {kind}", seconds * 1000, "ms")


def _modules() -> Iterator[ModuleType]:
    for package in map(importlib.import_module, PACKAGES):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith((".asgi", ".wsgi")) and ".migrations" not in found.name:
                yield importlib.import_module(found.name)


def _inside(value: Any, where: str, depth: int = 0) -> Iterator[tuple[str, AnyPattern]]:
    if isinstance(value, (Rule, Sieved)) or (isinstance(value, re.Pattern) and isinstance(value.pattern, str)):
        yield where, value
    if depth >= _DEEPEST:
        return
    if isinstance(value, Rules):
        value = value.rules
    if isinstance(value, Mapping):
        inner = [(f"[{key}]", each) for key, each in value.items()] + [("{}", key) for key in value]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = [(f"[{index}]", each) for index, each in enumerate(value)]
    elif is_dataclass(value):
        inner = [(f".{each.name}", getattr(value, each.name, None)) for each in fields(value)]
    else:
        return
    for name, each in inner:
        yield from _inside(each, f"{where}{name}", depth + 1)


def _slowest() -> Iterator[tuple[float, str, str]]:
    """Of each pattern: seconds on the kind that takes it longest, on the full size."""
    first = {kind: Scan(text_of(kind, _FIRST_LOOK)) for kind in KINDS}
    full = {kind: Scan(text_of(kind, SIZE)) for kind in KINDS}
    for where, pattern in patterns().items():
        kind = max(first, key=lambda kind: _seconds(pattern, first[kind]))
        yield _seconds(pattern, full[kind]), where, kind


class _TooLong(Exception):
    """A pattern was stopped."""


def _seconds(pattern: AnyPattern, scan: Scan) -> float:
    """Time of the processor to find all matches; the engine looks for signals, so that no pattern runs on for ever."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, _AT_MOST)
        for _ in pattern.finditer(scan) if isinstance(pattern, Rule) else pattern.finditer(scan.text):
            pass
    except _TooLong:
        return _AT_MOST
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - began
