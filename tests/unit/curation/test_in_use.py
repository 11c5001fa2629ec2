"""What a memory means for an agent, in a sentence, for every status and time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from curation.in_use import use_of
from memoryhub.models import Entry, Provenance, Subject
from memoryhub.vocabulary import Category, Channel, Kind, Role, Scope, Status

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(subject: dict[str, Any] | None = None, **fields: Any) -> Entry:
    usual = {
        "status": Status.ACCEPTED, "scope": Scope.SUBJECT, "kind": Kind.SEMANTIC, "category": Category.PREFERENCE,
        "authority": 0.3, "confidence": 0.9, "valid_from": NOW - 9 * DAY, "expires_at": NOW + 90 * DAY,
    }  # fmt: skip
    made = Entry(subject=Subject(**(subject or {})), **{**usual, **fields})
    made.provenance = Provenance(role=Role.CUSTOMER, channel=Channel.USER_MESSAGE, said_at=NOW - 9 * DAY)
    return made


@pytest.mark.parametrize("status", [status for status in Status if status != Status.ACCEPTED])
def test_only_what_is_accepted_is_in_use(status: Status) -> None:
    assert not use_of(entry(status=status), now=NOW, zone=UTC).now


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"valid_from": NOW + DAY}, "begins to hold on 1 December 2026"),
        ({"valid_to": NOW - DAY}, "held until 29 November 2026"),
        ({"expires_at": NOW - DAY}, "time was over on 29 November 2026"),
        ({"subject": {"paused_at": NOW, "use_existing": False}}, "paused"),
    ],
)
def test_what_is_accepted_is_not_always_in_use(fields: dict[str, Any], word: str) -> None:
    use = use_of(entry(**fields), now=NOW, zone=UTC)
    assert not use.now
    assert word in use.sentence


def test_what_is_in_use_says_until_when_and_for_whom() -> None:
    assert "until 28 February 2027, unless somebody confirms it" in use_of(entry(), now=NOW, zone=UTC).sentence
    announced = use_of(entry(valid_to=NOW + DAY), now=NOW, zone=UTC)
    assert announced.sentence.endswith("until 1 December 2026.")
    assert use_of(entry(subject={"paused_at": NOW, "use_existing": True}), now=NOW, zone=UTC).now
    assert "Every agent" in use_of(entry(scope=Scope.ORGANISATION), now=NOW, zone=UTC).sentence


def test_cautions_are_those_that_recall_gives() -> None:
    assert use_of(entry(), now=NOW, zone=UTC).cautions == ()
    told = use_of(entry(contested=True, review_by=NOW - DAY), now=NOW, zone=UTC).cautions
    assert told == ("past its review date", "somebody disputes it")
