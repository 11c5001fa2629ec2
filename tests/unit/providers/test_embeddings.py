"""Sentence embeddings: the official weights, vectors of length one, tokens counted without torch."""

import math
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from memoryhub import conf, word_caches
from memoryhub.errors import ModelUnavailable
from memoryhub.providers import embeddings, onnx_export
from memoryhub.providers.embeddings import HashingEmbedder, SentenceEmbedder
from memoryhub.providers.torch_model import TorchModel

CACHE = settings.MEMORYHUB_MODEL_CACHE


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """Torch is told things in it when it is loaded, and tells others itself."""
    with mock.patch.dict(os.environ):
        yield


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def packaged() -> SentenceEmbedder:
    chosen = embeddings._choose("", CACHE)
    assert isinstance(chosen, SentenceEmbedder)
    return chosen


def test_near_meanings_have_near_vectors(packaged: SentenceEmbedder) -> None:
    dog, hound, invoice = packaged.embed(["a dog barks", "the hound is barking", "the invoice is overdue"])
    assert cosine(dog, hound) > 0.6 > 0.3 > cosine(dog, invoice)


def test_vectors_have_length_one_and_the_columns_width(packaged: SentenceEmbedder) -> None:
    (vector,) = packaged.embed(["Ринг на вратата"])
    assert len(vector) == packaged.dimensions == conf.EMBEDDING_DIMENSIONS
    assert math.isclose(math.hypot(*vector), 1.0, abs_tol=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(packaged: SentenceEmbedder) -> None:
    texts = ["short", "one that is a good deal longer than the first, so that it is padded", ""]
    together = packaged.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert cosine(packaged.embed([text])[0], vector) == pytest.approx(1.0, abs=1e-5)


def test_many_texts_come_back_in_order(packaged: SentenceEmbedder) -> None:
    texts = [f"text number {number}" for number in range(2 * embeddings.AT_ONCE + 3)]
    vectors = packaged.embed(texts)
    assert len(vectors) == len(texts)
    assert cosine(vectors[-1], packaged.embed(texts[-1:])[0]) == pytest.approx(1.0, abs=1e-5)
    assert packaged.embed([]) == []


def test_a_text_of_any_length_is_taken(packaged: SentenceEmbedder) -> None:
    assert len(packaged.embed(["word " * 5000])) == 1


def test_threads_do_not_trip_over_each_other(packaged: SentenceEmbedder) -> None:
    texts = [f"{word} and more" * (number + 1) for number, word in enumerate(("apple", "pear", "plum", "quince"))]
    expected = [packaged.embed([text])[0] for text in texts]
    found: dict[int, list[float]] = {}

    def run(number: int) -> None:
        for _ in range(5):
            found[number] = packaged.embed([texts[number]])[0]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cosine(found[number], expected[number]) > 0.9999 for number in range(len(texts)))


def test_the_models_name_carries_the_hash_of_its_weights(packaged: SentenceEmbedder) -> None:
    assert packaged.model_id == f"{embeddings.NAME}@{embeddings.WEIGHTS_SHA256[:12]}"


def test_tokens_are_counted_without_a_limit_and_without_loading_the_model() -> None:
    fresh = embeddings._choose("", CACHE)
    assert isinstance(fresh, SentenceEmbedder)
    assert fresh.count_tokens("") == 0
    assert fresh.count_tokens("hello world") == 2
    assert fresh.count_tokens("hello " * 1000) == 1000
    assert not fresh.loaded


def test_weights_that_are_not_the_official_ones_are_refused(packaged: SentenceEmbedder, tmp_path: Path) -> None:
    copy = tmp_path / "model"
    shutil.copytree(packaged._folder, copy)
    with (copy / "model.safetensors").open("r+b") as file:
        file.seek(100_000)
        file.write(b"\1")
    changed = SentenceEmbedder(copy, name="changed", sha256=embeddings.WEIGHTS_SHA256, cache=CACHE)
    with pytest.raises(ModelUnavailable, match="not the official ones"):
        changed.embed(["anything"])
    assert not changed.loaded


