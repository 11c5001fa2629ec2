"""Another embedding model: every entry follows, whatever happens meanwhile, and no two models are ever compared (R31)."""

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub import conf, jobs
from memoryhub.errors import ModelUnavailable
from memoryhub.governance import embedding, reembedding
from memoryhub.governance.intake import Proposal, propose
from memoryhub.governance.reembedding import KIND, Progress, go_on, progress, seek
from memoryhub.models import AuditEvent, Decision, Entry, Job, Subject
from memoryhub.providers import embeddings
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.recall.candidates import candidates
from memoryhub.recall.filters import Reach
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, EmbeddingState, JobState, Role, Status
from tests.factories.embedders import Broken, Model
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.population import World, Written, entries, make_world, populated

OLD, NEW = Model("m@old"), Model("n@new")
OURS = frozenset({KIND})
LONG = 600.0  # seconds: never up in a test
FRUITS = ("apples", "plums", "quinces", "medlars", "figs", "dates", "limes")


@pytest.fixture
def ground(db: None) -> Ground:
    return make_ground()


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reembedding, "BATCH", 2)
    monkeypatch.setattr(reembedding, "AHEAD", 2)


def tell(ground: Ground, text: str, *, subject: Subject | None = None, minutes: int = 0) -> Entry:
    """One statement through the gate, embedded with whatever model is at hand."""
    proposal = Proposal(
        subject=subject or ground.subject(), text=text, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER
    )
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        propose(proposal=proposal, by=ground.as_agent, now=NOW + timedelta(minutes=minutes))
        return Entry.objects.latest("recorded_at", "id")


def told(ground: Ground, *, by: HashingEmbedder = OLD, many: int = 5) -> list[Entry]:
    """So many entries with the vectors of one model, the oldest first."""
    with using(by):
        return [tell(ground, f"I prefer {fruit}", minutes=number) for number, fruit in enumerate(FRUITS[:many])]


def models(ground: Ground) -> dict[str, str]:
    """Whose vector each entry has, by what it says."""
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return dict(Entry.objects.order_by("recorded_at", "id").values_list("content", "embedding_model"))


def as_they_stand(ground: Ground) -> list[dict[str, Any]]:
    """Everything about every entry that is not its vector."""
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return [
            {name: value for name, value in row.items() if name not in ("embedding", "embedding_model")}
            for row in Entry.objects.order_by("id").values()
        ]


def the_jobs(ground: Ground, *states: str) -> list[Job]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return list(Job.objects.filter(kind=KIND, state__in=states or JobState.values).order_by("created_at"))


def work_off(ground: Ground, *, now: Any = None) -> int:
    """Run jobs of ours until none is due; how many there were."""
    ran = 0
    while jobs.run_one(now=now or timezone.now(), kinds=OURS):
        ran += 1
        assert ran < 100
    return ran


class TestTheChange:
    def test_every_entry_gets_the_vector_of_the_model_that_is_set(self, ground: Ground) -> None:
        told(ground)
        with using(NEW):
            seek(now=timezone.now())
            work_off(ground)
            with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
                for entry in Entry.objects.select_related("provenance__speaker"):
                    (expected,) = NEW.embed([embedding.text_of(entry, entry.provenance.speaker)])
                    assert entry.embedding_model == NEW.model_id
                    assert list(entry.embedding) == pytest.approx(expected, abs=1e-6)
            assert progress(ground.organisation.pk) == Progress(5, 5)

    def test_nothing_else_of_an_entry_changes_and_nothing_is_decided(self, ground: Ground) -> None:
        told(ground)
        before = as_they_stand(ground)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            records = (AuditEvent.objects.count(), Decision.objects.count())
        with using(NEW):
            seek(now=timezone.now())
            work_off(ground)
        assert as_they_stand(ground) == before
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert (AuditEvent.objects.count(), Decision.objects.count()) == records

    def test_what_was_replaced_follows_too_since_questions_may_look_back(self, ground: Ground) -> None:
        person = ground.subject("mover")
        with using(OLD):
            tell(ground, "I live in Ghent", subject=person)
            tell(ground, "I live in Turin", subject=person, minutes=1)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert Entry.objects.filter(status=Status.REPLACED).exists()
        with using(NEW):
            seek(now=timezone.now())
            work_off(ground)
        assert set(models(ground).values()) == {NEW.model_id}

    def test_a_new_entry_has_the_new_model_at_once(self, ground: Ground) -> None:
        told(ground, many=2)
        with using(NEW):
            tell(ground, "I prefer walnuts", minutes=9)
        assert models(ground)["I prefer walnuts"] == NEW.model_id
        assert list(models(ground).values()).count(OLD.model_id) == 2

    def test_back_to_the_model_before_in_the_middle_of_it(self, ground: Ground) -> None:
        told(ground)
        with using(NEW):
            go_on(ground.organisation.pk, seconds=0)
        with using(OLD):
            assert progress(ground.organisation.pk) == Progress(3, 5)
            seek(now=timezone.now())
            work_off(ground)
        assert set(models(ground).values()) == {OLD.model_id}

    def test_another_organisation_is_another_job(self, ground: Ground) -> None:
        told(ground)
        other = make_ground()
        told(other, many=2)
        with using(NEW):
            assert go_on(ground.organisation.pk, seconds=LONG) == (5, None)
            assert progress(other.organisation.pk) == Progress(0, 2)
            seek(now=timezone.now())
        assert (len(the_jobs(ground)), len(the_jobs(other))) == (0, 1)

    def test_the_packaged_model_follows_the_twin_and_is_asked_by_meaning(self, ground: Ground) -> None:
        person = ground.subject("guest")
        with using(HashingEmbedder()):
            tell(ground, "I moved to Lisbon", subject=person)
            tell(ground, "I prefer black tea", subject=person, minutes=1)
        with using(embeddings._choose("", embeddings.settings.MEMORYHUB_MODEL_CACHE)) as packaged:
            go_on(ground.organisation.pk, seconds=LONG)
            assert set(models(ground).values()) == {packaged.model_id}
            with acting_for(ground.as_agent, subjects=[person.pk]):
                reach = Reach(ground.as_agent, NOW + timedelta(minutes=5), (person.pk,))
                pool = candidates(reach, "Which hot drink should be served?", now=NOW, known={})
        nearest = max(pool.by_id.values(), key=lambda each: each[0].cosine or -1)
        assert nearest[1].content == "I prefer black tea"


