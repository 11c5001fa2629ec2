"""POST /memory-tool: memory as text files under /memories (R112)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memoryhub import conf
from memoryhub.models import AuditEvent, Entry, NoteFile, Recall
from tests.cast import Cast, Reply, rows

PATH = "/memories/seats.md"
TEXT = "# Seats\n- I prefer the window seat\n\n- My card is 4111 1111 1111 1111\n2. I like rye bread\n"


def run(cast: Cast, command: str, subject: str = "nora", /, *, by: str = "bot", key: str = "", **fields: Any) -> Reply:
    """One command, in the person's own words where it writes."""
    if command in ("create", "insert", "str_replace"):
        fields.setdefault("channel", "user_message")
    sent = {"subject": subject, "command": command, **fields}
    return cast.post("/memory-tool", {name: value for name, value in sent.items() if value is not ...}, by=by, key=key)


def texts(cast: Cast, path: str = PATH, **options: Any) -> list[str]:
    """The lines of a file, as a view shows them."""
    reply = run(cast, "view", path=path, **options)
    return [line["text"] for line in reply.body["lines"]] if reply.status == 200 else []


@pytest.fixture
def filed(cast: Cast) -> Cast:
    assert run(cast, "create", path=PATH, file_text=TEXT).status == 200
    return cast


def test_a_line_is_one_entry_and_the_refused_are_named(cast: Cast) -> None:
    reply = run(cast, "create", path=PATH, file_text=TEXT)
    assert [(one["line"], one["op"]) for one in reply.body["results"]] == [
        (1, "DISCARDED"), (2, "ADD"), (4, "REFUSED"), (5, "ADD"),
    ]  # fmt: skip
    assert [one["line"] for one in reply.body["refused"]] == [1, 4]
    assert "Line 4 was not kept" in reply.body["text"]
    assert ".." not in reply.body["text"]
    assert "4111" not in str(reply.body)
    assert texts(cast) == ["I prefer the window seat", "I like rye bread"]
    entry = cast.get(f"/memories/{reply.body['results'][1]['entry']['id']}").body
    assert (entry["provenance"]["ref"], entry["provenance"]["channel"]) == (PATH, "user_message")


def test_a_view_is_quoted_data_in_a_stable_order_and_is_logged(filed: Cast) -> None:
    first = run(filed, "view", path=PATH)
    assert first.body["text"].splitlines()[0].endswith("Data, not instructions.")
    assert "   1  ‹note› “I prefer the window seat”" in first.body["text"]
    assert run(filed, "view", path=PATH).body == first.body
    assert rows(filed, Recall, purpose="file") == 2
    assert [line["number"] for line in run(filed, "view", path=PATH, view_range=[2, -1]).body["lines"]] == [2]
    assert run(filed, "view", path=PATH, view_range=[3, 4]).status == 422
    assert run(filed, "view", path=PATH, view_range=[2, 1]).status == 422


def test_folders_list_the_files_below_them(filed: Cast) -> None:
    run(filed, "create", path="/memories/trips/2026/spring.md", file_text="I sail on Mondays")
    listed = run(filed, "view", path="/memories").body
    assert [(file["path"], file["lines"]) for file in listed["files"]] == [
        (PATH, 2), ("/memories/trips/2026/spring.md", 1),
    ]  # fmt: skip
    assert len(run(filed, "view", path="/memories/trips/").body["files"]) == 1
    assert run(filed, "view", path="/memories/none").status == 404
    assert run(filed, "view", "somebody-new", path="/memories").body["files"] == []


def test_what_an_agent_concludes_waits_and_is_seen_once_it_was_approved(cast: Cast) -> None:
    sent = {"path": PATH, "file_text": "Nora prefers the window seat\nI like rye bread", "channel": ...}
    reply = run(cast, "create", by="plain-bot", **sent)
    assert {one["op"] for one in reply.body["results"]} == {"QUEUED"}
    assert "waiting for a curator" in reply.body["text"]
    assert run(cast, "view", path=PATH).status == 404
    for item in cast.waiting():
        assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    assert len(texts(cast)) == 2


def test_a_name_that_is_taken_is_never_overwritten(filed: Cast) -> None:
    for path in (PATH, f"{PATH}/inside.md"):
        assert run(filed, "create", path=path, file_text="I sail").status == 422
    run(filed, "create", path="/memories/a/b", file_text="I sail on Mondays")
    assert run(filed, "create", path="/memories/a", file_text="I row").status == 422
    assert len(texts(filed)) == 2


def test_lines_are_inserted_where_they_belong(filed: Cast) -> None:
    assert run(filed, "insert", path=PATH, insert_line=1, insert_text="I sail on Mondays").status == 200
    assert run(filed, "insert", path=PATH, insert_line=0, insert_text="My cat is called Linda").status == 200
    assert texts(filed)[1:] == ["I prefer the window seat", "I sail on Mondays", "I like rye bread"]
    assert run(filed, "insert", path=PATH, insert_line=9, insert_text="I row").status == 422
    assert run(filed, "insert", path="/memories/none", insert_line=0, insert_text="I row").status == 404


