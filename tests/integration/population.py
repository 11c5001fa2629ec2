"""Many people with a word of their own in everything that is kept of them, planted through the real API; and the whole
database as its superuser sees it, row by row (S18).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from psycopg import sql

from accounts.models import User
from memoryhub import jobs
from memoryhub.governance import access, archives, decisions, merging, review_notes
from memoryhub.models import Subject
from memoryhub.providers import database
from memoryhub.providers.embeddings import embedder
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from tests.cast import Cast

Rows = dict[tuple[str, str], dict[str, Any]]

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def word_of(number: int) -> str:
    """An invented word that no language and no other person has: seven letters, and nothing in it looks like a key."""
    told = ""
    for letters in (_CONSONANTS, _VOWELS, _CONSONANTS, _VOWELS, _CONSONANTS):
        number, place = divmod(number, len(letters))
        told += letters[place]
    return f"qu{told}ix"


@dataclass
class Population:
    """The people by name, each with their word."""

    cast: Cast
    words: dict[str, str] = field(default_factory=dict)

    def plant(self, number: int) -> str:
        """One person, with their word in every place that can hold it. Returns their name."""
        who, word, cast = f"guest-{number:03}", word_of(number), self.cast
        self.words[who] = word
        _ok(cast.put(f"/subjects/{who}", {"kind": "person", "display_name": f"Ada {word.capitalize()}"}, by="olga"))
        said = _ok(cast.say(f"I prefer the {word} blend", subject=who, Idempotency_Key=f"k-{who}")).entry
        said = _ok(cast.patch(f"/memories/{said['id']}", {"text": f"I prefer the {word} blend without sugar"})).entry
        for visit in range(3):
            _ok(cast.post("/turns", self._turn(who, word, visit)))
        _ok(cast.post("/turns:batch", [self._turn(who, word, 3)], Idempotency_Key=f"b-{who}"))
        at = f"/sessions/{who}-0"
        _ok(cast.patch(f"{at}/state", {"drink": word, "note": f"asked for {word}"}))
        _ok(cast.post(f"{at}/current", {"actions": [{"tool": "look", "result": word, "ok": True}]}))
        _ok(cast.post(f"{at}/offload", {"text": f"A long page about {word}."}))
        _ok(cast.push({"locker": f"{word} row"}, subject=who))
        waiting = _ok(cast.infer(f"The customer likes {word} scones", subject=who)).entry
        _ok(cast.show("document", f"{word} leaflet", value=f"It tells of {word}", backs=[waiting["id"]]))
        edited = _ok(cast.infer(f"The customer avoids {word} soap", subject=who)).entry
        refused = _ok(cast.infer(f"The customer owns a {word} kettle", subject=who)).entry
        text = f"A page: the customer's drink is {word} juice."
        _ok(
            cast.post(
                "/memories", {"subject": who, "text": text, "channel": "document", "source": {"ref": f"{word}.pdf"}}
            )
        )
        told = {"task": f"a {word} order", "fix": f"sent {word}", "evidence": [word]}
        body = {"subject": who, "text": f"The {word} order was sent.", "channel": "agent_inference", "kind": "episodic"}
        _ok(cast.post("/memories", {**body, "episode": told}))
        items = {item["entry"]["id"]: item["id"] for item in cast.waiting(subject=who) if item.get("entry")}
        _ok(
            cast.post(
                f"/queue/{items[edited['id']]}/approve", {"text": f"The customer avoids {word} shampoo"}, by="rosa"
            )
        )
        _ok(cast.post(f"/queue/{items[edited['id']]}/undo", {}, by="rosa"))
        _ok(cast.post(f"/queue/{items[refused['id']]}/reject", {"reason": f"Nobody owns a {word} kettle."}, by="rosa"))
        self._among_curators(items[waiting["id"]], items[edited["id"]], said["id"], word)
        _ok(cast.post(f"/memories/{said['id']}/dispute", {"reason": f"It is no {word}."}))
        _ok(cast.post("/recall", {"subject": who, "query": f"which {word}"}))
        _ok(cast.post("/context", {"subject": who, "query": f"which {word}"}))
        _ok(cast.get(f"/subjects/{who}/export", by="desk"))
        file = {"path": f"/memories/{word}.md", "file_text": f"I drink {word} cider\n", "channel": "user_message"}
        _ok(cast.post("/memory-tool", {"subject": who, "command": "create", **file}))
        self._take_along(who)
        return who

    @staticmethod
    def _turn(who: str, word: str, visit: int) -> dict[str, Any]:
        return {
            "event_id": f"{who}-{visit}", "session_id": f"{who}-{visit}", "subject": who,
            "user_input": f"My favourite dish is {word} stew. Where is my parcel?",
            "assistant_output": f"I noted {word}.",
            "actions": [{"tool": "look", "arguments": {"name": word}, "result": f"no {word}", "detail": word, "ok": False}],
            "observations": [{"kind": "parcel", "value": f"{word} parcel"}],
            "signals": [{"kind": "refused", "value": f"The {word} parcel was refused", "scope": "intent:FIND"}],
            "scope": ["intent:FIND"], "state": {"dish": word},
        }  # fmt: skip

    def _among_curators(self, noted: str, merged: str, into: str, word: str) -> None:
        """What has no call of the API: a note, a question, two proposals that are put together and taken apart."""
        rosa, now = curator(self.cast), timezone.now()
        with acting_for(rosa, subjects=ALL_SUBJECTS):
            review_notes.add(item_id=noted, text=f"Ask about {word}.", by=rosa, now=now)
            decisions.ask_person(item_id=noted, question=f"Do you like {word}?", by=rosa, now=now)
            merging.merge(item_id=merged, into=into, by=rosa, now=now)
            decisions.undo(item_id=merged, by=rosa, now=now)

    def _take_along(self, who: str) -> None:
        """A file with everything, made as it is when a person asks for it on their page."""
        by = system_principal(access.organisation_of(self.cast.slug).pk, "test")
        with acting_for(by, subjects=ALL_SUBJECTS):
            subject = Subject.objects.get(external_id=who, organisation_id=by.organisation)
            archives.ask(subject=subject, by=by, now=timezone.now())
        assert jobs.run_one(now=timezone.now(), kinds=frozenset({archives.JOB}))

    def night(self) -> None:
        """A dream and all of housekeeping."""
        call_command("dream", "--organisation", self.cast.slug)
        call_command("housekeep", "--organisation", self.cast.slug)


def curator(cast: Cast) -> Principal:
    """Who stands behind the curator's key."""
    cast.key("rosa")
    organisation = access.organisation_of(cast.slug).pk
    user = User.objects.get(email=f"rosa@{cast.slug}.example")
    return Principal(organisation, f"user:{user.pk}", frozenset({"curator"}), user=user.pk)