def test_a_folder_without_a_model_is_said_to_be_none(tmp_path: Path) -> None:
    empty = SentenceEmbedder(tmp_path, name="empty", sha256=None, cache=tmp_path / "exports")
    with pytest.raises(ModelUnavailable, match=r"can't be read"):
        empty.embed(["anything"])
    with pytest.raises(ModelUnavailable, match="no model the hub can use"):
        empty.count_tokens("anything")


def test_the_setting_chooses(tmp_path: Path) -> None:
    assert isinstance(embeddings._choose("hashing", CACHE), HashingEmbedder)
    other = embeddings._choose(str(tmp_path), CACHE)
    assert isinstance(other, SentenceEmbedder)
    assert other._expected is None


def test_the_twin_needs_no_model_and_is_the_same_everywhere() -> None:
    twin = HashingEmbedder()
    one, same, other = twin.embed(["Green tea, please", "green TEA please", "a red car"])
    assert one == same
    assert cosine(one, other) < 0.5
    assert all(math.isclose(math.hypot(*vector), 1.0, abs_tol=1e-9) for vector in twin.embed(["", "x", "\ud800"]))
    assert len(one) == conf.EMBEDDING_DIMENSIONS
    assert twin.count_tokens("two words!") == 3


@given(st.lists(st.text(max_size=40), max_size=6))
@example(["a\u0301", "\u0301b", "", " "])
@example(["日本", "語", "‹note›", "\r", "x\x85y", "\u2028"])
def test_lines_counted_one_by_one_have_the_tokens_of_the_whole(packaged: SentenceEmbedder, lines: list[str]) -> None:
    text = "\n".join(lines)
    assert packaged.count_tokens(text) == packaged._count(text)


@pytest.mark.parametrize("word", ["ก" * 400, "\u1780" * 300, "x9Qz" * 90, "🇧🇷" * 120, "ห้องน้ำ" * 40])
def test_what_the_tokenizer_has_no_token_for_counts_by_its_characters(packaged: SentenceEmbedder, word: str) -> None:
    usual = packaged.count_tokens("She asked for  today.")
    assert packaged.count_tokens(f"She asked for {word} today.") >= usual + len(word) / 4


def test_of_a_model_whose_tokens_reach_over_lines_the_whole_is_counted(tmp_path: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"a\nb": 0, "?": 1}, unk_token="?"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert SentenceEmbedder(tmp_path, name="own", sha256=None, cache=tmp_path).count_tokens("a\nb") == 1


def test_what_was_counted_is_forgotten_with_other_words(packaged: SentenceEmbedder) -> None:
    packaged.count_tokens("A line nobody else counts")
    assert packaged._in_line.cache_info().currsize > 0
    word_caches.empty()
    assert packaged._in_line.cache_info().currsize == 0


def test_another_embedder_can_be_lent_for_a_while() -> None:
    twin = HashingEmbedder()
    before = embeddings._chosen.known
    with embeddings.using(twin):
        assert embeddings.embedder() is twin
        assert embeddings.ready()
    assert embeddings._chosen.known is before


def test_what_was_lent_twice_at_once_goes_back_in_turn_or_loudly() -> None:
    before = embeddings._chosen.known
    first, second = embeddings.using(HashingEmbedder()), embeddings.using(HashingEmbedder())
    first.__enter__()
    second.__enter__()
    with pytest.raises(RuntimeError, match="lend once"):
        first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    embeddings._chosen.known = before


