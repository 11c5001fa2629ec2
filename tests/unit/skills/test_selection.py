"""Which skills a turn carries is decided in code, the same way every time (R41)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.skills.selection import keyword_scores, select
from memoryhub.skills.skillmd import SkillDocument

HOUSE_RULES = SkillDocument("house-rules", "How to speak with readers.", always=True)
EXTEND = SkillDocument(
    "extend-loan",
    "Extend the loan of a book that nobody else waits for.",
    triggers=("intent:EXTEND_LOAN",),
    keywords=("keep longer", "due date", "extension", "renewal"),
)
FINE = SkillDocument(
    "waive-fine",
    "Explain a fine for a late return, and when it can be waived.",
    triggers=("intent:DISPUTE_FINE", "intent:PAY_FINE"),
    keywords=("fine", "late fee", "penalty"),
)
ROOM = SkillDocument(
    "book-room",
    "Reserve a reading room for a group on a given day.",
    triggers=("intent:BOOK_ROOM",),
    keywords=("reading room", "group study", "projector"),
)
LOST = SkillDocument("lost-card", "Block a lost library card and issue a new one.", keywords=("lost card", "stolen"))
LIBRARY = (EXTEND, FINE, HOUSE_RULES, LOST, ROOM)


def chosen(query: str = "", *signals: str, skills: tuple[SkillDocument, ...] = LIBRARY, limit: int = 3) -> list[str]:
    found = select(skills, signals=signals, query=query, limit=limit)
    return [f"{each.candidate.name} {each.reason}" for each in found]


def test_always_then_trigger_then_keyword() -> None:
    assert chosen("there is a penalty for my son's book", "intent:EXTEND_LOAN") == [
        "house-rules always",
        "extend-loan trigger",
        "waive-fine keyword",
    ]


def test_at_most_three_are_active() -> None:
    signals = [trigger for skill in LIBRARY for trigger in skill.triggers]
    assert chosen("lost card, late fee, reading room", *signals) == [
        "house-rules always",
        "waive-fine trigger",  # two of its triggers were heard
        "book-room trigger",
    ]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_room_carries_nothing(limit: int) -> None:
    assert chosen("late fee", limit=limit) == []


def test_an_always_on_skill_is_carried_once_and_first() -> None:
    both = SkillDocument("both", "x", triggers=("a:b",), keywords=("fine",), always=True)
    assert chosen("fine", "a:b", skills=(both,)) == ["both always"]


@pytest.mark.parametrize(
    ("signal", "heard"),
    [
        ("intent:BOOK_ROOM", True),
        (" intent:book_room ", True),
        ("intent:BOOK", False),
        ("intent:BOOK_ROOM_LATER", False),
        ("BOOK_ROOM", False),
        ("", False),
    ],
)
def test_a_trigger_is_the_whole_signal(signal: str, heard: bool) -> None:
    assert ("book-room trigger" in chosen("", signal)) is heard


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Can I keep it longer? The due date is tomorrow.", "extend-loan"),
        ("why is there a fine on my account", "waive-fine"),
        ("I was charged late fees", "waive-fine"),
        ("need the projector on Monday", "book-room"),
        ("somebody has stolen my card", "lost-card"),
        ("my library card is lost, block it", "lost-card"),
        ("reserve a room for our group", "book-room"),
    ],
)
def test_keywords_and_descriptions_choose(query: str, name: str) -> None:
    assert chosen(query, skills=LIBRARY[:2] + LIBRARY[3:])[0] == f"{name} keyword"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "!?",
        "hello, how are you?",
        "what is the weather in Lisbon",
        "could you please help me with this",
        "which day is it today",
        "is a new book out by that author",
        "SELECT * FROM skills",
        "天気はどうですか",
        "\x00\ud800",
    ],
)
def test_unrelated_queries_choose_nothing_but_the_always_on(query: str) -> None:
    assert chosen(query) == ["house-rules always"]


def test_chinese_keywords_choose_too() -> None:
    refund = SkillDocument("refund", "处理退款请求", keywords=("退款",))
    other = SkillDocument("shipping", "查询物流状态", keywords=("物流",))
    assert chosen("我想申请退款", skills=(refund, other)) == ["refund keyword"]


def test_ties_go_by_name() -> None:
    twins = tuple(SkillDocument(name, "Mend a kettle.", keywords=("kettle",)) for name in ("c", "a", "b", "d"))
    assert chosen("kettle", skills=twins) == ["a keyword", "b keyword", "c keyword"]


def test_scores_are_those_of_the_published_formula() -> None:
    # Two texts of two words; "kettle" once in one of them: ln(1 + 1.5/1.5) × 1 × 2.2 / (1 + 1.2)
    skills = (SkillDocument("mend", "x", keywords=("kettle",)), SkillDocument("mend", "x", keywords=("pan",)))
    assert keyword_scores(skills, "kettle") == pytest.approx([0.6931, 0.0], abs=1e-4)


def test_a_rarer_word_weighs_more() -> None:
    skills = tuple(
        SkillDocument(f"s{i}", "Wash", keywords=("dish", w)) for i, w in enumerate(["plate", "pan", "pan", "pan"])
    )
    scores = keyword_scores(skills, "a plate or a pan")
    assert scores[0] > scores[1] == scores[2]


def test_no_skills_is_no_error() -> None:
    assert select((), signals=["a"], query="b") == ()
    assert keyword_scores((), "b") == []
    assert keyword_scores((SkillDocument("the", "is"),), "b") == [0.0]


@given(
    st.text() | st.sampled_from(["late fee", "lost card", "keep longer the fine"]),
    st.lists(st.text(), max_size=3),
    st.randoms(),
)
def test_the_order_in_which_skills_come_changes_nothing(query: str, signals: list[str], shuffle: random.Random) -> None:
    mixed = list(LIBRARY)
    shuffle.shuffle(mixed)
    first, second = (select(skills, signals=signals, query=query) for skills in (LIBRARY, mixed))
    assert first == second
    assert len({each.candidate.name for each in first}) == len(first) <= 3
