"""Whatever a stranger sends, no pattern takes more than a time in proportion (R11, R13)."""

import re
from time import process_time

import pytest

from memoryhub.management.pattern_bench import KINDS, AnyPattern, compiled, patterns, text_of
from memoryhub.working.patterns import Rule, Scan, Sieved
from tests.repository.pattern_shapes import faults

SLOW = [
    r"\w+ly\b", r"(?i)[ ,]+(?:now|please)$", r"\d[\d.,]* in", r"(?:\w+ ?)+!", r"(?:[a-z]+)*;", r"^(.*?)\s*x$",
    r"^[\w.]+[.! ]*$", r"(?=.*\d)[a-z]+", r"\blike\b.*price", r"(?:the |a )*(?:cat|dog)", r"[^\s:@]+@", r"^ +,? +x",
    r"(?m)^\s+x", r"never.*(?:ask|check)\b", r"\S+@\S+\.com",
]  # fmt: skip
QUICK = [
    r"\b\w+ly\b", r"(?<![ ,])[ ,]+(?:now|please)$", r"(?<!\d)\d+ in", r"^(?:[a-z]+;)*$", r"^(.*?)x$", r"^[a-z]+ +x$",
    r"(?<![^\s:@])[^\s:@]+@", r"\w{1,40}ly\b", r"^(?>.*?\blike\b).*price", r"\bi (?:just |also )*like\b", r"(?m)^ +x",
    r"[a-z]++", r"<note>(?s:.*?)(?:</note>|\Z)", r"`[^`]+`", r"#+",
]  # fmt: skip
#: Characters; four times as many may take eight times as long, for the machine is busy with other things too.
FEW, MANY = 4 * 1024, 16 * 1024
MAY_GROW = 8
#: Seconds of its own (a busy machine takes none of them away) on MANY; what takes less grows into nothing.
NOTHING = 0.02


@pytest.mark.parametrize("pattern", SLOW)
def test_a_pattern_that_can_take_a_square_of_time_is_seen(pattern):
    assert faults(re.compile(pattern))


@pytest.mark.parametrize("pattern", QUICK)
def test_a_pattern_that_cannot_is_let_be(pattern):
    assert faults(re.compile(pattern)) == []


def test_patterns_are_found_wherever_a_module_keeps_them():
    found = patterns()
    assert "memoryhub.governance.moods.STANDING" in found
    assert any(name.startswith("memoryhub.governance.claimed_rights._PATTERNS[") for name in found)
    assert any(".CLAIMS[" in name for name in found)
    assert sum(isinstance(pattern, Rule) for pattern in found.values()) > 100
    assert sum(isinstance(pattern, Sieved) for pattern in found.values()) > 30
    assert compiled(found["memoryhub.governance.moods.STANDING"]).search("it is so by default")


def test_no_pattern_can_take_more_than_a_time_in_proportion():
    wrong = {name: told for name, pattern in patterns().items() if (told := faults(compiled(pattern)))}
    assert wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("kind", list(KINDS))
def test_four_times_the_text_takes_no_pattern_much_more_than_four_times_as_long(kind):
    few, many = Scan(text_of(kind, FEW)), Scan(text_of(kind, MANY))
    wrong = [name for name, pattern in patterns().items() if _grows(pattern, few, many)]
    assert wrong == []


def _grows(pattern: AnyPattern, few: Scan, many: Scan) -> bool:
    return all(_seconds(pattern, many) > max(NOTHING, MAY_GROW * _seconds(pattern, few)) for _ in range(5))


def _seconds(pattern: AnyPattern, scan: Scan) -> float:
    began = process_time()
    for _ in pattern.finditer(scan) if isinstance(pattern, Rule) else pattern.finditer(scan.text):
        pass
    return process_time() - began
