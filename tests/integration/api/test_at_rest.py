"""What is known of somebody who does not want it used is absent to agents, through every door (R90).

It is there for the person, for whoever passes on what they say, and for those who answer for it.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone

from memoryhub.governance import access, grace
from memoryhub.governance.subjects import find
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast, Reply
from tests.door import Door

FILE: Final = "/memories/seats.md"
SAID: Final = "window seat"


class Known:
    """A person of whom something is known, in every form an agent may ask for, and the ways they have it rest."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        written = cast.post(
            "/memory-tool",
            {"subject": "nora", "command": "create", "path": FILE, "file_text": "I prefer the window seat",
             "channel": "user_message"},
        )  # fmt: skip
        self.entry = written.body["results"][0]["entry"]["id"]
        for by in ("bot", "plain-bot"):
            turn = {"event_id": f"e-{by}", "session_id": f"earlier-{by}", "subject": "nora",
                    "user_input": "Is my window seat free?", "assistant_output": "Yes, the window seat is.",
                    "occurred_at": "2026-09-01T09:00:00Z"}  # fmt: skip
            assert cast.post("/turns", turn, by=by).status == 201
        self.recalls = {by: self.recalled(by).body["recall_id"] for by in ("bot", "plain-bot")}

    def recalled(self, by: str) -> Reply:
        return self.cast.post("/recall", {"subject": "nora", "query": "window seat", "min_relevance": 0}, by=by)

    def pause(self, use_existing: bool = False) -> None:
        body = {"paused": True, "use_existing": use_existing}
        assert self.cast.post("/subjects/nora/pause", body, by="desk").status == 200

    def resume(self) -> None:
        assert self.cast.post("/subjects/nora/pause", {"paused": False}, by="desk").status == 200

    def _as_hub(self, run: Callable[..., Any]) -> None:
        by = system_principal(access.organisation_of(self.cast.slug).pk, "test")
        with acting_for(by, subjects=ALL_SUBJECTS):
            run(subject=find(external_id="nora", by=by), by=by, now=timezone.now())

    def ask_to_be_forgotten(self) -> None:
        self._as_hub(grace.ask)

    def change_their_mind(self) -> None:
        self._as_hub(grace.cancel)

    def told(self, by: str) -> dict[str, str]:
        """The answer of each door that shows entries, as text."""
        cast = self.cast
        replies = {
            "list": cast.get("/memories?subject=nora&status=any", by=by),
            "words": cast.get("/memories?subject=nora&q=seat", by=by),
            "then": cast.get(
                f"/memories?subject=nora&valid_at={timezone.now() + timedelta(minutes=1):%Y-%m-%dT%H:%M:%SZ}", by=by
            ),
            "one": cast.get(f"/memories/{self.entry}", by=by),
            "recall": self.recalled(by),
            "context": cast.post("/context", {"subject": "nora", "query": "window seat"}, by=by),
            "sessions": cast.get("/sessions/search?subject=nora&q=window+seat", by=by),
            "graph": cast.get("/graph?from=nora", by=by),
            "file": cast.post("/memory-tool", {"subject": "nora", "command": "view", "path": FILE}, by=by),
            "read": cast.get(f"/recalls/{self.recalls[by]}", by=by),
            "used": cast.post(f"/recalls/{self.recalls[by]}/used", {"ids": []}, by=by),
            "export": cast.get("/subjects/nora/export", by=by),
        }
        tool = Door(cast).call("memory", {"subject": "nora", "command": "view", "path": FILE}, by=by)
        answers = {name: str(reply.body) for name, reply in replies.items()} | {"mcp": str(vars(tool))}
        return {name: text for name, text in answers.items() if name != "export" or by == "plain-bot"}


@pytest.fixture
def known(cast: Cast) -> Known:
    return Known(cast)


WAYS: Final = (
    (Known.pause, Known.resume),
    (Known.ask_to_be_forgotten, Known.change_their_mind),
)


def _showing(answers: dict[str, str]) -> set[str]:
    """The doors whose answers hold words of the person's; a question alone has none of these."""
    return {
        name for name, text in answers.items() if "prefer the window seat" in text or "is my window" in text.lower()
    }


@pytest.mark.parametrize(("rest", "wake"), WAYS, ids=["paused", "asked to be forgotten"])
@pytest.mark.parametrize("by", ["bot", "plain-bot"])
def test_no_door_tells_an_agent_what_rests(known: Known, by: str, rest: Any, wake: Any) -> None:
    before = _showing(known.told(by))
    assert {"list", "words", "then", "one", "recall", "context", "sessions", "file", "read", "used", "mcp"} <= before
    rest(known)
    assert _showing(known.told(by)) == set()
    assert known.cast.get(f"/memories/{known.entry}", by=by).status == 404
    assert known.cast.get("/memories?subject=nora&status=any", by=by).body["items"] == []
    (given,) = known.cast.get(f"/recalls/{known.recalls[by]}", by=by).body["items"]
    assert (given["id"], given["entry"], given["erased"]) == (known.entry, None, False)
    wake(known)
    assert _showing(known.told(by)) == before


def test_a_pause_that_leaves_what_is_known_in_use_hides_nothing(known: Known) -> None:
    before = _showing(known.told("bot"))
    known.pause(use_existing=True)
    assert _showing(known.told("bot")) == before


@pytest.mark.parametrize("by", ["desk", "rosa", "olga"])
def test_who_speaks_for_the_person_and_who_answers_for_it_still_sees_it(known: Known, by: str) -> None:
    known.pause()
    assert [one["id"] for one in known.cast.get("/memories?subject=nora", by=by).body["items"]] == [known.entry]
    assert known.cast.get(f"/memories/{known.entry}", by=by).status == 200


@pytest.mark.parametrize("by", ["rosa", "olga", "kurt"])
def test_what_was_given_before_is_still_accounted_for(known: Known, by: str) -> None:
    known.pause()
    assert SAID in str(known.cast.get(f"/recalls/{known.recalls['bot']}", by=by).body)


@pytest.mark.parametrize("by", ["desk", "bot"])
def test_the_person_takes_it_along_and_has_it_erased(known: Known, by: str) -> None:
    known.pause()
    assert SAID in str(known.cast.get("/subjects/nora/export", by=by).body)
    assert known.cast.delete(f"/memories/{known.entry}", by=by).status == 200
    assert known.cast.get("/memories?subject=nora&status=any", by="desk").body["items"] == []
    assert known.cast.delete("/subjects/nora/memories", by=by).status == 200


def test_what_a_group_knows_rests_with_the_group_alone(cast: Cast) -> None:
    cast.put("/subjects/fleet", {"kind": "team", "members": ["nora"]})
    cast.say("Our berth is number seven", subject="fleet", speaker="nora", by="rosa", channel="curator")
    cast.say("I prefer the window seat")
    cast.post("/subjects/fleet/pause", {"paused": True, "use_existing": False}, by="desk")
    assert cast.get("/memories?subject=fleet&status=any").body["items"] == []
    assert len(cast.get("/memories?subject=nora").body["items"]) == 1


def test_the_session_that_goes_on_keeps_its_working_memory(known: Known) -> None:
    assert known.cast.patch("/sessions/earlier-bot/state", {"order": "A-17"}).status == 200
    known.pause()
    shown = known.cast.get("/sessions/earlier-bot").body
    assert shown["state"] == {"order": "A-17"}
    assert [turn["user_input"] for turn in shown["history"]] == ["Is my window seat free?"]
    assert known.cast.get("/sessions/search?subject=nora&q=window").body["items"] == []
