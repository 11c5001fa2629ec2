"""A SKILL.md becomes a value and back (R80): both spellings, every refusal, and front matter that means harm."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.skills.skillmd import (
    MAX_ITEM,
    MAX_ITEMS,
    SkillDocument,
    check_document,
    compose_body,
    export,
    parse,
    write,
)

EXTEND_LOAN = """---
name: extend-loan
description: Extend the loan of a library book that nobody else waits for.
triggers: [intent:EXTEND_LOAN]
keywords: [keep longer, due date]
prefetch: [get_loan]
tools: [get_loan, extend_loan]
always: false
---
## Preconditions

The card is valid.

## Procedure

1. Read the loan.
2. Extend it once.
"""


def front(*lines: str, body: str = "## Procedure\n\nAsk first.") -> str:
    return "\n".join(("---", "name: extend-loan", "description: Extend a loan.", *lines, "---", body))


def faults_of(text: str) -> dict[str, list[str]]:
    with pytest.raises(Invalid) as refusal:
        parse(text)
    assert refusal.value.code == "invalid_skill"
    return refusal.value.errors


def test_every_field_of_a_file_is_read() -> None:
    assert parse(EXTEND_LOAN) == SkillDocument(
        name="extend-loan",
        description="Extend the loan of a library book that nobody else waits for.",
        triggers=("intent:EXTEND_LOAN",),
        keywords=("keep longer", "due date"),
        prefetch=("get_loan",),
        tools=("get_loan", "extend_loan"),
        body="## Preconditions\n\nThe card is valid.\n\n## Procedure\n\n1. Read the loan.\n2. Extend it once.",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeff" + EXTEND_LOAN, id="byte order mark"),
        pytest.param(EXTEND_LOAN.replace("\n", "\r\n"), id="Windows line ends"),
        pytest.param("\n\n" + EXTEND_LOAN + "\n\n", id="blank lines around"),
        pytest.param(EXTEND_LOAN.replace("---\n", "---  \n"), id="spaces behind the dashes"),
        pytest.param(EXTEND_LOAN.replace("[keep longer, due date]", "keep longer, due date"), id="commas for a list"),
        pytest.param(EXTEND_LOAN.replace("Extend the loan of", ">-\n  Extend the loan\n  of"), id="folded description"),
    ],
)
def test_the_same_skill_in_another_editors_file(text: str) -> None:
    assert parse(text) == parse(EXTEND_LOAN)


def test_a_rule_of_dashes_in_the_body_belongs_to_the_body() -> None:
    assert parse(front(body="Before.\n\n---\n\nAfter.")).body == "Before.\n\n---\n\nAfter."


# The public format ----------------------------------------------------------------------------------------------


def test_the_public_spelling_is_read_from_under_metadata() -> None:
    text = front(
        "license: MIT",
        "compatibility: needs a network",
        "metadata:",
        "  author: Reading room",
        '  version: "1.0"',
        "  triggers: intent:EXTEND_LOAN",
        "  keywords: [keep longer, due date]",
        "  always: true",
    )
    found = parse(text)
    assert (found.triggers, found.keywords, found.always) == (
        ("intent:EXTEND_LOAN",),
        ("keep longer", "due date"),
        True,
    )
    assert (found.license, found.compatibility) == ("MIT", "needs a network")
    assert found.metadata == (("author", "Reading room"), ("version", "1.0"))


@pytest.mark.parametrize("spelling", ["get_loan extend_loan", "get_loan, extend_loan", "[get_loan, extend_loan]"])
def test_allowed_tools_of_the_public_format_are_tools(spelling: str) -> None:
    assert parse(front(f"allowed-tools: {spelling}")).tools == ("get_loan", "extend_loan")


def test_an_export_has_only_public_fields_and_text_under_metadata() -> None:
    written = export(parse(EXTEND_LOAN.replace("always: false", "always: true")))
    fields = yaml.safe_load(written.split("---")[1])
    assert set(fields) == {"name", "description", "metadata"}
    assert all(isinstance(value, str) for value in fields["metadata"].values())
    assert fields["metadata"]["always"] == "true"


def test_items_with_commas_survive_an_export() -> None:
    doc = SkillDocument("a", "b", triggers=("site:Turku, dock 4",), keywords=("[x]", "true"), body="c")
    assert parse(export(doc)) == doc


def test_a_field_at_the_top_and_under_metadata_is_refused() -> None:
    assert "keywords" in faults_of(front("keywords: [due]", "metadata:", "  keywords: due"))


# Refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Extend", "extend loan", "extend_loan", "-extend", "extend-", "a--b", "é", "", "x" * 65, "1\n2"]
)
def test_names_are_lower_case_words_joined_by_hyphens(name: str) -> None:
    assert "name" in faults_of(EXTEND_LOAN.replace("name: extend-loan", f'name: "{name}"'))


@pytest.mark.parametrize("name", ["x", "x" * 64, "route-66", "4-eyes"])
def test_names_within_the_limits(name: str) -> None:
    assert parse(EXTEND_LOAN.replace("extend-loan", name, 1)).name == name


@pytest.mark.parametrize(("length", "fits"), [(1024, True), (1025, False)])
def test_a_description_has_at_most_1024_characters(length: int, fits: bool) -> None:
    text = EXTEND_LOAN.replace("Extend the loan of a library book that nobody else waits for.", "d" * length)
    if fits:
        assert len(parse(text).description) == length
    else:
        assert "description" in faults_of(text)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("colour: red", "colour"),
        ("keywords: [404]", "keywords"),
        ("keywords: [yes]", "keywords"),
        ("keywords: [2026-05-01]", "keywords"),
        ("keywords: {a: b}", "keywords"),
        ("keywords: [[nested]]", "keywords"),
        ("triggers: 7", "triggers"),
        ("always: perhaps", "always"),
        ("always: 1", "always"),
        ("license: 2", "license"),
        ("metadata: [a]", "metadata"),
        ("metadata: {version: 1.0}", "metadata"),
        ("metadata: {7: seven}", "metadata"),
        ('keywords: ["a\\u202eb"]', "keywords"),
        ('keywords: ["a\\u200bb"]', "keywords"),
        ('keywords: ["a\\0b"]', "keywords"),
        ('license: "M\\eIT"', "license"),
        (f"tools: [{', '.join(f't{i}' for i in range(MAX_ITEMS + 1))}]", "tools"),
        (f"tools: [{'t' * (MAX_ITEM + 1)}]", "tools"),
        ("5: five", "5"),
    ],
)
def test_a_wrong_field_is_named(line: str, field: str) -> None:
    faults = faults_of(front(line))
    assert list(faults) == [field]
    assert all(sentence.endswith(".") for sentence in faults[field])


def test_all_faults_are_told_at_once() -> None:
    text = "---\nname: Big Name\nkeywords: [1]\nmood: fine\n---\n"
    assert set(faults_of(text)) == {"name", "description", "keywords", "mood", "body"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("## Procedure\n\nGo.", id="no front matter"),
        pytest.param("Hi\n---\nname: a\ndescription: b\n---\nbody", id="words before it"),
        pytest.param("---\nname: a\ndescription: b\n", id="no end"),
        pytest.param("---\n---\nbody", id="nothing in it"),
        pytest.param("---\n- a\n---\nbody", id="a list"),
        pytest.param("---\njust words\n---\nbody", id="words"),
        pytest.param(front("keywords: &k [a]", "tools: *k"), id="an alias"),
        pytest.param(front("keywords: &k [a]"), id="an anchor alone"),
        pytest.param(front("<<: {always: true}"), id="a merge key"),
        pytest.param(front("keywords: !!python/object/apply:os.getcwd []"), id="a Python tag"),
        pytest.param(front("keywords: !!str 4"), id="any tag"),
        pytest.param(front("keywords: [a", "tools: ]b"), id="broken brackets"),
        pytest.param(front("keywords: 2026-13-77"), id="an impossible date"),
        pytest.param(front("keywords: " + "[" * 5000), id="deep nesting"),
        pytest.param(front("name: again"), id="a field twice"),
        pytest.param(front("keywords: \x00"), id="NUL in the front matter"),
        pytest.param(front(body="Do it.\x00"), id="NUL in the body"),
        pytest.param(front(body="Do it.\u202e"), id="bidi in the body"),
        pytest.param(front(body="Do it.\ud800"), id="a lone surrogate"),
        pytest.param(front(body=""), id="no body"),
    ],
)
def test_what_is_no_skill_is_refused_with_a_sentence(text: str) -> None:
    for sentences in faults_of(text).values():
        assert all(re.match(r"[A-Z'].*\.$", sentence) for sentence in sentences)


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    levels = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    levels += [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    assert "front_matter" in faults_of(front(*levels))


def test_a_thousand_unknown_fields_make_one_fault() -> None:
    assert list(faults_of(front(*(f"x{i}: y" for i in range(1000))))) == ["front_matter"]


def test_a_file_over_the_size_limit_is_refused_unread() -> None:
    assert "text" in faults_of(front(body="é" * (conf.MAX_SKILL_BYTES // 2)))


def test_refusals_do_not_repeat_the_files_words() -> None:
    assert "hunter" not in str(faults_of(front("keywords: [hunter", "tools: hunter: x")))


def test_a_document_made_in_code_is_held_to_the_same_limits() -> None:
    check_document(parse(EXTEND_LOAN))
    with pytest.raises(Invalid) as refusal:
        check_document(SkillDocument("Bad Name", "", triggers=("a\nb",), metadata=(("tools", "x"),)))
    assert set(refusal.value.errors) == {"name", "description", "triggers", "metadata", "body"}


def test_a_body_is_composed_in_the_order_of_its_sections() -> None:
    assert (
        compose_body(boundaries="Never twice.", procedure="Go.")
        == "## Procedure\n\nGo.\n\n## Boundaries\n\nNever twice."
    )


# Round trips ----------------------------------------------------------------------------------------------------

_LETTERS = st.characters(exclude_categories=("C", "Z"))
_LINES = st.lists(st.text(_LETTERS, min_size=1, max_size=12), min_size=1, max_size=5).map(" ".join)
_ITEMS = st.lists(_LINES, max_size=4, unique=True).map(tuple)
_BODIES = st.text(st.one_of(_LETTERS, st.sampled_from(" \n\t-#")), min_size=1).map(str.strip).filter(bool)
_NAMES = st.from_regex(r"[a-z0-9]{1,10}(-[a-z0-9]{1,10}){0,3}", fullmatch=True)
_DOCUMENTS = st.builds(
    SkillDocument,
    name=_NAMES,
    description=_LINES,
    triggers=_ITEMS,
    keywords=_ITEMS,
    prefetch=_ITEMS,
    tools=_ITEMS,
    always=st.booleans(),
    body=_BODIES,
    license=_LINES,
    compatibility=st.just("") | _LINES,
    metadata=st.dictionaries(_LINES.map("x-".__add__), _LINES, max_size=3).map(lambda d: tuple(d.items())),
)


@given(_DOCUMENTS)
def test_a_written_skill_reads_back_the_same(doc: SkillDocument) -> None:
    assert parse(write(doc)) == doc


@given(_DOCUMENTS)
def test_an_exported_skill_reads_back_the_same(doc: SkillDocument) -> None:
    assert parse(export(doc)) == doc


@given(st.text() | st.text(alphabet="-\n: []{}&*!|>'\"#ab1").map(lambda text: f"---\n{text}\n---\nbody"))
def test_any_text_is_a_skill_or_a_refusal(text: str) -> None:
    try:
        doc = parse(text)
    except Invalid:
        return
    assert parse(write(doc)) == doc
