"""How does a trained model become the packaged file? Exported as any other (providers/onnx_export.py), then int8.

Quantised per channel: with one scale a matrix, one decision in six on long pairs fell out differently.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from memoryhub.evaluation.entailment_training.learning import LONGEST, PROGRESS, STATE
from memoryhub.evaluation.entailment_training.rows import LABELS
from memoryhub.providers import cross_encoder_export, embeddings, onnx_export
from memoryhub.providers.entailment import CONFIG, TOKENIZER_HASH

FLOAT: Final = "float"  # the folder of the file before it is quantised


def export(
    model: Any, tokenizer: Any, run: Path, target: Path, *, halfway_from: Path | None = None
) -> onnx_export.Facts:
    """Export the snapshot in `run`, quantise it, and write file, facts and configuration to `target`; other files there
    (README) stay. `model`: the untrained network that the snapshot fills. `halfway_from`: the state that the run began
    from; what is exported lies in the middle between the two."""
    import torch

    state = torch.load(run / STATE, weights_only=True)
    if halfway_from is not None:
        state = mean_of(state, torch.load(halfway_from, weights_only=True))
    model.load_state_dict(state)
    model.eval()
    premises, hypotheses = zip(*cross_encoder_export.TRIED, strict=True)
    encoded = tokenizer(list(premises), list(hypotheses), padding=True, truncation=True, return_tensors="pt")
    sample = {name: encoded[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    with torch.inference_mode():
        expected = model(*sample.values())
    onnx_export.write(
        model, sample, expected, run / FLOAT,
        output="logits", pad_id=tokenizer.pad_token_id, pad_token=tokenizer.pad_token, longest=LONGEST,
    )  # fmt: skip
    facts = onnx_export.exported(run / FLOAT)
    assert facts is not None, "written a moment ago"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        quantised = Path(scratch) / onnx_export.MODEL
        _quantise(run / FLOAT / onnx_export.MODEL, quantised)
        facts = replace(facts, sha256=hashlib.sha256(quantised.read_bytes()).hexdigest())
        shutil.copyfile(quantised, target / onnx_export.MODEL)
    (target / onnx_export.FACTS).write_text(json.dumps(asdict(facts), indent=2) + "\n")
    tokens = (embeddings.packaged_folder() / embeddings.TOKENIZER).read_bytes()
    config = {
        "id2label": {str(place): label for place, label in enumerate(LABELS)},
        TOKENIZER_HASH: hashlib.sha256(tokens).hexdigest(),
    }
    (target / CONFIG).write_text(json.dumps(config, indent=2) + "\n")
    shutil.copyfile(run / PROGRESS, target / PROGRESS)
    return facts


def mean_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Number by number: a run that goes on from another keeps half of what it unlearnt, and most of what it learnt."""
    return {name: (value + other[name]) / 2 if value.is_floating_point() else value for name, value in one.items()}


def _quantise(file: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(str(file), str(target), per_channel=True, weight_type=QuantType.QInt8)
