"""Exports: made once, whole or not at all, never trusted when changed."""

import json
import threading
from pathlib import Path

import pytest
from django.conf import settings

from memoryhub.providers import embeddings, onnx_export
from memoryhub.providers.embeddings import SentenceEmbedder
from memoryhub.providers.onnx_export import FACTS, MODEL, WEIGHTS, ensure, exported, place

CACHE = settings.MEMORYHUB_MODEL_CACHE


@pytest.fixture(scope="module")
def made() -> Path:
    """The packaged model's export, in the place it is served from."""
    chosen = embeddings._choose("", CACHE)
    assert isinstance(chosen, SentenceEmbedder)
    folder = place(CACHE, chosen._weights_hash)
    assert ensure(chosen._folder, folder) is not None
    return folder


def copied(made: Path, to: Path) -> Path:
    to.mkdir()
    for name in (FACTS, MODEL, WEIGHTS):
        (to / name).write_bytes((made / name).read_bytes())
    return to


def test_what_is_exported_already_is_not_made_again(made: Path, tmp_path: Path) -> None:
    assert ensure(tmp_path / "no model here", made) == exported(made)


@pytest.mark.parametrize("name", [MODEL, WEIGHTS])
def test_a_file_that_was_changed_or_is_missing_does_not_count(made: Path, tmp_path: Path, name: str) -> None:
    copy = copied(made, tmp_path / "copy")
    assert exported(copy) is not None
    with (copy / name).open("r+b") as file:
        file.seek(100_000)
        file.write(b"\x01\x02")
    assert exported(copy) is None
    (copy / name).unlink()
    assert exported(copy) is None


def test_the_numbers_lie_beside_the_graph_where_they_can_be_mapped(made: Path) -> None:
    assert (made / MODEL).stat().st_size < 1_000_000 < 50_000_000 < (made / WEIGHTS).stat().st_size
    assert (made / MODEL).stat().st_mode == (made / WEIGHTS).stat().st_mode


def test_a_file_that_was_changed_is_made_anew(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **options: object) -> None:
        assert exported(Path(command[-1])) is None
        for name in (FACTS, MODEL, WEIGHTS):
            (Path(command[-1]) / name).write_bytes((made / name).read_bytes())

    monkeypatch.setattr(onnx_export.subprocess, "run", run)
    copy = copied(made, tmp_path / "copy")
    (copy / WEIGHTS).write_bytes((copy / WEIGHTS).read_bytes()[:-1])
    assert ensure(tmp_path, copy) == exported(made)
    assert exported(copy) == exported(made)


@pytest.mark.parametrize("facts", ["", "[]", "{}", json.dumps({"inputs": ["input_ids"], "unknown": 1})])
def test_half_written_facts_do_not_count(made: Path, tmp_path: Path, facts: str) -> None:
    copy = copied(made, tmp_path / "copy")
    (copy / FACTS).write_text(facts)
    assert exported(copy) is None


def test_a_folder_that_is_no_model_exports_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "cache" / "export"
    source.mkdir()
    assert ensure(source, target) is None
    assert [path.name for path in target.parent.iterdir()] == ["export.lock"]


def test_several_processes_wait_for_one_export(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[list[str]] = []

    def run(command: list[str], **options: object) -> None:
        runs.append(command)
        copied(made, Path(command[-1]))

    monkeypatch.setattr(onnx_export.subprocess, "run", run)
    target = tmp_path / "cache" / "export"
    threads = [threading.Thread(target=ensure, args=(tmp_path, target)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 1
    assert exported(target) is not None
