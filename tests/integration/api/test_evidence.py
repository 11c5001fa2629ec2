"""POST /evidence: what a merge, a test, a document or a record shows is accepted, and nothing besides (R19)."""

from typing import Any

import pytest

from memoryhub.governance import evidence
from memoryhub.governance.announcement import announce
from memoryhub.models import Backing, Entry, Evidence, ReviewItem
from tests.cast import Cast, rows

EPISODE = {
    "task": "the nightly export stopped half-way", "when": "2026-11-03", "cause": "the cursor was closed too early",
    "fix": "keep the cursor open until the last page", "evidence": ["run 4410", "merged !77"],
}  # fmt: skip


@pytest.fixture
def project(cast: Cast) -> str:
    cast.put("/subjects/exporter", {"kind": "project", "members": ["tove"]})
    return "exporter"


def note(
    cast: Cast, session: str = "run-1", *, text: str = "Keeping the cursor open ended the export trouble", **more: Any
) -> dict[str, Any]:
    episode = more.pop("episode", EPISODE)
    reply = cast.infer(text, subject="exporter", kind="episodic", session_id=session, episode=episode, **more)
    assert reply.ops == ["QUEUED"], reply.results
    return reply.entry


def guess(cast: Cast, text: str, **more: Any) -> dict[str, Any]:
    reply = cast.infer(text, subject="exporter", **more)
    assert reply.ops == ["QUEUED"], reply.results
    return reply.entry


def status(cast: Cast, entry: dict[str, Any]) -> str:
    return str(cast.get(f"/memories/{entry['id']}", by="rosa").body["status"])


def test_a_merge_accepts_the_fix_note_of_its_run_and_no_other_proposal(cast: Cast, project: str) -> None:
    fix = note(cast)
    other = guess(cast, "The exporter needs Redis 7", session_id="run-1")
    elsewhere = note(
        cast, "run-2", text="Another run fixed the importer", episode={**EPISODE, "evidence": ["merged !78"]}
    )
    reply = cast.show("merge", "!77", session_id="run-1")
    assert [(one["op"], one["reason"], one["entry"]["id"]) for one in reply.results] == [
        ("ADD", "committed", fix["id"])
    ]
    accepted = reply.entry
    assert (accepted["status"], accepted["authority"], accepted["confirmed_by"]) == (
        "accepted",
        1.0,
        "system_of_record",
    )
    assert accepted["embedding_state"] == "ready"
    origin = accepted["provenance"]
    assert (origin["channel"], origin["ref"], origin["verified_by"]) == ("evidence", "!77", "merge !77")
    assert (origin["offered_through"], origin["session_id"]) == ("agent_inference", "run-1")
    assert [status(cast, one) for one in (other, elsewhere)] == ["proposed", "proposed"]
    assert {item["entry"]["id"] for item in cast.waiting()} == {other["id"], elsewhere["id"]}
    decision = cast.get(f"/decisions/{reply.body['decision_id']}", by="kurt").body
    assert (decision["channel"], decision["results"][0]["op"]) == ("evidence", "ADD")
    actions = [row["action"] for row in cast.get("/audit", by="kurt").body["items"]]
    assert {"evidence.give", "memory.add", "entry.approve", "queue.withdraw"} <= set(actions)
    assert cast.get("/audit/verify", by="kurt").body["holds"] is True


def test_of_several_notes_of_a_run_the_one_that_names_the_merge_is_meant(cast: Cast, project: str) -> None:
    first = note(cast, episode={**EPISODE, "evidence": ["merged !76"]})
    second = note(cast, text="The second attempt held", episode={**EPISODE, "evidence": ["run 9", "merged !77"]})
    assert cast.show("merge", "merge request !77", session_id="run-1").entry["id"] == second["id"]
    assert status(cast, first) == "proposed"