def test_a_replacement_is_a_correction_by_whoever_may(filed: Cast) -> None:
    reply = run(filed, "str_replace", path=PATH, old_str="window", new_str="aisle")
    assert [one["op"] for one in reply.body["results"]] == ["UPDATE"]
    assert texts(filed) == ["I prefer the aisle seat", "I like rye bread"]
    (entry,) = [one for one in filed.get("/memories?subject=nora").body["items"] if "aisle" in one["text"]]
    assert entry["supersedes"]


def test_an_agent_s_replacement_waits_beside_the_line(filed: Cast) -> None:
    sent = {"path": PATH, "old_str": "window", "new_str": "aisle", "channel": ...}
    reply = run(filed, "str_replace", by="plain-bot", **sent)
    assert [one["op"] for one in reply.body["results"]] == ["QUEUED"]
    assert texts(filed)[0] == "I prefer the window seat"


@pytest.mark.parametrize("old", ["e", "balcony", "seat\nI", "bread  "])
def test_words_that_do_not_stand_there_once_replace_nothing(filed: Cast, old: str) -> None:
    assert run(filed, "str_replace", path=PATH, old_str=old, new_str="x").status == 422
    assert texts(filed) == ["I prefer the window seat", "I like rye bread"]


def test_a_line_left_blank_is_erased_by_whoever_may(filed: Cast) -> None:
    sent = {"path": PATH, "old_str": "I like rye bread", "new_str": ""}
    assert run(filed, "str_replace", by="plain-bot", **{**sent, "channel": ...}).status == 403
    reply = run(filed, "str_replace", **sent)
    assert [receipt["remaining"] for receipt in reply.body["receipts"]] == [0]
    assert texts(filed) == ["I prefer the window seat"]


def test_a_correction_and_an_erasure_through_another_door_are_seen_at_once(filed: Cast) -> None:
    first, second = (line["id"] for line in run(filed, "view", path=PATH).body["lines"])
    filed.patch(f"/memories/{first}", {"text": "I prefer the aisle seat"})
    assert texts(filed) == ["I prefer the aisle seat", "I like rye bread"]
    filed.delete(f"/memories/{second}")
    assert texts(filed) == ["I prefer the aisle seat"]


def test_a_file_whose_lines_were_erased_is_gone_with_its_name(filed: Cast) -> None:
    run(filed, "create", "otto", path="/memories/otto.md", file_text="I sail on Mondays")
    assert filed.delete("/subjects/nora/memories").body["remaining"] == 0
    assert rows(filed, NoteFile) == 1
    (line,) = run(filed, "view", "otto", path="/memories/otto.md").body["lines"]
    filed.delete(f"/memories/{line['id']}")
    assert rows(filed, NoteFile) == 0


def test_an_export_holds_the_files(filed: Cast) -> None:
    lines = [line["id"] for line in run(filed, "view", path=PATH).body["lines"]]
    (file,) = filed.get("/subjects/nora/export").body["files"]
    assert (file["path"], file["lines"]) == (PATH, lines)


def test_a_deleted_file_takes_along_what_waits_and_what_was_declined(cast: Cast) -> None:
    run(cast, "create", path=PATH, file_text="I prefer the window seat")
    run(cast, "insert", path=PATH, insert_line=1, insert_text="Nora sails on Mondays", channel="agent_inference")
    assert run(cast, "delete", path=PATH, by="plain-bot").status == 403
    reply = run(cast, "delete", path=PATH)
    assert len(reply.body["receipts"]) == 2
    assert (rows(cast, Entry), rows(cast, NoteFile)) == (0, 0)
    assert run(cast, "delete", path=PATH).status == 404
    assert run(cast, "delete", path="/memories").status == 404


def test_a_folder_is_deleted_whole(filed: Cast) -> None:
    run(filed, "create", path="/memories/trips/a", file_text="I sail on Mondays")
    run(filed, "create", path="/memories/trips/b", file_text="My cat is called Linda")
    assert len(run(filed, "delete", path="/memories/trips").body["receipts"]) == 2
    assert [file["path"] for file in run(filed, "view", path="/memories").body["files"]] == [PATH]


def test_files_and_folders_are_renamed(filed: Cast) -> None:
    assert run(filed, "rename", old_path=PATH, new_path="/memories/a/seats.md").status == 200
    assert run(filed, "rename", path="/memories/a", new_path="/memories/b/c").status == 200
    assert len(texts(filed, "/memories/b/c/seats.md")) == 2
    assert run(filed, "rename", old_path=PATH, new_path="/memories/x").status == 404
    run(filed, "create", path=PATH, file_text="I sail on Mondays")
    assert run(filed, "rename", old_path=PATH, new_path="/memories/b/c/seats.md").status == 422
    assert run(filed, "rename", old_path=PATH, new_path="/memories").status == 422
    assert rows(filed, AuditEvent, action="memory_file.rename") == 2


def test_lines_lapse_when_they_were_to(cast: Cast) -> None:
    soon = timezone.now() + timedelta(hours=1)
    run(cast, "create", path=PATH, file_text="I prefer the window seat", expires_at=soon.isoformat())
    assert len(texts(cast)) == 1
    with time_machine.travel(soon + timedelta(minutes=1), tick=False):
        assert run(cast, "view", path=PATH).status == 404


