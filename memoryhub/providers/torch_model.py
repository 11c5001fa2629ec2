"""How is a sentence-transformers model served where it can't be exported? By torch itself: slower, larger, the same
vectors, and the same verdicts over pairs."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memoryhub.errors import ModelUnavailable


class TorchModel:
    """The model in a folder, loaded by sentence-transformers."""

    def __init__(self, folder: Path, *, longest: int) -> None:
        """Raises ModelUnavailable, whatever is wrong with the model: the hub runs on without it."""
        os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        self._longest = longest
        self._running = threading.Lock()
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging as transformers_logging

            transformers_logging.disable_progress_bar()
            torch.set_num_threads(1)  # one short text gains nothing from more, and several processes share the cores
            self._model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
            self._model.eval()
        except Exception as error:
            raise ModelUnavailable(f"The model in {folder} can't be loaded ({type(error).__name__}).") from error

    @property
    def dimensions(self) -> int:
        return int(self._model.get_embedding_dimension())

    def forward(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length one a text, in order."""
        # What model.encode does, without its sorting and progress: 9 ms instead of 15 for one short text.
        import torch

        with self._running, torch.inference_mode():  # its tokenizer keeps the padding as state
            features = self._model.tokenizer(
                list(texts), padding=True, truncation=True, max_length=self._longest, return_tensors="pt"
            )
            embedded = self._model(dict(features))["sentence_embedding"]
            unit = torch.nn.functional.normalize(embedded, dim=1)
        return [[float(number) for number in row] for row in unit.tolist()]


class TorchCrossEncoder:
    """A `CrossEncoder` in a folder, loaded by sentence-transformers: pairs of texts to one row of logits a pair."""

    def __init__(self, folder: Path, *, longest: int) -> None:
        """Raises ModelUnavailable, whatever is wrong with the model: the hub runs on without it."""
        os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads do not survive a fork
        self._running = threading.Lock()
        try:
            import torch
            from sentence_transformers import CrossEncoder
            from transformers.utils import logging as transformers_logging

            transformers_logging.disable_progress_bar()
            torch.set_num_threads(1)
            self._identity: Any = torch.nn.Identity()  # logits, whatever activation the model's settings name
            self._model: Any = CrossEncoder(str(folder), device="cpu", local_files_only=True, max_length=longest)
            self._model.eval()
        except Exception as error:
            raise ModelUnavailable(f"The model in {folder} can't be loaded ({type(error).__name__}).") from error

    def forward(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """One row of logits a pair, in order."""
        with self._running:
            found = self._model.predict(list(pairs), activation_fn=self._identity, show_progress_bar=False)
        return [[float(number) for number in row] for row in found.tolist()]