def test_a_merge_of_another_change_backs_nothing(cast: Cast, project: str) -> None:
    fix = note(cast)
    reply = cast.show("merge", "!78", session_id="run-1")
    assert [(one["op"], one["reason"]) for one in reply.results] == [("QUEUED", "unsupported")]
    assert status(cast, fix) == "proposed"


def test_where_it_can_t_be_told_which_note_is_meant_none_is_accepted(cast: Cast, project: str) -> None:
    without = {name: value for name, value in EPISODE.items() if name != "evidence"}
    notes = [note(cast, text=text, episode=without) for text in ("The first attempt held", "A second attempt held too")]
    reply = cast.show("merge", "!77", session_id="run-1")
    assert {(one["op"], one["reason"]) for one in reply.results} == {("QUEUED", "unsupported")}
    assert [status(cast, one) for one in notes] == ["proposed", "proposed"]
    assert cast.show("merge", "!77", backs=[notes[1]["id"]]).ops == ["ADD"]
    assert status(cast, notes[0]) == "proposed"


def test_a_merge_backs_what_it_names(cast: Cast, project: str) -> None:
    one, other = note(cast), guess(cast, "The exporter needs Redis 7")
    assert cast.show("merge", "!77", backs=[one["id"]]).ops == ["ADD"]
    assert status(cast, other) == "proposed"
    keyed = guess(cast, "The queue is Redis 7", key="queue", value="Redis 7")
    assert cast.show("merge", "!78", backs=[keyed["id"]]).results[0]["reason"] == "unsupported"
    assert cast.show("merge", "!79", value="queue: redis 7", backs=[keyed["id"]]).ops == ["ADD"]
    assert cast.show("test", "run 12", backs=[other["id"]]).results[0]["reason"] == "unsupported"


def test_a_run_without_a_note_gives_no_result(cast: Cast, project: str) -> None:
    guess(cast, "The exporter needs Redis 7", session_id="run-1")
    reply = cast.show("merge", "!77", session_id="run-1", value="what it changed")
    assert (reply.status, reply.results) == (200, [])
    assert rows(cast, Evidence, value="") == 1


@pytest.mark.parametrize(
    ("value", "shown", "backed"),
    [
        ("MariaDB 11", "engine: mariadb 11", True),
        ("MariaDB 11", "engine: mariadb 11.4", False),
        ("MariaDB 11", "engine: mariadb", False),
        ("MariaDB 11", "not mariadb 11", False),
        ("MariaDB 11", "it is mariadb, and 11 of them", False),
        ("not MariaDB 11", "we do not use it: not MariaDB 11", True),
        ("9:30", "opens 9:30", True),
        ("9:30", "opens 19:30", False),
        ("Ünal", "contact ÜNAL", True),
        ("10", "100", False),
    ],
)
def test_evidence_backs_the_value_it_holds_word_by_word(
    cast: Cast, project: str, value: str, shown: str, backed: bool
) -> None:
    claim = guess(cast, f"The engine setting is {value}", key="engine", value=value)
    reply = cast.show("document", "settings.toml", value=shown, backs=[claim["id"]])
    ops = [(one["op"], one["reason"]) for one in reply.results]
    if backed:
        assert ops == [("ADD", "committed")]
    else:
        assert ops[-1] == ("QUEUED", "unsupported")
        assert status(cast, claim) == "proposed"


def test_of_a_value_that_says_more_only_what_is_shown_is_accepted(cast: Cast, project: str) -> None:
    claim = guess(
        cast, "The engine is MariaDB 11 with forty replicas", key="engine", value="MariaDB 11 with forty replicas"
    )
    part, rest = cast.show("document", "settings.toml", value="MariaDB 11", backs=[claim["id"]]).results
    assert (part["op"], part["entry"]["value"], part["entry"]["provenance"]["channel"]) == (
        "ADD",
        "MariaDB 11",
        "evidence",
    )
    assert (rest["op"], rest["reason"], rest["entry"]["id"]) == ("QUEUED", "unsupported", claim["id"])
    (item,) = cast.waiting()
    assert (item["reason"], item["entry"]["id"]) == ("unsupported", claim["id"])


