"""How does a cross-encoder become a file that is served without torch? As an embedding model does (onnx_export.py):
once, in a process of its own, compared with the original before it counts.

    python -m memoryhub.providers.cross_encoder_export FOLDER TARGET
"""

import os
import sys
from pathlib import Path
from typing import Any

from memoryhub.providers import onnx_export

TRIED = (
    ("A man is asleep.", "Nobody is asleep."),
    ("Customer: I'd like a table for four on Friday, by the window if there is one left.", "They wanted a table."),
    ("Жълта врата 14", "A door"),
)


def export(model_folder: Path, target: Path) -> None:
    """Write the export of the CrossEncoder in `model_folder` to `target`: pairs in, logits out. Raises ValueError when
    the file gives other logits than the original."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(model_folder), local_files_only=True)
    model = AutoModelForSequenceClassification.from_pretrained(
        str(model_folder), local_files_only=True, attn_implementation="eager"
    )
    model.eval()
    premises, hypotheses = zip(*TRIED, strict=True)
    sample = dict(tokenizer(list(premises), list(hypotheses), padding=True, truncation=True, return_tensors="pt"))
    names = tuple(sample)

    class Logits(torch.nn.Module):
        """Tokens in, logits out."""

        def forward(self, *tensors: Any) -> Any:
            return model(**dict(zip(names, tensors, strict=True))).logits

    logits = Logits()
    logits.model = model
    logits.eval()
    with torch.inference_mode():
        expected = logits(*sample.values())
    longest = min(int(tokenizer.model_max_length), int(getattr(model.config, "max_position_embeddings", 512)))
    onnx_export.write(
        logits, sample, expected, target,
        output="logits", pad_id=tokenizer.pad_token_id, pad_token=tokenizer.pad_token, longest=longest,
    )  # fmt: skip


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
