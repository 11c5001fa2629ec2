"""What I take along, what was forgotten, and forgetting everything: asked for, sealed, fetched, removed, proved."""

import io
import json
import re
import zipfile
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from accounts import step_up
from memoryhub import conf
from memoryhub.dreams.housekeeping import runs
from memoryhub.governance import archives, erasure
from memoryhub.models import AuditEvent, Entry, ExportArchive, Job
from memoryhub.models.archive import ArchiveState
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Chore
from tests.factories.turns import night, post
from tests.factories.visitors import Visitors, ask, make_visitors, packed, tell
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import HTMX, entries, jargon_in, page_of, words_of


@pytest.fixture
def city(visitors: Visitors) -> Entry:
    (entry,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.", hours_ago=30)
    return entry


def archive_of(visitors: Visitors) -> ExportArchive | None:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return ExportArchive.objects.filter(subject=visitors.mira).first()


def files_of(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def stale(client: Client) -> Client:
    """The same visit, half an hour later: nothing was proved since."""
    session = client.session
    session[step_up.PROVED] = (timezone.now() - timedelta(hours=1)).isoformat()
    session.save()
    return client


def test_it_is_asked_for_put_together_and_fetched(visitors: Visitors, signed_in: SignedIn, city: Entry) -> None:
    ask(visitors)
    client = signed_in(visitors.mira_user)
    assert client.post("/me/download/").status_code == 303
    page = page_of(client, "/me/data/")
    assert "It is being put together" in page
    assert 'hx-trigger="every' in page
    assert client.post("/me/download/").status_code == 303  # pressed twice
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Job.objects.filter(kind=archives.JOB).count() == 1
    made = packed(visitors)
    words = words_of(page_of(client, "/me/data/"))
    assert "Download it" in words
    assert "7 days" in words
    response = client.get(f"/me/download/{made.pk}/")
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/zip", "no-store")
    files = files_of(response.content)
    assert set(files) == {"memories.json", "schema.json", "memories.html"}
    told = json.loads(files["memories.json"])
    Draft202012Validator(json.loads(files["schema.json"])).validate(told)
    assert [one["text"] for one in told["entries"]] == ["I live in Lisbon."]
    read = words_of(f"<main{files['memories.html']}</main>")
    for part in (
        "I live in Lisbon",
        "You told Helper on",
        "Helper was given it on",
        "Kept until",
        "What is not in here",
    ):
        assert part in read
    assert jargon_in(read.partition("What is known now")[2].partition("How long it is kept")[0]) == []
    assert [one["what"] for one in told["not_included"]] != []


def test_what_is_stored_is_sealed_and_anybody_else_s_is_absent(
    visitors: Visitors, signed_in: SignedIn, city: Entry
) -> None:
    made = packed(visitors)
    assert made.sealed is not None
    assert b"Lisbon" not in bytes(made.sealed)
    assert not zipfile.is_zipfile(io.BytesIO(bytes(made.sealed)))
    for user in (make_visitors().mira_user, visitors.cal):
        assert signed_in(user).get(f"/me/download/{made.pk}/").status_code in (403, 404)


def test_it_goes_after_seven_days_with_an_erasure_and_when_it_is_asked_for_anew(
    visitors: Visitors, signed_in: SignedIn, city: Entry
) -> None:
    client = signed_in(visitors.mira_user)
    first = packed(visitors)
    second = packed(visitors)
    assert client.get(f"/me/download/{first.pk}/").status_code == 404
    assert client.get(f"/me/download/{second.pk}/").status_code == 200
    late = second.expires_at + timedelta(minutes=1)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert archives.of(visitors.mira, now=late) is None
    runs.keep_now(chore=Chore.EXPIRE, organisation=visitors.ground.organisation.pk, as_of=late)
    assert archive_of(visitors) is None
    packed(visitors)
    (tea,) = tell(visitors.ground, visitors.mira, "I prefer tea.")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        erasure.erase_entry(entry=tea, by=visitors.ground.as_hub, now=timezone.now())
    assert archive_of(visitors) is None
    packed(visitors)
    client.post("/me/forget-everything/", {"word": "forget", "when": "now"})
    assert archive_of(visitors) is None


def test_one_that_could_not_be_put_together_says_so_and_can_be_asked_for_again(
    visitors: Visitors, signed_in: SignedIn, city: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> bytes:
        raise RuntimeError

    client = signed_in(visitors.mira_user)
    monkeypatch.setattr(archives, "packed", broken)
    monkeypatch.setattr(conf, "JOB_CLAIMS", 1)
    assert packed(visitors).state == ArchiveState.FAILED
    assert "It could not be put together" in words_of(page_of(client, "/me/data/"))
    monkeypatch.undo()
    assert packed(visitors).state == ArchiveState.READY


def test_fresh_proof_is_asked_for(visitors: Visitors, signed_in: SignedIn, city: Entry) -> None:
    made = packed(visitors)
    client = stale(signed_in(visitors.mira_user))
    assert client.post("/me/download/").status_code == 401
    response = client.get(f"/me/download/{made.pk}/")
    assert response.status_code == 302
    assert f"/me/download/{made.pk}/" in response["Location"].replace("%2F", "/")
    refused = client.post("/me/forget-everything/", {"word": "forget", "when": "now"})
    assert refused.status_code == 401
    assert 'name="word" value="forget"' in refused.content.decode()
    assert len(entries(visitors)) == 1


def test_each_erasure_leaves_a_receipt_that_says_what_remains(
    visitors: Visitors, signed_in: SignedIn, city: Entry
) -> None:
    client = signed_in(visitors.mira_user)
    assert "Nothing so far." in words_of(page_of(client, "/me/data/"))
    client.post(f"/me/memories/{city.pk}/forget/")
    tell(visitors.ground, visitors.mira, "I prefer tea.")
    client.post("/me/forget-everything/", {"word": "forget", "when": "now"})
    words = words_of(page_of(client, "/me/data/"))
    day = (timezone.now() + timedelta(days=conf.BACKUP_DAYS)).strftime("%-d %B %Y")
    for part in (
        "One thing on",
        "Everything on",
        "Removed: 1 thing remembered",
        "nothing of it is left",
        "backups",
        day,
    ):
        assert part in words
    assert "Lisbon" not in words
    assert jargon_in(words) == []


def test_forgetting_everything_later_uses_and_keeps_nothing_until_then_and_can_be_taken_back(
    visitors: Visitors, signed_in: SignedIn, city: Entry
) -> None:
    client = signed_in(visitors.mira_user)
    response = client.post("/me/forget-everything/", {"word": "forget"}, follow=True)
    words = words_of(response.content.decode())
    assert "Everything is forgotten in 6 days and 23 hours" in words
    assert "Keep it after all" in words
    assert "no assistant of" in words
    assert "can use it" not in words
    of_staff = words_of(signed_in(visitors.olu).get(f"/subjects/{visitors.mira.pk}/").content.decode())
    assert "Everything is going to be forgotten on" in of_staff
    assert "Remember again" not in of_staff
    assert len(entries(visitors)) == 1
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        visitors.mira.refresh_from_db()
    assert not ask(visitors).items
    assert tell(visitors.ground, visitors.mira, "I prefer tea.") == []
    assert client.post("/me/pause/", {"paused": "no"}, headers=HTMX).status_code in (200, 422)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        visitors.mira.refresh_from_db()
    assert not ask(visitors).items  # nobody resumes it but by keeping it
    taken_back = client.post("/me/keep-after-all/", follow=True)
    assert "Nothing is forgotten." in words_of(taken_back.content.decode())
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        visitors.mira.refresh_from_db()
    assert [item.note.text for item in ask(visitors).items] == ["I live in Lisbon."]
    again = client.post("/me/keep-after-all/", follow=True)  # in the other window
    assert "Nothing was going to be forgotten" in words_of(again.content.decode())


def test_who_had_paused_before_is_paused_after_changing_their_mind(
    visitors: Visitors, signed_in: SignedIn, city: Entry
) -> None:
    client = signed_in(visitors.mira_user)
    client.post("/me/pause/", {"paused": "yes", "use_existing": "yes"})
    client.post("/me/forget-everything/", {"word": "forget"})
    client.post("/me/keep-after-all/")
    words = words_of(page_of(client))
    assert "Paused" in words
    assert "still used" in words


def test_the_page_in_the_file_tells_what_was_said_and_what_ended(visitors: Visitors, city: Entry) -> None:
    ground = visitors.ground
    post(ground, visitors.mira, "I prefer the quiet coach.", session="visit")
    night(ground)
    made = packed(visitors)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        content = archives.fetch(archive_id=made.pk, subject=visitors.mira, by=ground.as_hub, now=timezone.now())
    read = files_of(content)["memories.html"]
    assert "What was said lately" in read
    assert "<script" not in read
    assert re.search(r"https?://", read) is None


def test_hostile_words_are_words_in_the_file(visitors: Visitors) -> None:
    tell(visitors.ground, visitors.mira, "I like <img src=x onerror=alert(1)> in mails.")
    made = packed(visitors)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        by = visitors.ground.as_hub
        content = archives.fetch(archive_id=made.pk, subject=visitors.mira, by=by, now=timezone.now())
    assert "<img" not in files_of(content)["memories.html"]


def test_every_step_is_on_record(visitors: Visitors, signed_in: SignedIn, city: Entry) -> None:
    client = signed_in(visitors.mira_user)
    client.post("/me/download/")
    client.get(f"/me/download/{packed(visitors).pk}/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        rows = AuditEvent.objects.filter(organisation_id=visitors.ground.organisation.pk, object_kind="archive")
        assert [row.action for row in rows.order_by("seq")] == ["export.request", "export.build", "export.fetch"]
