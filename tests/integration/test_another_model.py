"""A hub that is told to use another embedding model: refused with a sentence, or exported and served without torch."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub import conf
from memoryhub.providers.embeddings import packaged_folder
from tests.integration.hub_process import manage

MAKE = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import torch
from transformers import BertConfig, BertModel
folder, width = Path(sys.argv[1]), int(sys.argv[2])
torch.manual_seed(width)
settings = json.loads((folder / "config.json").read_text())
settings |= {"num_hidden_layers": 1, "hidden_size": width, "intermediate_size": 64, "num_attention_heads": 4}
BertModel(BertConfig(**settings)).save_pretrained(folder)
pooling = folder / "1_Pooling" / "config.json"
pooling.write_text(json.dumps(json.loads(pooling.read_text()) | {"word_embedding_dimension": width}))
"""


def made_up(folder: Path, width: int) -> Path:
    """A sentence-transformers model of so many dimensions, with one layer that learned nothing."""
    shutil.copytree(packaged_folder(), folder)
    subprocess.run([sys.executable, "-c", MAKE, str(folder), str(width)], check=True, capture_output=True)
    return folder


def test_a_setting_that_names_no_model_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    ran = manage("serve", data=tmp_path / "data", MEMORYHUB_EMBEDDING_MODEL=str(tmp_path / "nothing here"))
    assert ran.returncode == 1
    assert "can't be read" in ran.stderr
    assert "The embedding model can't be used; the reason is above." in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "data" / "postgres").exists(), "refused before anything was started"


@pytest.mark.long
def test_a_model_of_other_dimensions_stops_the_start_with_what_to_do(tmp_path: Path) -> None:
    narrow = made_up(tmp_path / "narrow", 32)
    ran = manage("serve", data=tmp_path / "data", MEMORYHUB_EMBEDDING_MODEL=str(narrow))
    assert ran.returncode == 1
    assert f"gives 32 numbers a text; the database keeps {conf.EMBEDDING_DIMENSIONS}. Set MEMORY" in ran.stderr


@pytest.mark.long
def test_another_model_is_exported_by_its_hash_and_made_anew_when_the_file_was_changed(tmp_path: Path) -> None:
    other, cache = made_up(tmp_path / "other", conf.EMBEDDING_DIMENSIONS), tmp_path / "cache"
    code = (
        "import sys, json; from pathlib import Path; from django.conf import settings; settings.configure();"
        "from memoryhub.providers.embeddings import _choose; model = _choose(sys.argv[1], Path(sys.argv[2]));"
        "vectors = model.embed(['a door', 'another door']);"
        "print(json.dumps([model.model_id, type(model._model).__name__, 'torch' in sys.modules, vectors]))"
    )

    def served() -> list[object]:
        ran = subprocess.run(
            [sys.executable, "-c", code, str(other), str(cache)], capture_output=True, text=True, check=True
        )
        found: list[object] = json.loads(ran.stdout)
        return found

    name, kind, torch, vectors = served()
    assert str(name).startswith("other@")
    assert (kind, torch) == ("OnnxModel", False)
    (file,) = cache.rglob("model.onnx")
    whole = file.read_bytes()
    file.write_bytes(whole[:5000] + b"\0" * 100 + whole[5100:])
    assert served() == [name, kind, torch, vectors]
    assert file.read_bytes() == whole
