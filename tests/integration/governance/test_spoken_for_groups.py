"""Somebody who spoke for a group is forgotten: what it came to is the group's, and their words go (R91)."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast
from tests.integration.population import every_row, holding, word_of

pytestmark = pytest.mark.usefixtures("committed_db")

WORDS = {name: word_of(5000 + place) for place, name in enumerate(
    ("fact", "asked", "answered", "looked", "found", "state", "note", "hand", "page"))}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


def test_their_words_go_with_what_the_conversation_had_at_hand_and_the_fact_stays() -> None:
    cast, at = Cast(), "/sessions/s-1"
    cast.put("/subjects/acme", {"kind": "project", "members": ["nora", "ben"]}, by="desk")
    turn = {
        "event_id": "e-1", "session_id": "s-1", "subject": "acme", "speaker": "nora",
        "user_input": f"We use {WORDS['fact']}, not npm. Where is {WORDS['asked']}?",
        "assistant_output": f"I noted {WORDS['answered']}.", "state": {"dish": WORDS["state"]},
        "actions": [{"tool": "look", "arguments": {"name": WORDS["looked"]}, "result": WORDS["found"], "ok": False}],
    }  # fmt: skip
    other = {"event_id": "e-2", "session_id": "s-2", "subject": "acme", "speaker": "ben",
             "user_input": "We deploy on Mondays.", "state": {"room": "kept"}}  # fmt: skip
    replies = [
        cast.post("/turns", turn), cast.post("/turns", other), cast.patch(f"{at}/state", {"note": WORDS["note"]}),
        cast.post(f"{at}/current", {"actions": [{"tool": "look", "result": WORDS["hand"], "ok": True}]}),
        cast.post(f"{at}/offload", {"text": f"A long page about {WORDS['page']}."}),
    ]  # fmt: skip
    assert {reply.status for reply in replies} <= {200, 201}, replies
    assert set(holding(WORDS, every_row())) >= {"fact", "asked", "answered", "state", "note", "hand"}

    removed = cast.delete("/subjects/nora/memories", by="olga").body["removed"]

    assert (removed["events"], removed["turns"], removed["offloads"]) == (1, 1, 1)
    left = holding(WORDS, every_row())
    assert set(left) == {"fact"}
    assert [line.split()[0] for line in left["fact"]] == ["memoryhub_entry"], "the fact, and no quote of theirs"
    assert cast.get("/sessions/s-2").body["state"] == {"room": "kept"}
    again = cast.delete("/subjects/nora/memories", by="olga").body["removed"]
    assert (again["events"], again["turns"]) == (0, 0), "what was told of once is not told of again"


def test_what_a_night_summed_up_of_it_is_made_again_without_their_words() -> None:
    cast = Cast()
    cast.put("/subjects/acme", {"kind": "project", "members": ["nora", "ben"]}, by="desk")
    for number, (speaker, dish) in enumerate((("nora", WORDS["looked"]), ("ben", WORDS["found"]))):
        booked = {"tool": "order_meal", "arguments": {"dish": dish}, "result": {"order": dish}, "ok": True}
        turn = {
            "event_id": f"e-{number}", "session_id": "s-1", "subject": "acme", "speaker": speaker,
            "user_input": f"Order {dish} for us all, please.", "actions": [booked],
        }  # fmt: skip
        assert cast.post("/turns", turn).status in (200, 201)
    call_command("dream", "--organisation", cast.slug)
    assert _told_of_acme(cast, WORDS["looked"]), "else the night told nothing of theirs that could go"
    assert _told_of_acme(cast, WORDS["found"])

    removed = cast.delete("/subjects/nora/memories", by="olga").body["removed"]

    assert removed["derived"] == 1
    call_command("dream", "--organisation", cast.slug)
    assert not holding(WORDS, every_row()).get("looked")
    assert _told_of_acme(cast, WORDS["found"]), "what ben had done is told again"


def _told_of_acme(cast: Cast, word: str) -> bool:
    told = cast.get("/memories?subject=acme&kind=episodic", by="olga").body["items"]
    return any(word in entry["text"] for entry in told)