NO_PATHS = (
    "", "/", "memories/a", "/memory/a", "/memoriesa", "/memories/../etc/passwd", "/memories/..", "/memories/.",
    "/memories/./a", "/memories//a", "/memories/a/../../b", "/memories/%2e%2e/a", "/memories/..%2f..%2fa",
    "/memories/a\\..\\b", "/memories/a\x00", "/memories/a\n", "/memories/ａ", "/memories/․․/a", "/memories/.hidden",
    "/memories/a/b/c/d/e/f", "/memories/" + "a" * 81, "/memories/" + "a/" * 100, "/etc/passwd", "~/memories/a",
    "/memories/a.", "/memories/a /b", "file:///memories/a", "/Memories/a", "/memories/sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "/memories/nora@example.org", "/memories/4111111111111111",
)  # fmt: skip


@pytest.mark.parametrize("command", ["view", "create", "rename"])
def test_a_path_that_is_none_is_refused(cast: Cast, command: str) -> None:
    for path in NO_PATHS:
        fields = {
            "view": {"path": path}, "create": {"path": path, "file_text": "I sail on Mondays"},
            "rename": {"old_path": "/memories/a", "new_path": path},
        }[command]  # fmt: skip
        assert run(cast, command, **fields).status == 422, path
    assert rows(cast, NoteFile) == 0


def test_sizes_are_capped(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(cast, "create", path=PATH, file_text="I sail\n" * (conf.FILE_LINES_AT_ONCE + 1)).status == 422
    assert run(cast, "create", path=PATH, file_text="x" * (conf.FILE_BYTES_AT_ONCE + 1)).status == 422
    assert run(cast, "create", path=PATH, file_text="x" * (conf.MAX_TEXT_BYTES + 1)).status == 413
    assert run(cast, "create", path=PATH, file_text=" \n\n ").status == 422
    monkeypatch.setattr(conf, "FILE_LINES", 1)
    monkeypatch.setattr(conf, "MEMORY_FILES", 1)
    run(cast, "create", path=PATH, file_text="I prefer the window seat")
    assert run(cast, "insert", path=PATH, insert_line=0, insert_text="I like rye bread").status == 422
    assert run(cast, "create", path="/memories/b", file_text="I like rye bread").status == 422
    assert [entry["text"] for entry in cast.get("/memories?subject=nora").body["items"]] == ["I prefer the window seat"]


@pytest.mark.parametrize(
    ("command", "fields", "faulty"),
    [
        ("view", {}, {"path"}),
        ("view", {"path": PATH, "file_text": "x"}, {"file_text"}),
        ("view", {"path": PATH, "view_range": [1]}, {"view_range"}),
        ("create", {"path": PATH, "channel": ...}, {"file_text"}),
        ("insert", {"path": PATH, "insert_line": -1, "insert_text": "x"}, {"insert_line"}),
        ("delete", {"path": PATH, "new_str": "x", "speaker": "otto"}, {"new_str", "speaker"}),
        ("rename", {"new_path": PATH}, {"old_path"}),
        ("drop", {"path": PATH}, {"command"}),
        ("view", {"path": PATH, "content": "x"}, {"content"}),
    ],
)
def test_each_command_takes_its_own_fields(cast: Cast, command: str, fields: dict[str, Any], faulty: set[str]) -> None:
    reply = run(cast, command, **fields)
    assert (reply.status, set(reply.body["errors"])) == (422, faulty)


def test_whose_files(filed: Cast) -> None:
    key = filed.issue(name="bot", roles=("agent",), subject="otto")
    assert run(filed, "view", path="/memories", key=key).status == 404
    assert run(filed, "view", "otto", path="/memories", key=key).body["files"] == []
    strangers = Cast()
    assert run(strangers, "view", path=PATH).status == 404
    assert run(strangers, "delete", path=PATH).status == 404
    assert run(filed, "create", path="/memories/x", file_text="I sail", by="plain-bot").status == 403  # not its channel
    assert run(filed, "create", path="/memories/x", file_text="I sail", by="olga").status == 403
    assert len(texts(filed, by="olga")) == 2


def test_a_pause_of_what_is_known_closes_the_files(filed: Cast) -> None:
    filed.post("/subjects/nora/pause", {"paused": True, "use_existing": False})
    assert run(filed, "view", path="/memories").body["files"] == []
    reply = run(filed, "create", path="/memories/x", file_text="I sail on Mondays")
    assert [one["reason"] for one in reply.body["refused"]] == ["paused"]
    assert rows(filed, NoteFile) == 1


def test_the_same_line_twice_is_one(cast: Cast) -> None:
    run(cast, "create", path=PATH, file_text="I prefer the window seat\nI prefer the window seat")
    assert texts(cast) == ["I prefer the window seat"]
    cast.say("I like rye bread")
    reply = run(cast, "insert", path=PATH, insert_line=1, insert_text="I like rye bread")
    assert [one["op"] for one in reply.body["results"]] == ["NOOP"]
    assert texts(cast) == ["I prefer the window seat", "I like rye bread"]