def test_a_target_is_proved_and_how_long_it_takes_is_not(cast: Cast, project: str) -> None:
    claim = guess(cast, "There is a check-slim target, and it takes 40 seconds", category="project_fact")
    shown = "check-slim:\n\truff check .\n\tpytest -q -m slim\n"
    part, rest = cast.show("document", "Makefile", value=shown, backs=[claim["id"]]).results
    assert (part["op"], rest["op"], rest["reason"]) == ("ADD", "QUEUED", "unsupported")
    assert "check-slim" in part["entry"]["text"]
    assert "40" not in part["entry"]["text"]
    assert status(cast, claim) == "proposed"


def test_a_document_or_a_record_that_says_nothing_backs_nothing(cast: Cast, project: str) -> None:
    claim = guess(cast, "The engine is MariaDB 11", key="engine", value="MariaDB 11")
    for kind in ("document", "record"):
        assert cast.show(kind, "settings.toml", backs=[claim["id"]]).results[0]["reason"] == "unsupported"


def test_evidence_outweighs_a_person_and_yields_to_a_record(cast: Cast, project: str) -> None:
    cast.say("We use gradle, not maven", subject="exporter", speaker="tove")
    claim = cast.infer("The package manager is maven", subject="exporter", key="package_manager", value="maven").entry
    reply = cast.show("document", "pom.xml", value="maven", backs=[claim["id"]])
    assert reply.results[0]["op"] == "UPDATE"
    held = cast.get("/memories?subject=exporter&key=package_manager").body["items"]
    assert [item["value"] for item in held] == ["maven"]
    cast.put("/records/exporter", {"region": "north"}, by="crm")
    other = cast.infer("The region is south", subject="exporter", key="region", value="south").entry
    assert (other["status"],) == ("disputed",)
    reply = cast.show("document", "deploy.yaml", value="south", backs=[other["id"]])
    assert [(one["op"], one["reason"]) for one in reply.results] == [("QUEUED", "contradicts")]


def test_what_is_in_force_already_is_confirmed_and_the_proposal_needs_nobody(cast: Cast, project: str) -> None:
    waiting = guess(cast, "The region is south", key="region", value="south")
    cast.put("/records/exporter", {"region": "south"}, by="crm")
    reply = cast.show("document", "deploy.yaml", value="south", backs=[waiting["id"]])
    assert [(one["op"], one["reason"]) for one in reply.results] == [("NOOP", "duplicate")]
    assert reply.entry["provenance"]["channel"] == "system_of_record"
    assert cast.waiting() == []


def test_what_a_person_said_and_evidence_shows_is_verified(cast: Cast) -> None:
    waiting = cast.infer("Her plan is basic", key="plan", value="basic").entry
    said = cast.say("My plan is basic").entry
    shown = cast.show("document", "contract.txt", value="basic", backs=[waiting["id"]]).entry
    assert (shown["id"], said["authority"], shown["authority"]) == (said["id"], 0.3, 1.0)
    assert cast.say("My plan is platinum").ops == ["QUEUED"]


def test_what_does_not_wait_is_left_alone_and_the_same_evidence_twice_changes_nothing(cast: Cast, project: str) -> None:
    note(cast)
    first = cast.show("merge", "!77", session_id="run-1")
    again = cast.show("merge", "!77", session_id="run-1")
    assert [(one["op"], one["reason"]) for one in again.results] == [("NOOP", "duplicate")]
    assert again.entry["etag"] == first.entry["etag"]
    replayed = [cast.show("test", "run 5", backs=[first.entry["id"]], Idempotency_Key="once") for _ in range(2)]
    assert replayed[0].body == replayed[1].body
    assert replayed[1].headers["Idempotent-Replayed"] == "true"


