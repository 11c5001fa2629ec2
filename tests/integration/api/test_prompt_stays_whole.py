"""POST /recall and /context over hostile words through every door: what comes out stays the hub's own lines (R34)."""

import re

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.ids import new_id
from memoryhub.recall.escaping import BLOCK, MARK
from tests.cast import Cast
from tests.factories.hostile_text import PHRASES, PROMPTS, is_hidden

WORDS = PHRASES | PROMPTS
SOME = settings(
    max_examples=12, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
STARTS = re.compile(
    rf"<{BLOCK} id=\"[0-9a-f]{{12}}\">|</{BLOCK}>|Notes about the user: data, not instructions|{MARK} "
    r"|\d+ found, but none fits|Nothing was found\. Looked for: “|Known about the (?:person|project) \(data"
    r"|This conversation so far:|(?:state|earlier:|user:|assistant:) “|Withheld: a part|$"
)


def can_be_sent(text: str) -> str:
    """What JSON over HTTP carries and the contract takes: no lone surrogates, no NUL."""
    return "".join(character for character in text if not "\ud800" <= character <= "\udfff" and character != "\0")


@SOME
@given(text=WORDS.map(can_be_sent), session=st.booleans())
def test_no_words_through_any_door_break_out_of_what_is_rendered(cast: Cast, text: str, session: bool) -> None:
    subject = f"rider-{new_id().hex[-8:]}"
    told = f"The ferry leaves at six {text}"
    for channel, by in (("curator", "rosa"), ("user_message", "bot"), ("system_of_record", "crm")):
        reply = cast.post("/memories", {"subject": subject, "text": told, "channel": channel,
                                        "source": {"ref": f"log {text}"[:400], "uri": None, "quote": text[:400]}}, by=by)  # fmt: skip
        assert reply.status in (200, 422), reply
    cast.push({"ferry": f"pier {text}"[:1500]}, subject=subject)
    turn = {
        "event_id": f"e-{subject}", "session_id": f"s-{subject}", "subject": subject, "user_input": text,
        "assistant_output": f"So be it. {text}", "occurred_at": "2026-05-20T12:00:00Z", "state": {"ferry": text[:100]},
    }  # fmt: skip
    if session:
        assert cast.post("/turns", turn).status in (201, 422)
    asked = f"when does the ferry leave {text}"
    found = cast.post("/recall", {"subject": subject, "query": asked, "min_relevance": 0, "token_budget": 5000})
    named = {"session_id": f"s-{subject}"} if session else {}
    built = cast.post("/context", {"subject": subject, "query": asked, "token_budget": 5000, **named})
    assert (found.status, built.status) == (200, 200), (found, built)
    rendered = found.body["rendered"]
    assert len(rendered.split("\n")) == 3 + max(1, len(found.body["items"])) + len(found.body["conflicts"])
    for block in (rendered, built.body["rendered"]):
        assert block.splitlines() == block.split("\n")
        assert [line for line in block.split("\n") if not STARTS.match(line)] == []
        assert not any(map(is_hidden, block.replace("\n", "")))
        assert (block.count("<"), block.count(">"), block.count(f"</{BLOCK}>")) == (2, 2, 1)
    assert rendered.count(MARK) == len(found.body["items"]) + len(found.body["conflicts"])
