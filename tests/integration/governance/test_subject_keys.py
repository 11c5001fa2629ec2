"""One key per subject: what it seals opens nowhere else, and nowhere at all once it is destroyed (R91)."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memoryhub.dreams.inbox import FinishedTurn, receive_turn
from memoryhub.errors import KeyDestroyed, KeysUnusable, SealBroken
from memoryhub.governance import audit, erasure, subject_keys
from memoryhub.models import AuditEvent, Event, MasterKey, Subject, SubjectKey, subject_key
from memoryhub.models.sealed import in_clear
from memoryhub.providers.key_file import MasterKeys, ensure
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

CANARY = "zanzibarian marmalade"


@pytest.fixture
def everybody(ground: Ground) -> Iterator[None]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        yield


def raw(table: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(string_agg(t::text, ' '), '') FROM {table} t")
        return str(cursor.fetchone()[0])


def take_turn(ground: Ground, subject: Subject, words: str, event_id: str = "e-1") -> Event:
    turn = FinishedTurn(
        event_id=event_id, session_id=f"s-{subject.external_id}", user_input=words, assistant_output=f"Noted: {words}",
        actions=[{"tool": "note", "args": {"text": words}}], observations=[{"kind": "shelf", "value": words}],
        signals=[{"kind": "refused", "value": words}],
    )  # fmt: skip
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        receive_turn(turn=turn, agent=ground.agent, subject=subject, speaker=None, by=ground.as_agent, now=NOW)
        return Event.objects.get(external_id=event_id)


def test_what_is_sealed_opens_as_what_it_was(asha: Subject, everybody: None) -> None:
    row = uuid.uuid4()
    sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive", row=row)
    assert b"words" not in sealed
    assert subject_keys.unseal(subject=asha.pk, data=sealed, purpose="archive", row=row) == b"words"
    assert sealed != subject_keys.seal(subject=asha, data=b"words", purpose="archive", row=row)
    assert SubjectKey.objects.count() == 1


def test_what_is_sealed_opens_only_where_it_belongs(ground: Ground, asha: Subject, everybody: None) -> None:
    row, ben = uuid.uuid4(), ground.subject("ben")
    sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive", row=row)
    subject_keys.seal(subject=ben, data=b"words", purpose="archive")
    for elsewhere in (
        {"subject": asha, "purpose": "answer", "row": row},
        {"subject": asha, "purpose": "archive", "row": uuid.uuid4()},
        {"subject": asha, "purpose": "archive", "row": None},
    ):
        with pytest.raises(SealBroken):
            subject_keys.unseal(data=sealed, **elsewhere)  # type: ignore[arg-type]
    with pytest.raises(KeyDestroyed):  # another subject's: it names a key that this one has not
        subject_keys.unseal(subject=ben, data=sealed, purpose="archive", row=row)
    altered = sealed[:-1] + bytes([sealed[-1] ^ 1])
    with pytest.raises(SealBroken):
        subject_keys.unseal(subject=asha, data=altered, purpose="archive", row=row)


def test_a_wrapped_key_that_was_moved_to_somebody_else_opens_nothing(
    ground: Ground, asha: Subject, everybody: None
) -> None:
    ben = ground.subject("ben")
    for subject in (asha, ben):
        subject_keys.seal(subject=subject, data=b"words", purpose="archive")
    SubjectKey.objects.filter(subject=ben).update(wrapped=SubjectKey.objects.get(subject=asha).wrapped)
    subject_key._opened.set(subject_key._Known())
    with pytest.raises(SealBroken):
        subject_keys.seal(subject=ben, data=b"words", purpose="archive")


def test_a_destroyed_key_opens_nothing_and_who_comes_back_has_another(
    ground: Ground, asha: Subject, everybody: None
) -> None:
    before = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    assert subject_keys.destroy(subject=asha, by=ground.as_hub, now=NOW)
    assert not subject_keys.destroy(subject=asha, by=ground.as_hub, now=NOW)
    with pytest.raises(KeyDestroyed):
        subject_keys.unseal(subject=asha, data=before, purpose="archive")
    after = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    assert subject_keys.unseal(subject=asha, data=after, purpose="archive") == b"words"
    with pytest.raises(KeyDestroyed):
        subject_keys.unseal(subject=asha, data=before, purpose="archive")


def test_a_key_that_was_taken_back_seals_nothing_that_stays(asha: Subject, everybody: None) -> None:
    with transaction.atomic():
        subject_keys.seal(subject=asha, data=b"words", purpose="archive")
        transaction.set_rollback(True)
    sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    subject_key._opened.set(subject_key._Known())
    assert subject_keys.unseal(subject=asha, data=sealed, purpose="archive") == b"words"


def test_no_key_outlives_its_transaction(ground: Ground, asha: Subject) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        subject_keys.seal(subject=asha, data=b"words", purpose="archive")
        known = subject_key._opened.get()
        assert known is not None
        assert set(known.keys) == {asha.pk}
        assert "key=" not in repr(known.keys)
    assert subject_key._opened.get() is None


def test_without_identity_there_is_no_key(ground: Ground, asha: Subject) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    with acting_for(ground.as_hub, subjects=[ground.subject("ben").pk]), pytest.raises(KeyDestroyed):
        subject_keys.unseal(subject=asha, data=sealed, purpose="archive")


def test_another_key_encryption_key_refuses_and_says_what_to_do(
    asha: Subject, everybody: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    ensure(tmp_path / "keys")
    monkeypatch.setattr(settings, "MEMORYHUB_MASTER_KEYS", MasterKeys(tmp_path / "keys"))
    subject_key._opened.set(subject_key._Known())
    with pytest.raises(KeysUnusable, match="escrow"):
        subject_keys.unseal(subject=asha, data=sealed, purpose="archive")


def test_rotating_wraps_every_key_anew_and_opens_what_was_sealed(
    ground: Ground, asha: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure(tmp_path / "keys")
    keys = MasterKeys(tmp_path / "keys")
    monkeypatch.setattr(settings, "MEMORYHUB_MASTER_KEYS", keys)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        sealed = subject_keys.seal(subject=asha, data=b"words", purpose="archive")
    _, after = keys.rotate()
    assert subject_keys.rewrap_all(now=NOW) == 1
    assert subject_keys.rewrap_all(now=NOW) == 0
    keys.forget(keys.ids - {after})
    assert list(MasterKey.objects.values_list("id", flat=True)) == [after]
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert subject_keys.unseal(subject=asha, data=sealed, purpose="archive") == b"words"


def test_an_event_keeps_none_of_its_words_in_clear_and_reads_as_before(ground: Ground, asha: Subject) -> None:
    event = take_turn(ground, asha, f"I prefer {CANARY}")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert CANARY not in raw("memoryhub_event")
        (event,) = in_clear(Event.objects.all())
        assert (event.user_input, event.assistant_output) == (f"I prefer {CANARY}", f"Noted: I prefer {CANARY}")
        assert event.observations == [{"kind": "shelf", "value": f"I prefer {CANARY}"}]
        assert [event.actions[0]["tool"], event.signals[0]["kind"]] == ["note", "refused"]
        event.signals.append({"kind": "more"})  # also what was changed in place is kept
        event.user_input = ""
        event.save()
        again = Event.objects.get()
        assert (again.user_input, len(again.signals)) == ("", 2)
        event.refresh_from_db()
        assert event.signals == again.signals


def test_an_event_that_was_moved_to_somebody_else_does_not_open(ground: Ground, asha: Subject) -> None:
    ben = ground.subject("ben")
    take_turn(ground, ben, "I prefer plain toast", "e-2")
    event = take_turn(ground, asha, f"I prefer {CANARY}")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        other = Event.objects.get(external_id="e-2")
        Event.objects.filter(pk=event.pk).update(words=other.words)
        with pytest.raises(KeyDestroyed):  # it names a key that this subject has not
            assert Event.objects.get(pk=event.pk).user_input


def test_a_withheld_event_can_t_hold_words(ground: Ground, asha: Subject) -> None:
    event = take_turn(ground, asha, f"I prefer {CANARY}")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS), pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(withheld="why")


def test_the_trail_says_whether_these_were_the_words_until_the_key_is_gone(
    say: Say, ground: Ground, asha: Subject
) -> None:
    (result,) = say(f"I prefer {CANARY}").results
    take_turn(ground, asha, f"I prefer {CANARY} at noon")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        link = AuditEvent.objects.get(object_kind="entry", object_id=str(result.entry.pk), action="memory.add")  # type: ignore[union-attr]
        heard = AuditEvent.objects.get(action="turn.receive")
        assert audit.says(link, result.entry.content)  # type: ignore[union-attr]
        assert audit.says(heard, f"I prefer {CANARY} at noon")
        assert not audit.says(link, f"I prefer {CANARY} at noon")
        assert CANARY not in raw("memoryhub_auditevent")
        assert audit.first_broken_link(ground.organisation.pk) is None
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        erasure.erase_subject(subject=asha, by=ground.as_agent, now=NOW)
        subject_keys.destroy(subject=asha, by=ground.as_agent, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        with pytest.raises(KeyDestroyed):
            audit.says(link, result.entry.content)  # type: ignore[union-attr]
        assert audit.first_broken_link(ground.organisation.pk) is None
        link.content_hmac = "0" * 64
        assert audit.hash_of(link) != link.row_hash, "the hash of the words is part of the chain"


def test_of_words_that_may_not_be_kept_no_hash_is_kept_either(ground: Ground, asha: Subject) -> None:
    take_turn(ground, asha, "My password is hunter2-hunter2-A9! and I prefer window seats")
    take_turn(ground, asha, "I have diabetes and take insulin every day", "e-2")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        for heard in AuditEvent.objects.filter(action="turn.receive"):
            assert not audit.says(heard, "My password is hunter2-hunter2-A9! and I prefer window seats")
            assert not audit.says(heard, "I have diabetes and take insulin every day")