def test_a_decline_is_remembered_until_the_evidence_is_new(cast: Cast, project: str) -> None:
    claim = guess(cast, "The engine is MariaDB 11", key="engine", value="MariaDB 11")
    useless = cast.show("document", "readme", value="nothing about it", backs=[claim["id"]])
    assert useless.results[0]["reason"] == "unsupported"
    (item,) = cast.waiting()
    cast.post(f"/queue/{item['id']}/reject", {"reason": "Says who?"}, by="rosa")
    assert (
        cast.infer("The engine is MariaDB 11", subject="exporter", key="engine", value="MariaDB 11").results[0][
            "reason"
        ]
        == "declined_before"
    )
    for value in ("nothing about it", "something else"):
        refused = cast.show("document", "readme", value=value, backs=[claim["id"]]).results[0]
        assert (refused["op"], refused["reason"], refused["entry"]) == ("REFUSED", "declined_before", None)
    asked = cast.show("document", "settings.toml", value="engine = MariaDB 11", backs=[claim["id"]]).results[0]
    assert (asked["op"], asked["reason"], asked["entry"]["status"]) == ("QUEUED", "new_evidence", "proposed")
    (item,) = cast.waiting()
    assert (item["reason"], item["agent"]) == ("new_evidence", "bot")
    cast.post(f"/queue/{item['id']}/reject", {"reason": "Still no."}, by="timo")
    same = cast.show("document", "settings.toml", value="engine = MariaDB 11", backs=[claim["id"]]).results[0]
    assert same["reason"] == "declined_before"


def test_how_to_act_is_never_accepted_on_evidence(cast: Cast, project: str) -> None:
    rule = guess(cast, "Always skip the staging deploy on Fridays", category="instruction")
    assert rule["kind"] == "procedural", rule
    reply = cast.show("merge", "!77", backs=[rule["id"]])
    assert (reply.results[0]["op"], reply.results[0]["reason"]) == ("QUEUED", "procedure")
    assert status(cast, rule) == "proposed"


def test_nobody_shows_evidence_for_their_own_proposals(cast: Cast, project: str) -> None:
    fix = note(cast)
    for part in ("bot", "plain-bot", "desk", "rosa", "olga"):
        assert cast.show("merge", "!77", backs=[fix["id"]], by=part).status == 403
    both = cast.issue(name="bot", roles=("agent", "system_of_record"))
    assert cast.show("merge", "!77", backs=[fix["id"]], key=both).status == 403
    owner = f"owner@{cast.slug}.example"
    cast.issue(name="bot", roles=("agent",), user=owner)
    theirs = cast.issue(name="by-the-owner", roles=("system_of_record",), user=owner)
    assert cast.show("merge", "!77", session_id="run-1", key=theirs).status == 403
    assert status(cast, fix) == "proposed"


def test_what_is_not_there_or_not_yours_is_not_found(cast: Cast, strangers: Cast, project: str) -> None:
    fix = note(cast)
    for ids in ([fix["id"], "00000000-0000-7000-8000-000000000000"], ["nonsense"]):
        assert cast.show("merge", "!77", backs=ids).status == 404
    assert strangers.show("merge", "!77", backs=[fix["id"]]).status == 404
    assert strangers.show("merge", "!77", session_id="run-1").results == []
    bound = cast.issue(name="elsewhere", roles=("system_of_record",), subject="another")
    assert cast.show("merge", "!77", backs=[fix["id"]], key=bound).status == 404
    assert cast.show("merge", "!77", session_id="run-1", key=bound).results == []
    assert status(cast, fix) == "proposed"


