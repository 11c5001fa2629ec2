"""Words may stand where nobody looks for them: in keys, ids, references, names of tools and files. They go, too (R91)."""

from typing import Any

import pytest

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast
from tests.integration.population import every_row, holding, word_of

pytestmark = pytest.mark.usefixtures("committed_db")

PLACES = (
    "key", "value", "message", "ref", "uri", "quote", "event", "session", "tool", "argument", "observed", "scope", "state",
    "record", "proposed", "refused", "asked", "question", "at_hand", "reason", "idempotent",
)  # fmt: skip
W = {name: word_of(6000 + number) for number, name in enumerate(PLACES)}
#: Places of which a row in clear holds the word before; of the others it is sealed, hashed or never kept.
IN_CLEAR = {"key", "value", "message", "ref", "uri", "quote", "event", "session", "scope", "state", "record", "proposed",
            "at_hand", "reason"}  # fmt: skip


def _told(text: str, **fields: Any) -> dict[str, Any]:
    return {"subject": "ada", "text": text, "channel": "user_message", **fields}


def test_no_name_of_anything_holds_a_word_of_somebody_who_was_forgotten() -> None:
    cast = Cast()
    source = {"ref": f"{W['ref']}.pdf", "uri": f"https://papers.example/{W['uri']}", "quote": f"so {W['quote']}"}
    turn = {
        "event_id": f"e-{W['event']}", "session_id": f"s-{W['session']}", "subject": "ada",
        "user_input": "I like tea. Where is my parcel?", "assistant_output": "Noted.", "state": {W["state"]: "a"},
        "actions": [{"tool": f"look_{W['tool']}", "arguments": {W["argument"]: "a"}, "result": "no", "ok": False}],
        "observations": [{"kind": f"parcel_{W['observed']}", "value": "a"}], "scope": [f"intent:{W['scope'].upper()}"],
    }  # fmt: skip
    kept = _told("I prefer the blue blend", key=f"{W['key']}_size", value=f"{W['value']} big", source=source,
                 message_id=f"m-{W['message']}")  # fmt: skip
    refused = _told("My password is correct-horse-9-battery", key=f"{W['refused']}_password", value="x")
    guess = _told("The customer owns a kettle", key=f"{W['proposed']}_thing", value="k", channel="agent_inference")
    asked = {"subject": "ada", "query": f"which {W['question']}", "session_id": f"q-{W['asked']}"}
    at_hand = {"actions": [{"tool": f"t_{W['at_hand']}", "result": "r", "ok": True}]}
    with using(HashingEmbedder()):
        replies = [
            cast.post("/memories", kept, Idempotency_Key=f"k-{W['idempotent']}"), cast.post("/memories", refused),
            cast.post("/turns", turn), cast.push({W["record"]: "4"}, subject="ada"), cast.post("/memories", guess),
            cast.post(f"/sessions/s-{W['session']}/current", at_hand), cast.post("/recall", asked),
            cast.post("/context", asked),
        ]  # fmt: skip
        (item,) = cast.waiting(subject="ada")
        replies.append(cast.post(f"/queue/{item['id']}/reject", {"reason": f"No {W['reason']}"}, by="rosa"))
        assert {reply.status for reply in replies} <= {200, 201}, replies
        assert set(holding(W, every_row())) >= IN_CLEAR
        assert cast.delete("/subjects/ada/memories", by="olga").status == 200
    assert holding(W, every_row()) == {}
