"""train_entailment: from small files to a file that is served, in one command; the same steps give the same loss."""

import gzip
import json
import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from memoryhub.evaluation.entailment_training import mixture
from memoryhub.evaluation.entailment_training.rows import LABELS
from memoryhub.providers import onnx_export
from memoryhub.providers.entailment import EntailmentModel


def _write_rows(data: Path) -> None:
    for name in (*mixture.GENERAL, *mixture.CONVERSATIONS):
        with gzip.open(data / f"{name}.jsonl.gz", "wt") as file:
            for number in range(9):
                row = {
                    "premise": f"I need {number} hats for {name}.",
                    "hypothesis": "The customer needed hats.",
                    "source": "a:b:c",
                }
                file.write(json.dumps(row | {"label": LABELS[number % 3]}) + "\n")


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """The command tells torch and its tokenizers things in it, for a process of its own."""
    with mock.patch.dict(os.environ):
        yield


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of torch's exporter, which otherwise runs in a process of its own
def test_two_steps_of_training_give_a_file_that_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for count in ("NEAR_VERBATIM", "CAPTIONS", "OWN", "PICTURES"):
        monkeypatch.setattr(mixture, count, 40)
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    _write_rows(data)
    said = StringIO()
    call_command("train_entailment", data, out, steps=2, stdout=said)
    assert "MB, sha256" in said.getvalue()
    assert json.loads((out / "progress.json").read_text())["pairs"] == 64
    facts = onnx_export.exported(out / "weights")
    assert facts is not None
    assert facts.dimensions == len(LABELS)
    made = EntailmentModel(out / "weights", name="made", packaged=True, cache=tmp_path)
    (score,) = made.entails([("I need 3 hats.", "The customer needed 3 hats.")])
    assert 0.0 < score < 1.0


def test_files_that_are_not_there_are_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="train_snli_dev"):
        call_command("train_entailment", tmp_path, tmp_path / "out", steps=1)


def test_what_nearness_should_weigh_is_told_from_training_rows_and_a_development_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in ("NEAR_VERBATIM", "CAPTIONS", "OWN", "PICTURES"):
        monkeypatch.setattr(mixture, count, 0)
    monkeypatch.setattr(mixture, "CONVERSATIONS", dict.fromkeys(mixture.CONVERSATIONS, 3))  # of nine
    _write_rows(tmp_path)
    said = StringIO()
    beside = tmp_path / "train_snli_dev.jsonl.gz"
    call_command("weigh_nearness", tmp_path, beside=beside, limit=6, stdout=said)
    lines = said.getvalue().splitlines()
    assert [line.split(" (")[0] for line in lines if line.startswith("train_snli_dev")] == [
        "train_snli_dev", "train_snli_dev.jsonl.gz",
    ]  # fmt: skip
    assert any(line.startswith("train_sgd (6): 0 0.") for line in lines), "six were not learnt from"
    assert any(line.startswith("conversations: by 3.0, offset ") for line in lines)
