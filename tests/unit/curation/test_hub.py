"""Stored words on a page: nothing in them is active, and nothing in them is hidden."""

import re
import unicodedata
from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from curation.templatetags.hub import age, markdown, visible, with_query


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[press](javascript:alert(1))",
        "![x](https://elsewhere.example/x.png)",
        "<a href='https://elsewhere.example'>x</a>",
        "<style>body{display:none}</style>",
        "<!-- hidden -->words",
        "<javascript:alert(1)>",
        "[x]: https://elsewhere.example\n\n[x]",
    ],
)
def test_markdown_gives_no_scripts_links_images_or_styles(hostile: str) -> None:
    tags = re.findall(r"<[^>]*>", markdown(hostile))
    assert set(tags) <= {"<p>", "</p>"}


def test_markdown_keeps_what_a_procedure_needs() -> None:
    page = markdown("## Steps\n\n1. Look **first**\n2. `call_back`\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    for tag in ("<h2>", "<ol>", "<li>", "<strong>", "<code>", "<table>"):
        assert tag in page


@pytest.mark.parametrize(
    ("char", "code"),
    [
        ("\u202e", "U+202E"), ("\u200b", "U+200B"), ("\x07", "U+0007"), ("\u2028", "U+2028"), ("\u3164", "U+3164"),
        ("\u034f", "U+034F"), ("\u2800", "U+2800"), ("\u200d", "U+200D"), ("\ufe0f", "U+FE0F"), ("\U000e0101", "U+E0101"),
        ("\U000e0041", "U+E0041"),
    ],
)  # fmt: skip
def test_a_character_that_nobody_sees_is_written_out(char: str, code: str) -> None:
    assert code in visible(f"pay{char}ment")


def test_every_character_that_nobody_sees_is_written_out_among_plain_ones() -> None:
    """Also those that a look at whole words passes over: every one is tried by itself."""
    missed = [code for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp")
              and chr(code) not in "\t\n\r" and f"U+{code:04X}" not in visible(f"a{chr(code)}b")]  # fmt: skip
    assert missed == []


def test_joiners_of_scripts_and_emoji_are_left_alone() -> None:
    for words in ("می\u200cخواهم", "👩\u200d🔧", "❤\ufe0f", "1\ufe0f\u20e3"):
        assert visible(words) == words


def test_a_procedure_hides_nothing_in_its_rendered_form_either() -> None:
    assert "U+202E" in markdown("Call **back**\u202e soon.")


@given(st.text(max_size=60))
def test_visible_words_are_escaped(text: str) -> None:
    shown = visible(f"<b>{text}")
    assert shown.startswith("&lt;b&gt;")


def test_an_age_is_one_word_and_a_number() -> None:
    now = timezone.now()
    assert age(now - timedelta(seconds=20)) == "under a minute"
    assert age(now - timedelta(hours=3, minutes=20)).replace("\xa0", " ") == "3 hours"
    assert age(None) == ""


def test_a_link_keeps_the_other_filters() -> None:
    request = RequestFactory().get("/queue/", {"type": "fact", "subject": "a b", "after": "x"})
    assert with_query({"request": request}, type="skill", after="") == "/queue/?subject=a+b&type=skill"
    assert with_query({"request": RequestFactory().get("/queue/")}, type="") == "/queue/"
