"""After everything about somebody was erased and the job after it has run, no file of the database holds a word of theirs
in clear: rows, indexes, samples for the planner, the log of changes (R91).
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.governance import access, aftercare
from memoryhub.models import Job
from memoryhub.providers.database import embedded_folder
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import JobState
from tests.cast import Cast
from tests.integration.population import Population, administrator, every_row, holding, word_of

pytestmark = [
    pytest.mark.usefixtures("committed_db"),
    pytest.mark.skipif(not settings.MEMORYHUB_LOGINS.embedded, reason="another server's files are not to be seen"),
]
FILES = "Bytes that nothing reads any more"


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


def test_no_file_of_the_database_holds_a_word_of_somebody_who_was_forgotten() -> None:
    cast = Cast()
    population = Population(cast)
    gone = population.plant(1201)
    word, others = population.words[gone], word_of(1202)  # of others nothing but a statement: some tables get empty
    cast.put("/subjects/kept", {"kind": "person", "display_name": "Bo Fern"}, by="olga")
    assert cast.say(f"I prefer the {others} blend", subject="kept").status < 300
    with administrator() as owner:
        owner.execute("ANALYZE")
        sampled = owner.execute("SELECT count(*) FROM pg_stats WHERE pg_stats::text LIKE %s", [f"%{word}%"]).fetchone()
    assert sampled > (0,)
    assert (len(_files("base", word)) > 10, len(_files("pg_wal", word)) > 0) == (True, True)

    receipt = cast.delete(f"/subjects/{gone}/memories", by="olga").body
    assert not [one for one in receipt["remains"] if one["what"].startswith(FILES)]
    assert _files("base", word), "deleting alone leaves the bytes, so that the job has something to do"
    assert jobs.run_one(now=timezone.now() + conf.VACUUM_AFTER * 2, kinds=frozenset({aftercare.JOB}))
    assert _state(cast) == JobState.DONE

    assert (_files("base", word), _files("pg_wal", word)) == ([], [])
    assert _files("base", others), "nobody else's rows went"
    assert set(holding({gone: word, "kept": others}, every_row())) == {"kept"}


def test_a_table_that_somebody_holds_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "REWRITE_LOCK", timedelta(milliseconds=50))
    monkeypatch.setattr(conf, "REWRITE_WAIT", timedelta(milliseconds=50))
    cast = Cast()
    population = Population(cast)
    gone = population.plant(1203)
    word = population.words[gone]
    assert cast.delete(f"/subjects/{gone}/memories", by="olga").status == 200
    later = timezone.now() + conf.VACUUM_AFTER * 2
    with administrator() as reader, reader.transaction():
        reader.execute("SELECT count(*) FROM memoryhub_entry")
        assert jobs.run_one(now=later, kinds=frozenset({aftercare.JOB}))
        assert (_state(cast), bool(_files("base", word))) == (JobState.QUEUED, True)
    assert jobs.run_one(now=later + conf.JOB_LEASE, kinds=frozenset({aftercare.JOB}))
    assert (_state(cast), _files("base", word)) == (JobState.DONE, [])


def test_a_receipt_says_so_where_a_table_is_too_large_to_be_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "REWRITTEN_BELOW", 0)
    cast = Cast()
    cast.put("/subjects/ada", {"kind": "person", "display_name": "Ada Quill"}, by="olga")
    cast.say("I prefer the window seat", subject="ada")
    before = _file_of("memoryhub_entry")
    receipt = cast.delete("/subjects/ada/memories", by="olga").body
    assert [one["until"] for one in receipt["remains"] if one["what"].startswith(FILES)] == [None]
    aftercare.clear()
    assert _file_of("memoryhub_entry") == before, "it was not locked"


def _state(cast: Cast) -> str:
    organisation = access.organisation_of(cast.slug).pk
    with acting_for(system_principal(organisation, "test"), subjects=ALL_SUBJECTS):
        return Job.objects.get(kind=aftercare.JOB, organisation_id=organisation).state


def _file_of(table: str) -> str:
    with administrator() as owner:
        (name,) = owner.execute("SELECT pg_relation_filepath(%s)", [table]).fetchone()
    return str(name)


def _files(folder: str, word: str) -> list[Path]:
    """Files with the word, as they are once all that was done is written to them."""
    with administrator() as owner:
        owner.execute("CHECKPOINT")
    paths = (embedded_folder(settings.DATA) / folder).rglob("*")
    return [path for path in paths if path.is_file() and word.encode() in path.read_bytes().lower()]
