"""What changes for the agent, in one sentence (R92)."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import Agent
from memoryhub.governance.consequences import if_declined, in_words, quoted
from memoryhub.models import Entry, Profile, Provenance, ReviewItem, Skill, Subject
from memoryhub.vocabulary import Channel, Kind, ReviewType, Role, Scope, Status

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Beside:
    against: Entry | None = None
    in_force: Skill | Profile | None = None


def entry(content: str = "She lives in Turku", **fields: Any) -> Entry:
    subject = Subject(external_id="mira", display_name="Mira")
    made = Entry(
        content=content, subject=subject, status=Status.PROPOSED, kind=Kind.SEMANTIC, scope=Scope.SUBJECT,
        valid_from=NOW, recorded_at=NOW, confidence=0.7,
    )  # fmt: skip
    for name, value in fields.items():
        setattr(made, name, value)
    made.provenance = Provenance(role=Role.CUSTOMER, channel=Channel.USER_MESSAGE, said_at=NOW)
    return made


def skill(**fields: Any) -> Skill:
    return Skill(agent=Agent(slug="desk", name="The desk"), name="refunds", number=2, **fields)


def item(**fields: Any) -> ReviewItem:
    return ReviewItem(**{"type": ReviewType.FACT, **fields})


@pytest.mark.parametrize(
    ("about", "beside", "words"),
    [
        ({"entry": entry()}, Beside(), "recalls “She lives in Turku” in conversations with Mira."),
        (
            {"entry": entry()}, Beside(against=entry("She lives in Oulu")),
            "instead of “She lives in Oulu”, which becomes history.",
        ),
        ({"entry": entry(valid_from=NOW + timedelta(days=40))}, Beside(), "From 10 April 2026 on the agent"),
        ({"entry": entry(kind=Kind.EPISODIC)}, Beside(), "recalls that this happened:"),
        ({"entry": entry(scope=Scope.ORGANISATION)}, Beside(), "and so does every other agent"),
        (
            {"entry": entry(status=Status.ACCEPTED), "type": ReviewType.DISPUTE}, Beside(),
            "no longer recalls “She lives in Turku” in conversations with Mira, and nothing takes its place.",
        ),
        ({"entry": entry(status=Status.ACCEPTED), "type": ReviewType.RECONFIRM}, Beside(), "kept for longer"),
        ({"entry": entry(status=Status.ACCEPTED), "type": ReviewType.SAMPLE}, Beside(), "stays as it is"),
        (
            {"skill": skill(triggers=["intent:REFUND"], prefetch=["look_up"])}, Beside(),
            "The desk follows “refunds” when a turn carries intent:REFUND, and runs look_up first; so far it had no",
        ),
        ({"skill": skill(always=True)}, Beside(in_force=Skill(number=1)), "in every turn: version 2 in place of version 1."),
        ({"skill": skill(keywords=["a", "b", "c", "d"])}, Beside(), "speaks of a, b, c and 1 more"),
        ({"skill": skill()}, Beside(), "what its description says"),
        (
            {"profile": Profile(agent=Agent(slug="desk"), number=3)}, Beside(in_force=Profile(number=2)),
            "desk reads version 3 of its profile in every turn, in place of version 2.",
        ),
        ({"profile": Profile(agent=Agent(slug="desk"), number=1)}, Beside(), "so far it had none"),
    ],
)  # fmt: skip
def test_a_yes_is_told_in_one_sentence(about: dict[str, Any], beside: Beside, words: str) -> None:
    told = in_words(item(**about), beside)
    assert words in told
    assert told.endswith(".")
    assert told.count(". ") == 0


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"entry": entry()}, "does not come back without new evidence"),
        ({"entry": entry(status=Status.ACCEPTED), "type": ReviewType.DISPUTE}, "goes on recalling"),
        ({"entry": entry(status=Status.ACCEPTED), "type": ReviewType.SAMPLE}, "no longer recalls"),
        ({"skill": skill()}, "more sessions"),
    ],
)
def test_so_is_a_no(about: dict[str, Any], words: str) -> None:
    assert words in if_declined(item(**about))


def test_a_long_statement_is_quoted_by_its_beginning() -> None:
    assert quoted("word " * 50) == f"“{('word ' * 50)[:90].rstrip()}…”"
    assert quoted("two\n lines") == "“two lines”"
