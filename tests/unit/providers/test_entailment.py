"""The entailment check: the packaged file gives verdicts; any fault of it gives none, and never an exception."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import settings

from memoryhub.providers import embeddings, entailment, onnx_export
from memoryhub.providers.entailment import CONFIG, PACKAGED, EntailmentModel, NoChecker, negation_rule

CACHE = settings.MEMORYHUB_MODEL_CACHE
PAIR = (
    "Customer: Hi, I'd like to move my haircut to Thursday.",
    "The customer wanted to move their haircut to Thursday.",
)


@pytest.fixture(scope="module")
def packaged() -> EntailmentModel:
    chosen = entailment._choose("", CACHE)
    assert isinstance(chosen, EntailmentModel)
    return chosen


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    shutil.copytree(PACKAGED, folder)
    return folder


def of(folder: Path, *, packaged: bool = True, cache: Path = CACHE) -> EntailmentModel:
    return EntailmentModel(folder, name="copy", packaged=packaged, cache=cache)


def test_a_sentence_in_the_customers_own_words_passes_and_the_hub_says_that_it_can_check(
    packaged: EntailmentModel,
) -> None:
    assert packaged.entails([PAIR])[0] > 0.5
    assert packaged.state() == "ok"
    assert packaged.model_id.startswith("memoryhub-entailment@")


# Said; told truly; told wrong in one point. Words of our own, none of them in a file that was trained or measured with.
VERDICTS = [
    ("I want to rent a canoe for 4 hours.", "The customer wanted to rent a canoe for 4 hours.",
     "The customer wanted to rent a canoe for 9 hours."),
    ("Could you cancel my pottery lesson on Tuesday?", "The customer asked to cancel their pottery lesson on Tuesday.",
     "The customer asked to cancel their pottery lesson on Sunday."),
    ("Hello, I need to return a drill that I borrowed.", "The customer needed to return a drill that they borrowed.",
     "The customer did not want to return a drill that they borrowed."),
    ("I'd like to order 12 tulips for my mother.", "The customer wanted to order 12 tulips for their mother.",
     "The agent refused to order 12 tulips for their mother."),
    ("Please send the piano to Antwerp.", "The customer wanted to send the piano to Antwerp.",
     "The customer managed to send the piano to Antwerp."),
    ("I'm looking to book the sauna for Friday evening.", "The customer was looking to book the sauna for Friday evening.",
     "The agent wanted to book the sauna for Friday evening."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "true", "false"), VERDICTS)
def test_near_copies_are_told_from_those_that_are_wrong_in_one_point(
    packaged: EntailmentModel, said: str, true: str, false: str
) -> None:
    kept, dropped = packaged.entails([(f"Customer: {said}", true), (f"Customer: {said}", false)])
    assert kept > 0.5 > dropped


def test_a_pair_has_the_same_score_alone_and_among_longer_ones(packaged: EntailmentModel) -> None:
    pairs = [
        PAIR,
        ("Customer: " + "And then the door was painted green. " * 20, "The customer wanted a door."),
        ("", ""),
    ]
    together = packaged.entails(pairs * 15)
    assert len(together) == 45
    for place, pair in enumerate(pairs):
        assert together[place] == pytest.approx(packaged.entails([pair])[0], abs=1e-6)
    assert packaged.entails([]) == []


def test_a_premise_of_any_length_is_taken_and_its_beginning_is_read(packaged: EntailmentModel) -> None:
    (score,) = packaged.entails([(PAIR[0] + " word" * 5000, PAIR[1])])
    assert 0.0 <= score <= 1.0
    (same,) = packaged.entails([(PAIR[0] + " word" * 9000, PAIR[1])])
    assert score == pytest.approx(same, abs=1e-6), "what is cut away changes nothing"


def test_a_sentence_longer_than_its_premise_is_taken(packaged: EntailmentModel) -> None:
    assert len(packaged.entails([("Hi", "word " * 3000)])) == 1


def test_threads_do_not_trip_over_each_other(packaged: EntailmentModel) -> None:
    pairs = [(f"Customer: I need {number} chairs." + " Thanks." * number, PAIR[1]) for number in range(2, 6)]
    expected = [packaged.entails([pair])[0] for pair in pairs]
    found: dict[int, float] = {}

    def run(number: int) -> None:
        for _ in range(5):
            (found[number],) = packaged.entails([pairs[number]])

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(pairs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == pytest.approx(expected[number], abs=1e-5) for number in range(len(pairs)))


def test_a_file_with_another_hash_is_not_served(copy: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (copy / onnx_export.MODEL).open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x01\x02\x03")
    spoilt = of(copy)
    assert spoilt.state() == "unavailable"
    assert spoilt.entails([PAIR, PAIR]) == [0.0, 0.0]
    assert spoilt.entails([PAIR]) == [0.0]
    assert [record.message for record in caplog.records if "entailment" in record.message] == [
        caplog.records[0].message
    ]
    assert "hash is another" in caplog.records[0].message
    assert spoilt.model_id == ""


@pytest.mark.parametrize("missing", [onnx_export.MODEL, onnx_export.FACTS, CONFIG])
def test_a_missing_file_makes_the_check_unavailable(copy: Path, missing: str) -> None:
    (copy / missing).unlink()
    assert of(copy).state() == "unavailable"
    assert of(copy).entails([PAIR]) == [0.0]


def test_a_garbled_file_that_has_its_own_hash_makes_it_unavailable(copy: Path) -> None:
    (copy / onnx_export.MODEL).write_bytes(b"no model")
    facts = json.loads((copy / onnx_export.FACTS).read_text())
    facts["sha256"] = "6dcbfb82d0c6c16fa9c0a4e7f0e7e3b24b5f2a0f" * 2
    (copy / onnx_export.FACTS).write_text(json.dumps(facts))
    assert of(copy).entails([PAIR]) == [0.0]
    import hashlib

    facts["sha256"] = hashlib.sha256(b"no model").hexdigest()
    (copy / onnx_export.FACTS).write_text(json.dumps(facts))
    garbled = of(copy)
    assert garbled.entails([PAIR]) == [0.0]
    assert garbled.state() == "unavailable", "once it was tried"


def test_another_tokenizer_than_the_one_it_was_trained_with_is_refused(copy: Path) -> None:
    config = json.loads((copy / CONFIG).read_text())
    (copy / CONFIG).write_text(json.dumps(config | {entailment.TOKENIZER_HASH: "0" * 64}))
    assert of(copy).entails([PAIR]) == [0.0]


def test_the_order_of_the_classes_is_read_from_the_models_configuration(copy: Path, packaged: EntailmentModel) -> None:
    config = json.loads((copy / CONFIG).read_text())
    names = {"0": "contradiction", "1": "neutral", "2": "ENTAILMENT"}
    (copy / CONFIG).write_text(json.dumps(config | {"id2label": names}))
    (as_trained,), (turned,) = packaged.entails([PAIR]), of(copy).entails([PAIR])
    assert as_trained > 0.5 > turned, "class 2 is taken for entailment now"


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "LABEL_0", "1": "LABEL_1"},
        {"0": "entailment"},
        {"0": "not_entailment", "1": "other"},
        {"0": "entailment", "1": "entailment"},
        {},
        None,
        ["entailment", "neutral"],
    ],
)
def test_a_model_that_names_no_class_entailment_is_no_check(copy: Path, labels: object) -> None:
    config = json.loads((copy / CONFIG).read_text())
    (copy / CONFIG).write_text(json.dumps(config | {"id2label": labels}))
    assert of(copy).state() == "unavailable"
    assert of(copy).entails([PAIR]) == [0.0]


def test_a_run_that_fails_gives_no_verdict_and_no_exception(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = of(copy)
    assert model.entails([PAIR])[0] > 0.5

    def fail(*_: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(model._model, "forward", fail)
    assert model.entails([PAIR]) == [0.0]


def test_off_is_a_setting_under_which_nothing_is_entailed() -> None:
    nothing = entailment._choose("off", CACHE)
    assert isinstance(nothing, NoChecker)
    assert (nothing.state(), nothing.entails([PAIR]), nothing.model_id) == ("off", [0.0], "")


def test_the_process_s_own_check_can_be_another_one_for_a_test() -> None:
    with entailment.using(NoChecker()):
        assert entailment.entails([PAIR]) == [0.0]
        assert not entailment.available()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "one_sided"),
    [
        ("A man is asleep", "A man is not asleep", True),
        ("There is no boat", "A boat is there", True),
        ("I don't want tea.", "The customer wanted tea.", True),
        ("I can’t come.", "The customer could not come.", False),
        ("A knot is tied", "A knot is tied", False),
        ("Nobody came", "No one came", False),
    ],
)
def test_the_rule_of_negation_takes_one_off_where_one_side_alone_is_negated(
    premise: str, hypothesis: str, one_sided: bool
) -> None:
    assert negation_rule(premise, hypothesis, 0.75) == (-0.25 if one_sided else 0.75)


def test_serving_imports_no_torch() -> None:
    code = (
        "import django; django.setup(); import sys; from memoryhub.providers import entailment as e;"
        "assert e.available(); e.entails([('a', 'b')]); assert e.checker()._model is not None;"
        "assert not {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, env=environment, check=False).returncode
        == 0
    )


def test_the_packaged_file_is_under_thirty_megabytes_and_names_its_sources() -> None:
    assert (PACKAGED / onnx_export.MODEL).stat().st_size < 30_000_000
    sources = (PACKAGED / "README.md").read_text()
    assert all(name in sources for name in ("CC BY-SA 4.0", "CDLA-Permissive 1.0", "SNLI", "MiniLM"))


@pytest.mark.long
def test_another_cross_encoder_is_exported_once_and_torch_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    folder = tmp_path / "tiny"
    tokenizer = AutoTokenizer.from_pretrained(str(embeddings.packaged_folder()), local_files_only=True)
    tokenizer.save_pretrained(str(folder))
    config = BertConfig(
        hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, num_labels=3,
        id2label={0: "contradiction", 1: "entailment", 2: "neutral"},
        label2id={"contradiction": 0, "entailment": 1, "neutral": 2},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(str(folder))
    exported = of(folder, packaged=False, cache=tmp_path / "cache")
    pairs = [PAIR, ("one two", "three")]
    fast = exported.entails(pairs)
    assert isinstance(exported._model, entailment.OnnxModel)
    monkeypatch.setattr(onnx_export, "ensure", lambda *_, **__: None)
    served_by_torch = of(folder, packaged=False, cache=tmp_path / "none")
    assert served_by_torch.entails(pairs) == pytest.approx(fast, abs=1e-4)
    assert isinstance(served_by_torch._model, entailment.TorchCrossEncoder)
