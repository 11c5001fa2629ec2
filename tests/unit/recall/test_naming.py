"""Names and times in a question, and pairs of characters."""

from datetime import UTC, datetime

import pytest

from memoryhub.recall.naming import pairs_of_characters, periods_named, speaker_named


@pytest.mark.parametrize(
    ("question", "covered"),
    [
        ("What did we cook in May?", "2024-05-03"),
        ("what happened in june 2023", "2023-06-30"),
        ("Who called on 7 March?", "2021-03-07"),
        ("Who called on March 7th, 2021?", "2021-03-07"),
        ("the flood of 2019", "2019-11-11"),
        ("plans for early September", "2025-09-02"),
    ],
)
def test_a_month_or_a_year_is_read(question: str, covered: str) -> None:
    moment = datetime.fromisoformat(covered).replace(tzinfo=UTC)
    assert any(period.covers(moment) for period in periods_named(question))
    assert not any(period.covers(moment.replace(year=1980, month=2, day=5)) for period in periods_named(question))


@pytest.mark.parametrize(
    "question", ["May I come in?", "They march on Sundays", "It may rain", "order 20231", "no time at all", "room 1"]
)
def test_words_that_only_look_like_a_time_name_none(question: str) -> None:
    assert periods_named(question) == ()


@pytest.mark.parametrize(
    ("question", "speakers", "expected"),
    [
        ("What did Ilse say?", ["Ilse", "Tomasz"], "Ilse"),
        ("Tomasz's bicycle", ["Ilse", "Tomasz"], "Tomasz"),
        ("Did Ilse meet Tomasz?", ["Ilse", "Tomasz"], None),
        ("What did anybody say?", ["Ilse"], None),
        ("the annals", ["Ann"], None),
        ("what does Mary Ann like", ["Mary Ann", "Bob"], "Mary Ann"),
        ("anything", ["", "???"], None),
    ],
)
def test_the_one_speaker_who_is_named_is_found(question: str, speakers: list[str], expected: str | None) -> None:
    assert speaker_named(question, speakers) == expected


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("喜欢绿茶", "喜欢 欢绿 绿茶"),
        ("茶", "茶"),
        ("I like 绿茶 and ชา", "绿茶 ชา"),
        ("plain words", ""),
        ("", ""),
    ],
)
def test_unspaced_runs_become_pairs(text: str, pairs: str) -> None:
    assert pairs_of_characters(text) == pairs
