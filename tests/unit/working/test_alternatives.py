"""Sorted alternatives match what the pattern as written matches, and where (S30)."""

import re
from re import _parser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.alternatives import compiled

PATTERNS = [
    r"(?i)\b(?:ignore|if|forget|from now|for)\b",
    r"(?i)(?:sin|kin|ill|ß|straße|st)+",
    r"(?i)(?:a|ab|abc|[a-z]x|aby|\d|ac)(?=c|$)",
    r"(?i)(?P<one>foo|far)|(?P<two>fob|bar)",
    r"(?i)(?:foo|(?-i:Foo|FAR)|bar)",
    r"(?:foo|Fob|fob)",
    r"(?i:ab|ac)|AD",
    r"(?i)(?<!ab|ac|kc)(?:x|y)(?!foo|far)",
    r"(?i)(?:мой|моя|МЫ) (?:код|ключ)",
    r"(?i)(?:σας|ςα|µ|μα)",
    r"(?i)(f|g)\1",
    r"(?ix) (?: cat | car | (?> do|dog ) )",
    r"(?i)(?:ab|)(?:cd|ce)",
]
PIECES = st.sampled_from(
    [
        "ignore", "IF", "forget", "From now", "for", "sin", "ſin", "KIN", "Kin", "ill", "İll", "ıll", "ß", "ẞ", "STRASSE",
        "straße", "a", "ab", "ABC", "ax", "aby", "1", "ac", "c", "foo", "Foo", "FAR", "fob", "bar", "AD", "ad", "x", "Y",
        "мой", "МОЯ", "код", "ΣΑΣ", "σας", "ςα", "μ", "µ", "ff", "Gg", "cat", "CAR", "dog", "cd", "ce", " ", "\n",
    ]
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
@given(pieces=st.lists(PIECES, max_size=12))
def test_sorted_alternatives_match_the_same(pattern, pieces):
    text = "".join(pieces)
    found = [(match.span(), match.groupdict()) for match in compiled(_parser.parse(pattern)).finditer(text)]
    assert found == [(match.span(), match.groupdict()) for match in re.finditer(pattern, text)]


@given(st.sampled_from("aikmsßåøžσμжёςſµKÅİı"), st.characters(exclude_categories=["Cs"]))
def test_a_letter_is_the_letters_that_re_takes_for_it(letter, other):
    pattern = f"(?i)(?:{letter}|zzz)"
    assert bool(compiled(_parser.parse(pattern)).fullmatch(other)) == bool(re.fullmatch(pattern, other))


def test_every_letter_of_an_alternative_is_compared_with_every_character_as_re_does():
    for letter in "abcdefghijklmnopqrstuvwxyzßåøžσμ":
        pattern = f"(?i)(?:{letter}|\N{CJK UNIFIED IDEOGRAPH-4E00})"
        sorted_one, plain = compiled(_parser.parse(pattern)), re.compile(pattern)
        every = map(chr, (*range(0xD800), *range(0xE000, 0x11000)))
        assert not [one for one in every if bool(sorted_one.match(one)) != bool(plain.match(one))]