class TestInTheBackground:
    def test_the_newest_come_first_and_others_have_their_turn_in_between(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(conf, "REEMBED_SLICE", timedelta(0))
        told(ground)
        with using(NEW):
            seek(now=timezone.now())
            with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
                jobs.enqueue("seal_reads", organisation=ground.organisation.pk, now=timezone.now())
            order = []
            for _ in range(5):
                claim = jobs.claim_next(now=timezone.now(), kinds=OURS | {"seal_reads"})
                if claim is not None and claim.organisation == ground.organisation.pk:
                    order.append((claim.kind, list(models(ground).values()).count(NEW.model_id)))
                    jobs.run(claim)
        assert order == [(KIND, 0), ("seal_reads", 2), (KIND, 2), (KIND, 4)]
        assert set(models(ground).values()) == {NEW.model_id}

    def test_after_the_first_slice_the_newest_are_done(self, ground: Ground) -> None:
        told(ground)
        with using(NEW):
            go_on(ground.organisation.pk, seconds=0)
        assert list(models(ground).values()) == [OLD.model_id] * 3 + [NEW.model_id] * 2

    @pytest.mark.parametrize("killed_in", range(1, 4))
    def test_killed_anywhere_it_goes_on_when_its_lease_runs_out(self, ground: Ground, killed_in: int) -> None:
        told(ground)
        batches: list[Sequence[str]] = []

        def dies(texts: Sequence[str]) -> None:
            batches.append(texts)
            if len(batches) == killed_in:
                raise SystemExit

        with using(Model(NEW.model_id, before=dies)):
            seek(now=timezone.now())
            with pytest.raises(SystemExit):
                jobs.run_one(now=timezone.now(), kinds=OURS)
            assert progress(ground.organisation.pk) == Progress(2 * (killed_in - 1), 5)
            assert not jobs.run_one(now=timezone.now(), kinds=OURS), "it is held still"
            assert work_off(ground, now=timezone.now() + conf.JOB_LEASE + timedelta(seconds=1)) == 1
            assert progress(ground.organisation.pk) == Progress(5, 5)

    def test_killed_while_it_writes_a_batch_it_loses_that_batch_alone(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told(ground)
        with using(NEW):
            go_on(ground.organisation.pk, seconds=0)

            def written_and_dead(*arguments: Any, **more: Any) -> None:
                bulk_update(*arguments, **more)
                raise SystemExit

            bulk_update = Entry.objects.bulk_update
            with monkeypatch.context() as patch:
                patch.setattr(Entry.objects, "bulk_update", written_and_dead)
                with pytest.raises(SystemExit):
                    go_on(ground.organisation.pk, seconds=LONG)
            assert progress(ground.organisation.pk) == Progress(2, 5)
            assert go_on(ground.organisation.pk, seconds=LONG) == (3, None)

    def test_who_lost_the_claim_writes_nothing_more(self, ground: Ground) -> None:
        told(ground)
        batches: list[Sequence[str]] = []

        def is_taken_over(texts: Sequence[str]) -> None:
            batches.append(texts)
            if len(batches) == 2:
                late = jobs.claim_next(now=timezone.now() + 2 * conf.JOB_LEASE, kinds=OURS)
                assert late is not None

        with using(Model(NEW.model_id, before=is_taken_over)):
            seek(now=timezone.now())
            jobs.run_one(now=timezone.now(), kinds=OURS)
            assert progress(ground.organisation.pk) == Progress(2, 5)
            (job,) = the_jobs(ground)
            assert (job.state, job.attempts) == (JobState.RUNNING, 2)

    def test_what_reads_otherwise_by_then_is_embedded_as_it_is_later(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        *_, newest = told(ground)
        renamed: list[bool] = []

        def reads(entry: Entry, speaker: Subject | None) -> str:
            text = embedding.text_of(entry, speaker)
            return f"Ann: {text}" if renamed and entry.pk == newest.pk else text

        monkeypatch.setattr(reembedding, "text_of", reads)
        with using(Model(NEW.model_id, before=lambda _: renamed.append(True))):
            seek(now=timezone.now())
            assert jobs.run_one(now=timezone.now(), kinds=OURS)
            assert progress(ground.organisation.pk) == Progress(4, 5)
            (waiting,) = the_jobs(ground, JobState.QUEUED)
            assert waiting.run_after > timezone.now()
            assert work_off(ground, now=waiting.run_after) == 1
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            entry = Entry.objects.get(pk=newest.pk)
        expected = NEW.embed([f"Ann: {embedding.text_of(entry)}"])[0]
        assert list(entry.embedding) == pytest.approx(expected, abs=1e-6)

    def test_a_model_that_does_not_load_takes_nothing_away(self, ground: Ground) -> None:
        told(ground)
        with using(OLD):
            before = as_they_stand(ground), models(ground)
        with using(Broken()):
            seek(now=timezone.now())
            assert jobs.run_one(now=timezone.now(), kinds=OURS)
        (job,) = the_jobs(ground)
        assert (job.state, job.last_error) == (JobState.QUEUED, "ModelUnavailable")
        assert (as_they_stand(ground), models(ground)) == before


class TestFindingWork:
    def test_where_every_vector_is_todays_no_job_is_named(self, ground: Ground) -> None:
        told(ground, by=NEW)
        with using(NEW):
            seek(now=timezone.now())
        assert the_jobs(ground) == []

    def test_a_job_that_waits_is_enough(self, ground: Ground) -> None:
        told(ground, many=1)
        with using(NEW):
            seek(now=timezone.now())
            seek(now=timezone.now())
        assert len(the_jobs(ground)) == 1

    def test_finding_nothing_costs_one_look_into_an_index_for_each_organisation(self, ground: Ground) -> None:
        told(ground, by=NEW)
        with (
            using(NEW),
            CaptureQueriesContext(
                connection,
            ) as queries,
        ):
            seek(now=timezone.now())
        looks = [query["sql"] for query in queries if "memoryhub_entry" in query["sql"]]
        assert len(looks) == sum("LIMIT 1" in sql for sql in looks)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")  # of five rows it would read each
            rows = reembedding._of_other_models(ground.organisation.pk, NEW.model_id)
            plan = rows.only("id")[:1].explain()
        assert "entry_by_model" in plan

    def test_what_is_pending_since_its_job_was_given_up_is_tried_again(self, ground: Ground) -> None:
        with using(Broken()):
            tell(ground, "I prefer walnuts")
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            Job.objects.filter(kind="embed").update(state=JobState.PARKED)
        with using(NEW):
            embedding.seek(now=timezone.now())
            assert jobs.run_one(now=timezone.now(), kinds=frozenset({"embed"}))
        assert models(ground) == {"I prefer walnuts": NEW.model_id}

    def test_a_worker_looks_when_it_starts_and_then_every_hour(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = [1000.0]
        monkeypatch.setattr(jobs, "_sought", [])
        monkeypatch.setattr(jobs.time, "monotonic", lambda: clock[0])
        told(ground, many=1)
        with using(NEW):
            jobs.wake()
            assert progress(ground.organisation.pk) == Progress(1, 1)
        told(ground, many=1)
        with using(NEW):
            jobs.wake()
            assert len(the_jobs(ground)) == 1
            clock[0] += conf.SOUGHT_EVERY.total_seconds()
            jobs.wake()
            assert len(the_jobs(ground)) == 2

    def test_a_model_that_loads_still_is_not_waited_for(self, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "_sought", [])
        monkeypatch.setattr(embeddings, "ready", lambda: False)
        monkeypatch.setattr(embeddings, "preload", lambda: None)
        jobs.wake()
        assert jobs._sought == []

    def test_a_look_that_fails_does_not_take_the_worker_down(self, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
        def fails(**_: Any) -> None:
            raise ModelUnavailable

        monkeypatch.setattr(jobs, "_sought", [])
        monkeypatch.setattr(reembedding, "seek", fails)
        with using(NEW):
            jobs.wake()


class TestItsProgress:
    def test_it_is_counted_for_each_organisation_and_for_all(self, ground: Ground, capsys: Any) -> None:
        told(ground)
        with using(NEW):
            go_on(ground.organisation.pk, seconds=0)
            call_command("reembed", "--status")
            said = capsys.readouterr().out
        assert f"Model: {NEW.model_id}\n" in said
        assert f"{ground.organisation.slug}: 2/5\n" in said
        assert list(models(ground).values()).count(NEW.model_id) == 2

    def test_the_command_goes_on_to_the_end(self, ground: Ground, capsys: Any) -> None:
        told(ground)
        other = make_ground()
        told(other, many=1)
        with using(NEW):
            call_command("reembed", "--organisation", ground.organisation.slug)
            assert f"{ground.organisation.slug}: 5/5\n" in capsys.readouterr().out
            assert progress(other.organisation.pk) == Progress(0, 1)
            call_command("reembed")
            assert f"{other.organisation.slug}: 1/1\n" in capsys.readouterr().out

    def test_a_model_that_does_not_load_is_a_sentence(self, ground: Ground) -> None:
        with using(Broken()), pytest.raises(CommandError, match="embedding model is not loaded"):
            call_command("reembed")
        with using(NEW), pytest.raises(CommandError):
            call_command("reembed", "--organisation", "nobody-here")


KINDS_OF_VECTOR = st.sampled_from([OLD.model_id, NEW.model_id, ""])
FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@FEW
@given(rows=st.lists(st.tuples(entries(), KINDS_OF_VECTOR), min_size=1, max_size=14), batches=st.integers(0, 4))
def test_a_question_is_compared_with_vectors_of_its_own_model_alone(
    world: World, rows: list[tuple[Written, str]], batches: int
) -> None:
    by_name = {model.model_id: model for model in (OLD, NEW)}
    with populated(world, [row for row, _ in rows], resting=[]):
        with acting_for(world.ground.as_hub, subjects=ALL_SUBJECTS):
            for entry, (_, name) in zip(Entry.objects.select_related("provenance"), rows, strict=False):
                if name:
                    vector = by_name[name].embed([embedding.text_of(entry)])[0]
                    Entry.objects.filter(pk=entry.pk).update(
                        embedding=vector, embedding_model=name, embedding_state=EmbeddingState.READY
                    )
        place = None
        with using(NEW):
            for _ in range(batches):
                _, place = go_on(world.ground.organisation.pk, seconds=0, place=place)
        for asked in (OLD, NEW):
            with using(asked), acting_for(world.ground.as_hub, subjects=ALL_SUBJECTS):
                reach = Reach(world.ground.as_hub, NOW, tuple(one.pk for one in world.subjects.values()))
                pool = candidates(reach, "the harbour berth", now=NOW, known={}, limit=100)
                stored = Entry.objects.in_bulk(list(pool.by_id))
                (question,) = asked.embed(["the harbour berth"])
                assert set(stored) == set(reach.entries.values_list("pk", flat=True))
                for entry in stored.values():
                    cosine = pool.by_id[str(entry.pk)][0].cosine
                    if entry.embedding_model != asked.model_id:
                        assert cosine is None
                    else:
                        assert cosine == pytest.approx(
                            sum(map(float.__mul__, question, map(float, entry.embedding))), abs=1e-5
                        )


@pytest.mark.usefixtures("committed_db")
class TestSeveralAtOnce:
    def test_workers_and_a_command_beside_writers_leave_nothing_behind(self) -> None:
        ground = make_ground()
        with using(OLD):
            for number in range(30):
                tell(ground, f"I prefer tea number {number}", minutes=number)
        failures: list[BaseException] = []

        def run(work: Any) -> None:
            try:
                work()
            except BaseException as error:
                failures.append(error)
            finally:
                connections.close_all()

        def embeds() -> None:
            go_on(ground.organisation.pk, seconds=LONG)

        def writes() -> None:
            for number in range(10):
                tell(ground, f"I prefer coffee number {number}", minutes=100 + number)

        with using(NEW):
            threads = [threading.Thread(target=run, args=(work,)) for work in (embeds, embeds, writes, embeds)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(600)
            go_on(ground.organisation.pk, seconds=LONG)  # what one held while another looked
            assert failures == []
            assert progress(ground.organisation.pk) == Progress(40, 40)