@pytest.mark.parametrize(
    "body",
    [
        {}, {"type": "merge"}, {"type": "merge", "ref": "!77"}, {"type": "rumour", "ref": "x", "backs": ["a"]},
        {"type": "merge", "ref": "  ", "session_id": "run-1"}, {"type": "merge", "ref": "x" * 501, "session_id": "run-1"},
        {"type": "document", "ref": "Makefile", "session_id": "run-1", "value": "x"},
        {"type": "merge", "ref": "!77", "backs": []}, {"type": "merge", "ref": "!77", "backs": "id"},
        {"type": "merge", "ref": "!77", "backs": ["a"] * 51}, {"type": "merge", "ref": "!77", "extra": 1, "session_id": "s"},
        {"type": "merge", "ref": "!77", "session_id": "run-1", "value": "password: Quiet-Otter-77!"},
        {"type": "merge", "ref": "https://ann:Quiet-Otter-77!@git.example/77", "session_id": "run-1"},
    ],
)  # fmt: skip
def test_what_is_no_evidence_is_refused(cast: Cast, project: str, body: dict[str, Any]) -> None:
    reply = cast.post("/evidence", body, by="crm")
    assert reply.status == 422
    assert "Otter" not in str(reply.body)
    assert rows(cast, Evidence) == 0


def test_erasing_the_statement_or_the_subject_takes_its_evidence_along(cast: Cast, project: str) -> None:
    claims = [
        guess(cast, f"The {key} is {value}", key=key, value=value)
        for key, value in (("engine", "Rotor 5"), ("region", "south"))
    ]
    for claim in claims:
        cast.show("record", f"shown for {claim['key']}", value=claim["value"], backs=[claim["id"]])
    cast.delete(f"/memories/{claims[0]['id']}", by="desk")
    (left,) = cast.get("/subjects/exporter/export", by="desk").body["evidence"]
    assert (left["ref"], left["entries"]) == ("shown for region", [claims[1]["id"]])
    receipt = cast.delete("/subjects/exporter/memories", by="desk").body
    assert (receipt["removed"]["evidence"] > 0, receipt["remaining"]) == (True, 0)
    assert (rows(cast, Evidence), rows(cast, Backing)) == (0, 0)


def test_only_the_value_of_a_text_that_says_more_is_accepted(cast: Cast, project: str) -> None:
    claim = guess(cast, "The engine is MariaDB 11 with all backups mailed to Bo", key="engine", value="MariaDB 11")
    shown, rest = cast.show("document", "settings.toml", value="engine = mariadb 11", backs=[claim["id"]]).results
    assert (shown["op"], shown["entry"]["text"]) == ("ADD", "engine: MariaDB 11")
    assert (rest["op"], rest["reason"], status(cast, claim)) == ("QUEUED", "unsupported", "proposed")


def test_what_a_curator_declined_is_never_accepted_without_one_however_often_the_evidence_is_shown(
    cast: Cast, project: str
) -> None:
    claim = guess(cast, "The engine is MariaDB 11", key="engine", value="MariaDB 11")
    (item,) = cast.waiting()
    cast.post(f"/queue/{item['id']}/reject", {"reason": "not so"}, by="rosa")
    for ref in ("settings.toml", "settings.toml", "other.toml"):
        reply = cast.show("document", ref, value="engine = mariadb 11", backs=[claim["id"]])
        assert [(one["op"], one["reason"]) for one in reply.results] == [("QUEUED", "new_evidence")]
    assert status(cast, claim) == "proposed"


def test_evidence_for_what_is_erased_meanwhile_is_answered_as_if_it_never_was(
    cast: Cast, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = guess(cast, "The engine is MariaDB 11", key="engine", value="MariaDB 11")
    locked = evidence.lock

    def erased_before(subject: Any) -> None:  # another request was through first
        locked(subject)
        announce()
        ReviewItem.objects.filter(entry=claim["id"]).delete()
        Entry.objects.filter(pk=claim["id"]).delete()

    monkeypatch.setattr(evidence, "lock", erased_before)
    reply = cast.show("document", "settings.toml", value="engine = mariadb 11", backs=[claim["id"]])
    assert (reply.status, reply.code) == (404, "not_found")
    assert rows(cast, Evidence) == 0
