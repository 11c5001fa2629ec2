"""How is an exported model served? On onnxruntime: a third of torch's time and memory, the same vectors."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy
import onnxruntime
from tokenizers import Encoding, Tokenizer

from memoryhub.providers.onnx_export import MODEL, Facts

TOKENS_AT_ONCE: Final = 1024  # padded, in one run: the memory that a run took is kept for the next

_FIELDS: Final = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}


class OnnxModel:
    """The file of an export, loaded. Safe to call from several threads: neither tokenizer nor session keeps state."""

    def __init__(self, folder: Path, facts: Facts, tokenizer: Path, *, longest: int) -> None:
        """`tokenizer`: the model's tokenizer.json; `longest`: tokens of a text that the vector takes in."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # several processes share the cores
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(folder / MODEL), options, providers=["CPUExecutionProvider"])
        self._facts = facts
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(min(longest, facts.longest or longest))
        self._tokenizer.no_padding()

    @property
    def dimensions(self) -> int:
        return self._facts.dimensions

    def forward(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[list[float]]:
        """What the model gives for each text or pair of texts, in order: a vector of length one, or logits. Of a pair
        that is too long, the longer text loses its end."""
        encoded = self._tokenizer.encode_batch(list(texts))
        vectors: list[list[float]] = [[]] * len(encoded)
        for group in alike([len(one.ids) for one in encoded]):
            for place, vector in zip(group, self._run([encoded[place] for place in group]), strict=True):
                vectors[place] = vector
        return vectors

    def _run(self, encoded: Sequence[Encoding]) -> list[list[float]]:
        shape = len(encoded), max(len(one.ids) for one in encoded)
        feed = {}
        for name in self._facts.inputs:
            field, padding = _FIELDS[name], self._facts.pad_id if name == "input_ids" else 0
            feed[name] = numpy.full(shape, padding, dtype=numpy.int64)
            for row, one in zip(feed[name], encoded, strict=True):
                row[: len(one.ids)] = getattr(one, field)
        (found,) = self._session.run(None, feed)
        return [[float(number) for number in row] for row in found.tolist()]


def alike(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts to be run together: of like length, at most TOKENS_AT_ONCE with their padding."""
    group: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and lengths[place] * (len(group) + 1) > TOKENS_AT_ONCE:
            yield group
            group = []
        group.append(place)
    if group:
        yield group
