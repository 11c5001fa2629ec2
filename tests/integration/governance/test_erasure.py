"""Forgetting that is real: words, vectors, queue, turns and what was derived (R91)."""

from collections.abc import Iterable

import pytest
from django.db import connection

from accounts.models import Agent
from memoryhub.governance import audit, erasure
from memoryhub.governance.export import export_subject
from memoryhub.models import Entry, Erasure, Event, Lineage, ReviewItem, Session, Subject, Turn
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Role
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
DREAMT = {"channel": Channel.DREAM, "role": Role.DREAMER, "kind": Kind.EPISODIC, "category": Category.EPISODE_OUTCOME}
CANARY = "zanzibarian marmalade"


def words_in_the_database() -> str:
    """Every row of every table that the tenant can see, as one text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name ~ '^(memoryhub|accounts)_'"
        )
        tables = [row[0] for row in cursor.fetchall()]
        found = []
        for table in tables:
            cursor.execute(f"SELECT coalesce(string_agg(t::text, ' '), '') FROM {table} t")
            found.append(cursor.fetchone()[0])
    return " ".join(found).lower()


def erase(ground: Ground, entry: Entry) -> Erasure:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        return erasure.erase_entry(
            entry=Entry.objects.select_related("subject").get(pk=entry.pk), by=ground.as_agent, now=NOW
        )


def only(results: Iterable[object]) -> Entry:
    (result,) = results
    entry = result.entry  # type: ignore[attr-defined]
    assert isinstance(entry, Entry)
    return entry


def turn_with(ground: Ground, subject: Subject, words: str, event_ref: str = "e-1") -> tuple[Session, Event]:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        agent = Agent.objects.get(pk=ground.agent.pk)
        session, _ = Session.objects.get_or_create(
            organisation=ground.organisation, agent=agent, external_id="s-1", subject=subject,
            defaults={"started_at": NOW, "last_turn_at": NOW, "expires_at": NOW},
        )  # fmt: skip
        common = {"organisation": ground.organisation, "session": session, "subject": subject, "occurred_at": NOW}
        Turn.objects.create(number=Turn.objects.count() + 1, event_ref=event_ref, user_input=words, **common)
        event = Event.objects.create(
            agent=agent, external_id=event_ref, user_input=words, received_at=NOW, consolidated_at=NOW, **common
        )
    return session, event


def test_erasing_an_entry_reaches_all_its_versions_and_its_queue_item(say: Say, ground: Ground) -> None:
    say("I live in Lisbon")
    newest = only(say("I live in Porto").results)
    receipt = erase(ground, newest)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.count() == 0
    assert (receipt.removed["entries"], receipt.removed["versions"], receipt.remaining) == (2, 1, 0)
    waiting = only(say("The customer prefers short calls", **INFERENCE).results)
    assert erase(ground, waiting).removed["queue"] == 1


def test_erasing_an_entry_reaches_the_turn_that_carried_it_and_the_summary_of_its_session(
    say: Say, ground: Ground, asha: Subject
) -> None:
    _, event = turn_with(ground, asha, f"I prefer {CANARY}")
    _, other = turn_with(ground, asha, "Where is my parcel?", "e-2")
    fact = only(say(f"I prefer {CANARY}", event_ref="e-1", session_ref="s-1").results)
    only(say("2026-11-30: the order status was read.", events=(event, other), **DREAMT).results)
    receipt = erase(ground, fact)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert CANARY not in words_in_the_database()
        assert list(Event.objects.values_list("external_id", "consolidated_at")) == [("e-2", None)]
        assert (Entry.objects.count(), Lineage.objects.count()) == (0, 0)
    assert (receipt.removed["events"], receipt.removed["turns"], receipt.removed["derived"]) == (1, 1, 1)


def test_erasing_a_subject_leaves_no_word_of_theirs_and_every_word_of_others(
    say: Say, ground: Ground, asha: Subject
) -> None:
    other = ground.subject("ben")
    turn_with(ground, asha, f"I prefer {CANARY}")
    say(f"I prefer {CANARY}", event_ref="e-1")
    say(f"The customer likes {CANARY}", **INFERENCE)
    kept = only(say("I prefer plain toast", subject=other).results)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        receipt = erasure.erase_subject(subject=asha, by=ground.as_agent, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert CANARY not in words_in_the_database()
        assert list(Entry.objects.values_list("pk", flat=True)) == [kept.pk]
        assert erasure.left_of(asha) == 0
        assert ReviewItem.objects.count() == 0
        assert audit.first_broken_link(ground.organisation.pk) is None
    assert receipt.remaining == 0
    assert set(erasure.COUNTED) <= set(erasure.as_json(receipt)["removed"])  # type: ignore[call-overload]


@pytest.mark.usefixtures("everything")
def test_what_was_derived_from_an_erased_entry_goes_with_it(say: Say, ground: Ground) -> None:
    source = only(say("I prefer tea").results)
    derived = only(say("Twice asked for tea.", derived_from=(source,), **DREAMT).results)
    assert derived.authority == source.authority
    erase(ground, source)
    assert Entry.objects.count() == 0


def test_an_export_holds_every_entry_with_its_origin(say: Say, ground: Ground, asha: Subject) -> None:
    say("I live in Lisbon")
    say("I live in Porto")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        export = export_subject(subject=asha, by=ground.as_agent, now=NOW)
    entries = export["entries"]
    assert isinstance(entries, list)
    assert {(entry["value"], entry["status"]) for entry in entries} == {("Lisbon", "replaced"), ("Porto", "accepted")}
    assert all(entry["provenance"]["channel"] == "user_message" for entry in entries)
