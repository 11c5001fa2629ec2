"""What a person is told about a memory: every case has words, and none of them is a word of the trade."""

import pytest

from curation import plain_words
from curation.plain_words import outcome_of, receipt, where_from
from memoryhub.governance.intake import Result
from memoryhub.models import Entry, Provenance, Subject
from memoryhub.vocabulary import Channel, Kind, Op, Reason, Role, Status
from tests.factories.ground import NOW

JARGON = (
    "semantic",
    "episodic",
    "procedural",
    "embedding",
    "confidence",
    "provenance",
    "channel",
    "vector",
    "token",
    "_",
)


def entry(
    channel: Channel, *, kind: Kind = Kind.SEMANTIC, role: Role = Role.CUSTOMER, status: Status = Status.ACCEPTED
) -> Entry:
    subject = Subject(external_id="mira")
    origin = Provenance(channel=channel, role=role, said_at=NOW, speaker=subject)
    return Entry(
        subject=subject,
        kind=kind,
        status=status,
        category="preference",
        content="x",
        recorded_at=NOW,
        provenance=origin,
    )


@pytest.mark.parametrize("channel", list(Channel))
@pytest.mark.parametrize("kind", list(Kind))
def test_every_channel_has_a_sentence_with_its_day(channel: Channel, kind: Kind) -> None:
    sentence = where_from(entry(channel, kind=kind), zone=NOW.tzinfo)  # type: ignore[arg-type]
    assert "30 November 2026" in sentence
    assert sentence.endswith(".")
    assert [word for word in JARGON if word in sentence.lower()] == []


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("role", list(Role))
def test_every_standing_is_said_in_words(status: Status, role: Role) -> None:
    standing = plain_words.standing(entry(Channel.USER_MESSAGE, role=role, status=status), zone=NOW.tzinfo)  # type: ignore[arg-type]
    assert standing.word
    assert standing.sentence.endswith(".")


@pytest.mark.parametrize("op", list(Op))
@pytest.mark.parametrize("reason", list(Reason))
def test_every_outcome_of_a_correction_is_said_in_words(op: Op, reason: Reason) -> None:
    sentence, kept = outcome_of((Result(op=op, reason=reason, entry=None, redacted=False, steps=()),))
    assert kept == (op in (Op.ADD, Op.UPDATE, Op.QUEUED, Op.NOOP))
    assert sentence.endswith(".")
    assert [word for word in JARGON if word in sentence.lower()] == []


def test_a_kept_correction_outweighs_a_refused_part_and_says_what_was_left_out() -> None:
    kept = Result(op=Op.UPDATE, reason=Reason.SUPERSEDED, entry=None, redacted=True, steps=())
    lost = Result(op=Op.REFUSED, reason=Reason.SECRET, entry=None, redacted=False, steps=())
    assert outcome_of((lost, kept)) == (
        "Thank you. It is corrected, at once. A part that is never kept was left out.",
        True,
    )


def test_a_receipt_counts_in_words_and_leaves_nothing_out() -> None:
    assert receipt({"entries": 1, "queue": 2, "versions": 3, "events": 0}) == [
        "1 thing remembered",
        "2 things that waited for a look",
    ]
    assert receipt({"something_new": 4}) == ["4 other records that belonged to it"]
