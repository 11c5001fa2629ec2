"""Which sentences does a language model propose for what a customer wanted? (R72)"""

import json
from collections.abc import Iterator

import pytest

from memoryhub.providers import chat_model
from memoryhub.providers.chat_model import Endpoint
from memoryhub.providers.intent_model import MAX_PROPOSALS, MAX_SHOWN, ask
from tests.model_server import model_server, says

TURNS = ("I'd like to move\nmy fitting.", "", "Thanks.")


@pytest.fixture(autouse=True)
def _awake() -> Iterator[None]:
    chat_model.wake()
    yield
    chat_model.wake()


def test_the_customers_turns_are_shown_as_data_and_the_sentences_come_back() -> None:
    told = json.dumps({"sentences": ["The customer wanted to  move their fitting.", 7, "b", "c", "d"]})
    with model_server(says(told)) as server:
        found = ask(TURNS, endpoint=Endpoint(server.url, "small"))
        (sent,) = server.asked
    assert found[0] == "The customer wanted to move their fitting."
    assert len(found) == MAX_PROPOSALS
    first, *lines, last = sent["messages"][1]["content"].split("\n")
    assert first == last
    assert first.startswith("=== ")
    assert lines == ["I'd like to move my fitting.", "Thanks."]


@pytest.mark.parametrize("said", ["no json", "[]", '{"sentences": "one"}', '{"claims": []}', "{}"])
def test_an_answer_in_another_form_is_no_proposal(said: str) -> None:
    with model_server(says(said)) as server:
        assert ask(TURNS, endpoint=Endpoint(server.url, "small")) == ()


@pytest.mark.parametrize("turns", [(), ("",), ("x" * (MAX_SHOWN + 1),)])
def test_nothing_is_asked_about_nothing_or_about_too_much(turns: tuple[str, ...]) -> None:
    assert ask(turns, endpoint=Endpoint("http://127.0.0.1:9/v1", "small")) == ()


def test_a_model_that_is_not_there_proposes_nothing() -> None:
    assert ask(TURNS, endpoint=Endpoint("http://127.0.0.1:9/v1", "small")) == ()
