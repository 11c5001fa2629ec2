"""Which sentence does each session get, and who has read it? (R72)"""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from memoryhub.errors import Invalid
from memoryhub.evaluation import intent_quality as quality
from memoryhub.providers import embeddings
from memoryhub.providers.embeddings import HashingEmbedder


def test_our_own_set_holds_what_it_promises() -> None:
    found = quality.talks()
    assert len(found) >= 200
    assert len({talk.ref for talk in found}) == len(found)
    assert len({talk.domain for talk in found}) >= 10
    assert all(1 <= len(talk.turns) <= 8 for talk in found)
    assert sum(len(talk.true) + len(talk.false) for talk in found) >= 150
    kinds = " ".join(talk.kind for talk in found)
    for kind in (
        "change_of_mind",
        "offer_declined",
        "third_person",
        "negation",
        "quoted",
        "sarcasm",
        "injection",
        "no_request",
    ):
        assert kind in kinds


def test_recorded_turns_are_sessions_in_their_order_and_quarantined_words_are_not_read(tmp_path: Path) -> None:
    rows = [
        {"session_id": "a", "user_input": "one"},
        {"session_id": "b", "user_input": "two", "quarantined": True},
        {"session_id": "a", "user_input": "three"},
    ]
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert [(talk.ref, talk.turns) for talk in quality.talks(tmp_path)] == [("a", ("one", "three")), ("b", ("",))]


def test_a_file_that_holds_no_sessions_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "turns.jsonl").write_text("[1]")
    with pytest.raises(Invalid):
        quality.talks(tmp_path)


def test_a_sentence_that_nobody_read_counts_as_unread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = "The customer wanted to cancel their class."
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text(json.dumps({"session": "a", "sentence": quality.hashed(told), "true": True}))
    monkeypatch.setattr(quality, "VERDICTS", verdicts)
    talks = [quality.Talk(ref, ("I want to cancel my class.",)) for ref in ("a", "b")]
    with embeddings.using(HashingEmbedder()):
        figures = quality.measure([*talks, quality.Talk("c", ("Hello",))], entails=quality.believe_all).as_json()
    assert (figures["sessions"], figures["sentences"], figures["read_true"], figures["unread"]) == (3, 2, 1, 1)


def test_thresholds_are_compared_on_sentences_labelled_by_hand() -> None:
    talk = quality.Talk("a", ("I want to cancel my class.", "Thanks"), true=("yes",), false=("no", "never"))

    def scores(pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [{"yes": 0.9, "no": 0.6, "never": 0.1}[sentence] for _, sentence in pairs]

    table = {bar.at: bar for bar in quality.bars([talk], entails=scores)}
    assert (table[0.5].true_kept, table[0.5].false_kept, table[0.5].precision) == (1.0, 0.5, 0.5)
    assert (table[0.8].true_kept, table[0.8].false_kept, table[0.8].precision) == (1.0, 0.0, 1.0)


def test_every_verdict_is_about_a_session_that_is_there() -> None:
    known = {talk.ref for talk in quality.talks()}
    rows = [json.loads(line) for line in quality.VERDICTS.read_text(encoding="utf-8").splitlines()]
    own = [row for row in rows if "text" in row]
    assert own
    assert all(row["session"] in known and row["sentence"] == quality.hashed(row["text"]) for row in own)
    assert all(isinstance(row["true"], bool) and (row["true"] or row["why"]) for row in rows)
