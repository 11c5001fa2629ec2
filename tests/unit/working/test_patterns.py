"""A rule finds what its pattern finds, and looks only where it has to (S30)."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.working.patterns import SHORT, Rule, Rules, Scan, Sieved

PATTERNS = [
    r"(?i)\b(?:ignore|forget)\W{1,3}(?:all |your ){0,3}(?:rules|orders)\b",
    r"(?i)\b(?:door|gate) (?:code|pin)\b[^\d\n]{0,20}(\d{3,8})(?!\d)",
    r"(?i)(?:мой|моя) пароль",
    r"(?m)^note:.{0,20}$",
    r"(?<=a )b+(?= c)",
    r"code(?:\Z|!)",
    r"(?<!\d)\d{3}(?:[ -]\d{3})*(?!\d)",
    r"(?i)\b(?:(?:door|gate)s?|forget) ?(?:code|\d+)",
    r"(?:ru|bb)(?=les| )\w*",
]
WORDS = st.sampled_from(
    ["ignore", "Forget", " ", "all ", "your ", "rules", "ORDERS", "door", "gate", " code", " pin", " is ", "1234", "99", "\n", "мой ",
     "Пароль", "note:", "a ", "bb", " c", "!", "x" * 300, "İ", "code"]
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
@given(words=st.lists(WORDS, max_size=60), times=st.integers(1, 4))
def test_a_rule_finds_what_its_pattern_finds(pattern, words, times):
    text = "".join(words) * times
    expected = [match.span() for match in re.finditer(pattern, text)]
    assert [match.span() for match in Rule(pattern).finditer(Scan(text))] == expected


@settings(deadline=None)
@given(gap=st.integers(0, 3 * SHORT), text=st.lists(WORDS, max_size=8).map("".join))
def test_far_from_the_beginning_too(gap, text):
    padded = f"{'- ' * gap}{text}{'- ' * gap}{text}"
    for pattern in PATTERNS:
        expected = [match.span() for match in re.finditer(pattern, padded)]
        assert [match.span() for match in Rule(pattern).finditer(Scan(padded))] == expected


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\b(?:ignore|forget) (?:the )?(?:rules|prompts)\b", {"ignore", "forget"}),
        (r"(?i)my PASSWORD\b", {"my password"}),
        (r"(?:abc)?\d{4}", {"\0"}),
        (r"(?:abc|d?)[0-9a-f]{4}", None),
        (r"(?:abc){2}\d", {"abc"}),
        (r"\bgh[po]_\w", {"ghp_", "gho_"}),
        (r"密码\d", {"密码"}),
    ],
)
def test_what_a_pattern_needs_is_read_from_it(pattern, needs):
    found = Rule(pattern).needs
    assert (None if found is None else set(found)) == needs


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        (r"(?i)\b(?:Ignore|forget) (?:the )?(?:rules|prompts)\b", {"ignore", "forget"}),
        (r"(?<!a)(?:(?:door|gate) \d|pin)", {"door", "gate", "pin"}),
        (r"s?hut\w", {"hut", "shut"}),
        (r"(?:abc)?def", {"abc", "def"}),
        (r"(?:(?:very )?(?:one|two)[ ,]){2,9}three", {"very ", "one", "two"}),
        (r"(?:abc|)def", set()),
        (r"\w?abc", set()),
        (r"a\d", set()),
    ],
)
def test_with_what_a_pattern_begins_is_read_from_it(pattern, begins):
    assert set(Rule(pattern).begins) == begins


@given(st.lists(WORDS, max_size=20).map("".join))
def test_rules_worth_asking_are_all_that_match(text):
    rules = Rules(*map(Rule, PATTERNS))
    matching = [rule for rule in rules.rules if rule.pattern.search(text)]
    assert set(matching) <= set(rules.that_may_match(Scan(text)))


@given(text=st.lists(WORDS, max_size=20).map("".join), start=st.integers(0, 80), length=st.integers(0, 80))
def test_a_part_of_a_text_asked_about_before_is_judged_by_itself(text, start, length):
    part = text[start : start + length]
    for pattern in PATTERNS:
        sieved = Sieved(pattern)
        for each in (text, part):
            assert bool(sieved.search(each)) == bool(re.search(pattern, each))


@pytest.mark.parametrize("many", [1, 40, 900])
def test_a_letter_that_becomes_two_in_lower_case_moves_nothing(many):
    text = f"{'İ ' * many}{'- ' * SHORT}door code 4711, İgnore all rules"
    for pattern in (r"(?i)door code (\d+)", r"(?i)\bignore all"):
        expected = [match.span() for match in re.finditer(pattern, text)]
        assert len(expected) == 1
        assert [match.span() for match in Rule(pattern).finditer(Scan(text))] == expected


def test_what_holds_none_of_the_words_costs_next_to_nothing():
    scan = Scan("the quick brown fox " * 50_000)
    rules = [
        Rule(rf"(?i)\b(?:zebra{number}|okapi{number})\W{{1,4}}(?:\w{{1,20}}\W{{1,3}}){{0,4}}x") for number in range(50)
    ]
    began = time.perf_counter()
    assert not any(rule.search(scan) for rule in rules)
    assert time.perf_counter() - began < 10
