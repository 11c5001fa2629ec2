"""Three public formats, each as small as it can be, and our own set."""

import json
from pathlib import Path

import pytest

import memoryhub.evaluation
from memoryhub.errors import Invalid
from memoryhub.evaluation.datasets import read
from memoryhub.vocabulary import Kind


def test_a_conversation_becomes_turns_with_speaker_and_time(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    conversation = {
        "session_1_date_time": "9:05 am on 3 March, 2021",
        "session_1": [
            {"dia_id": "D1:1", "speaker": "Ilse", "text": "I baked rye bread."},
            {"dia_id": "D1:2", "speaker": "Tomasz", "text": "Lovely."},
        ],
    }
    qa = [
        {"question": "What did Ilse bake?", "evidence": ["D1:1; D:1:02", "D"], "category": 4},
        {"question": "What did Tomasz bake?", "evidence": ["D1:1"], "category": 5},
        {"question": "Nobody knows?", "evidence": ["D9:9"], "category": 1},
    ]
    file.write_text(json.dumps([{"conversation": conversation, "qa": qa, "sample_id": "one"}]))
    (found,) = read("locomo", file)
    assert [(turn.ref, turn.speaker, turn.session) for turn in found.passages] == [
        ("D1:1", "Ilse", "session-1"),
        ("D1:2", "Tomasz", "session-1"),
    ]
    assert found.passages[0].said_at is not None
    assert found.passages[0].said_at.isoformat() == "2021-03-03T09:05:00+00:00"
    assert [(asked.answers, asked.counts) for asked in found.questions] == [
        ({"D1:1": 1, "D1:2": 1}, True),
        ({"D1:1": 1}, False),  # the other person said it: reported apart
    ]


def test_paragraphs_answer_their_own_questions(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    paragraphs = [{"context": f"Paragraph {n}.", "qas": [{"question": f"What is {n}?"}]} for n in range(2)]
    file.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    (found,) = read("xquad", file)
    assert [(asked.text, asked.answers) for asked in found.questions] == [
        ("What is 0?", {"0": 1}),
        ("What is 1?", {"1": 1}),
    ]


def test_queries_are_counted_in_order_and_grades_turned_round(tmp_path: Path) -> None:
    (tmp_path / "cran.all.1400").write_text(
        ".I 1\n.T\nwing flow\n.A\nsomebody\n.W\nflow over\na wing .\n.I 2\n.W\nheat in slabs .\n.I 3\n.T\nempty\n.W\n"
    )
    (tmp_path / "cran.qry").write_text(".I 001\n.W\nwhat of wings .\n.I 004\n.W\nwhat of heat .\n")
    (tmp_path / "cranqrel").write_text("1 1 1\n1 2 4\n2 2 2\n2 3 1\n2 1 5\n")
    (found,) = read("cranfield", tmp_path / "cran.qry")
    assert [(passage.ref, passage.text) for passage in found.passages] == [
        ("1", "flow over a wing ."),
        ("2", "heat in slabs ."),
    ]
    assert [asked.answers for asked in found.questions] == [{"1": 4, "2": 1}, {"2": 3}]


@pytest.mark.parametrize("dataset", ["locomo", "xquad", "cranfield"])
@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"data": 3}', "no json"])
def test_another_file_is_refused_with_its_name(dataset: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "cranqrel"
    file.write_text(text)
    with pytest.raises(Invalid) as refused:
        read(dataset, file)
    assert "is not a" in refused.value.errors["file"][0]


def test_an_unknown_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        read("trivia", tmp_path)


def test_our_own_set_asks_what_is_there_and_what_is_not() -> None:
    found = read("everyday", Path(memoryhub.evaluation.__file__).parent / "sets" / "everyday.json")
    asked = [question for collection in found for question in collection.questions]
    assert len(found) == 24
    assert {question.category for question in asked if not question.answers} == {
        "foreign", "missing", "swapped_name", "other_identifier",
    }  # fmt: skip
    assert all(question.counts == bool(question.answers) for question in asked)
    for collection in found:
        known = {passage.ref for passage in collection.passages}
        assert all(question.answers.keys() <= known for question in collection.questions)
        assert {passage.kind for passage in collection.passages} == {Kind.SEMANTIC, Kind.EPISODIC}