def test_serving_imports_no_torch() -> None:
    code = (
        "import sys, pathlib; sys.path.insert(0, '.'); import django.conf; django.conf.settings.configure();"
        "import memoryhub.providers.embeddings as e; e._choose('', pathlib.Path(sys.argv[1])).embed(['word']);"
        "assert not {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(CACHE)], check=False).returncode == 0


def test_a_model_that_can_t_be_exported_is_served_by_torch(
    packaged: SentenceEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx_export, "ensure", lambda *_: None)
    fallback = SentenceEmbedder(packaged._folder, name=embeddings.NAME, sha256=None, cache=tmp_path)
    texts = ["the kettle is on", "a much longer sentence, so that one of the two is padded " * 9]
    pairs = zip(fallback.embed(texts), packaged.embed(texts), strict=True)
    assert isinstance(fallback._model, TorchModel)
    assert all(cosine(slow, fast) > 0.9999 for slow, fast in pairs)


PART_OF_THE_HUB = {
    "web": "import memoryhub.asgi",
    "worker": (
        "import django; django.setup(); from django.utils.module_loading import import_string; from memoryhub import jobs;"
        "[import_string(path) for path in (*jobs.HANDLERS.values(), *jobs.SEEKERS)]"
    ),
}


@pytest.mark.parametrize("part", PART_OF_THE_HUB)
def test_the_whole_web_process_and_the_whole_worker_serve_without_torch(part: str, tmp_path: Path) -> None:
    code = (
        f"import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'memoryhub.settings'; {PART_OF_THE_HUB[part]};"
        "from memoryhub.providers.embeddings import embedder; vectors = embedder().embed(['word']);"
        "found = {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules);"
        "print(len(vectors[0]), sorted(found))"
    )
    environment = os.environ | {"MEMORYHUB_DATA_DIR": str(tmp_path), "MEMORYHUB_PROCESS": part}
    environment.pop("DATABASE_URL", None)
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == f"{conf.EMBEDDING_DIMENSIONS} []\n", ran.stderr


def test_the_name_of_another_model_changes_with_anything_that_changes_its_vectors(
    packaged: SentenceEmbedder, tmp_path: Path
) -> None:
    copy = tmp_path / ("model" * 40)
    shutil.copytree(packaged._folder, copy)
    name = embeddings._choose(str(copy), CACHE).model_id
    assert embeddings._choose(f"{copy}/", CACHE).model_id == name
    assert len(name) <= 120, "the column's width"
    (pooling,) = copy.rglob("1_Pooling/config.json")
    pooling.write_text(pooling.read_text().replace("true", "false"))
    assert embeddings._choose(str(copy), CACHE).model_id != name


def test_an_export_that_can_t_be_loaded_is_replaced_by_torch(
    packaged: SentenceEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("onnxruntime has classes of its own")

    monkeypatch.setattr(embeddings, "OnnxModel", breaks)
    fallback = SentenceEmbedder(packaged._folder, name=embeddings.NAME, sha256=embeddings.WEIGHTS_SHA256, cache=CACHE)
    assert len(fallback.embed(["the kettle is on"])[0]) == conf.EMBEDDING_DIMENSIONS
    assert isinstance(fallback._model, TorchModel)


def test_a_model_of_other_dimensions_is_refused_with_what_to_do(
    packaged: SentenceEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "EMBEDDING_DIMENSIONS", 768)
    narrow = SentenceEmbedder(packaged._folder, name=embeddings.NAME, sha256=embeddings.WEIGHTS_SHA256, cache=CACHE)
    with pytest.raises(ModelUnavailable, match=r"gives 384 numbers a text; the database keeps 768\. Set MEMORYHUB_EMB"):
        narrow.embed(["anything"])
    assert not narrow.loaded


def test_a_model_that_did_not_load_is_not_tried_again_with_every_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def fails() -> None:
        tries.append(1)
        raise ModelUnavailable

    resting = SentenceEmbedder(tmp_path, name="resting", sha256=None, cache=tmp_path)
    monkeypatch.setattr(resting, "_load", fails)
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            resting.embed(["anything"])
    assert len(tries) == 1
    monkeypatch.setattr(conf, "MODEL_REST", timedelta(0))
    resting._failure = None
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            resting.embed(["anything"])
    assert len(tries) == 3


def test_a_tokenizer_that_is_none_is_said(packaged: SentenceEmbedder, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="is no tokenizer"):
        embeddings._choose(str(tmp_path), CACHE).count_tokens("anything")