def ids_of(cast: Cast, names: list[str]) -> set[str]:
    """The hub's own ids of people."""
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        return {str(pk) for pk in Subject.objects.filter(external_id__in=names).values_list("pk", flat=True)}


def _ok(reply: Any) -> Any:
    assert reply.status < 300, reply
    return reply


def administrator() -> Any:
    """The database as its superuser, whom no row-level security holds."""
    return database.connect(settings.MEMORYHUB_LOGINS.administrator | {"dbname": settings.DATABASES["default"]["NAME"]})


def every_row() -> Rows:
    """Every row of every table with all its columns, by table and key."""
    found: Rows = {}
    with administrator() as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for table in tables:
            query = sql.SQL("SELECT to_jsonb(t)::text, t::text FROM {} t").format(sql.Identifier(*table))
            for number, (told, plain) in enumerate(connection.execute(query).fetchall()):
                row = json.loads(told)
                key = str(row.get("id", row.get("name", row.get("session_key", number))))
                found[table[1], key] = {**row, "": plain}
    return found


def holding(words: Mapping[str, str], rows: Rows) -> dict[str, list[str]]:
    """In which tables somebody's word stands, whatever the case: a name, and the columns."""
    return {who: where for who, word in words.items() if (where := list(_where(word, rows)))}


def _where(word: str, rows: Rows) -> Iterator[str]:
    for (table, key), row in rows.items():
        if word in row[""].casefold() or word in json.dumps(row).casefold():
            yield f"{table} {key}: {[name for name, value in row.items() if word in str(value).casefold()]}"


def files_holding(words: Mapping[str, str], folder: Path) -> list[str]:
    """Files of the data folder with somebody's word; the database's own files aside, which hold what is not written
    over yet (the receipt says until when)."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and "postgres" not in path.relative_to(folder).parts:
            text = path.read_bytes().decode(errors="ignore").casefold()
            found += [f"{path}: {word}" for word in words.values() if word in text]
    return found


def nearest(word: str) -> tuple[str, float]:
    """The statement in the whole database that is nearest to a word, and how far it is."""
    vector = str([float(one) for one in embedder().embed([word])[0]])
    with administrator() as connection:
        row = connection.execute(
            "SELECT content, embedding <=> %s::vector FROM memoryhub_entry WHERE embedding IS NOT NULL ORDER BY 2 LIMIT 1",
            [vector],
        ).fetchone()
    assert row is not None
    return row[0], row[1]
