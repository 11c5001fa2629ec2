"""What the benches store is kept as one fact each, and is the same in every run."""

from datetime import UTC, datetime
from itertools import islice

from memoryhub.governance.extraction import extract
from memoryhub.management import gate_bench, sample_texts
from memoryhub.vocabulary import Channel, Op

MANY = 600  # more than there are pairings, so that a second lap is among them
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_the_gate_commits_every_statement_as_one_fact() -> None:
    for text in islice(sample_texts.statements(1), MANY):
        assert gate_bench.ops_of(text, Channel.USER_MESSAGE) == [Op.ADD], text


def test_no_statement_takes_the_place_of_another() -> None:
    for text in islice(sample_texts.statements(2), MANY):
        (claim,) = extract(
            text, said_at=NOW, zone=UTC, channel=Channel.USER_MESSAGE, speaker_is_subject=True, keyed=None
        ).claims
        assert claim.key is None or not claim.single, text


def test_statements_never_repeat() -> None:
    found = list(islice(sample_texts.statements(3), 2 * MANY))
    assert len({text.partition(" ")[2].partition(" ")[2] for text in found}) == len(found)


def test_a_seed_gives_the_same_texts_again_and_another_seed_others() -> None:
    for made in (sample_texts.statements, sample_texts.questions):
        assert list(islice(made(4), 50)) == list(islice(made(4), 50))
        assert list(islice(made(4), 50)) != list(islice(made(5), 50))


def test_questions_speak_of_the_person_not_as_the_person() -> None:
    for question in islice(sample_texts.questions(6), 300):
        assert question.endswith("?")
        assert not {"I", "my", "me"} & set(question.rstrip("?").split())
