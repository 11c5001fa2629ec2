"""Whatever a stranger sends, reading it takes time in proportion: twenty-four kinds of hostile text (R11, R13)."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memoryhub.governance.extraction import extract
from memoryhub.vocabulary import Channel

OSLO = ZoneInfo("Europe/Oslo")
LIMIT = 64 * 1024  # bytes: the door refuses what is longer
#: Seconds for the best of three: generous, for machines are busy; what backtracks takes minutes.
MAY_TAKE = 15
#: One short piece of each kind; repeated it is the text.
KINDS = {
    "one letter": "a", "one digit": "7", "spaces": " ", "line breaks": "\n", "full stops": ".", "quotes": '"',
    "brackets": "([{<", "words": "word ", "first person": "I do not ", "articles": "the a an ", "commas": "tea, ",
    "questions": "is it ? ", "labels": "key: value ", "mail": "From: a@b.example\n", "addresses": "a.b-c@d-e.",
    "links": "https://a.b/c?d=e&", "numbers": "12 34-56 78.90 ", "base64": "QUJD+/=", "emoji": "\U0001f600\u200d",
    "accents": "e\u0301", "fillers": "and so, well, please note that ", "never": "never always do not ",
    "dates": "until the next two weeks in ", "wide": "\uff21\u3000\u6f22",
}  # fmt: skip


def text_of(kind: str) -> str:
    piece = KINDS[kind]
    return (piece * (LIMIT // len(piece.encode())))[:-1] + "x"  # an end that nothing expects


def seconds(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        extract(text, said_at=datetime(2026, 6, 1, 9, tzinfo=OSLO), zone=OSLO, channel=Channel.USER_MESSAGE)
        best = min(best, time.perf_counter() - start)
        if best < MAY_TAKE:
            break
    return best


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_full_text_of_any_kind_is_read_in_good_time(kind):
    assert seconds(text_of(kind)) < MAY_TAKE
