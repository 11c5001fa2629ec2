"""How does a sentence-transformers model become a file that is served without torch? Exported once, kept by its hash.

    python -m memoryhub.providers.onnx_export FOLDER TARGET

torch and sentence-transformers are imported here only, in a process of their own that ends after the export: they cost
500 MB and seconds, and a hub that serves needs neither. The exported file is compared with the original before it
counts: the same texts have to give the same vectors.

The numbers lie in a file beside the graph, which onnxruntime maps into memory: of the large table of words a process
holds the few rows it has used, not all, and the rest once for all processes (70 MB less in each, the same vectors).
"""

import fcntl
import hashlib
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

MODEL, WEIGHTS, FACTS = "model.onnx", "weights.bin", "facts.json"
FORMAT = 2  # raise it when the export changes, so that older files are made anew
OPSET = 17
SAME = 0.9999  # cosine between the original's vector and the file's; measured: 1.0000
TRIED = ("short", "a sentence that is a good deal longer than the first one, so that it is padded", "Жълта врата 14")
EXPORT_SECONDS = 600  # on a slow disk the first import of torch alone takes a minute


@dataclass(frozen=True)
class Facts:
    """What has to be known to feed the file: names of its inputs, padding, longest text in tokens, and the hash of
    graph and numbers."""

    inputs: tuple[str, ...]
    pad_id: int
    pad_token: str
    longest: int
    dimensions: int
    sha256: str


def place(cache: Path, weights_sha256: str) -> Path:
    """The folder of one model's export."""
    return cache / f"{weights_sha256[:16]}-{FORMAT}"


def exported(folder: Path) -> Facts | None:
    """What lies there, or None when there is nothing whole; a file that is not the one written then is nothing."""
    try:
        found = json.loads((folder / FACTS).read_text())
        facts = Facts(**(found | {"inputs": tuple(found["inputs"])}))
        digest = _digest(folder)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return facts if digest == facts.sha256 else None


def _digest(folder: Path) -> str:
    """Of the graph, and of the numbers where they lie beside it."""
    whole = hashlib.sha256()
    for name in (MODEL, WEIGHTS) if (folder / WEIGHTS).exists() else (MODEL,):
        with (folder / name).open("rb") as file:
            while part := file.read(1 << 20):
                whole.update(part)
    return whole.hexdigest()


def ensure(model: Path, target: Path, *, exporter: str = "memoryhub.providers.onnx_export") -> Facts | None:
    """The export in `target`, made by a process of its own where it is missing; None when it can't be made.
    `exporter`: the module that knows this kind of model, called with both folders."""
    facts = exported(target)
    if facts is not None:
        return facts
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _alone(target.with_suffix(".lock")):
            facts = exported(target)  # somebody else may have made it meanwhile
            if facts is None:
                command = [
                    sys.executable,
                    "-W",
                    "ignore",
                    "-m",
                    exporter,
                    str(model),
                    str(target),
                ]
                subprocess.run(
                    command, cwd=Path(__file__).resolve().parents[2], check=True, timeout=EXPORT_SECONDS,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                facts = exported(target)
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("the model could not be exported (%s); torch serves instead", type(error).__name__)
        return None
    return facts


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def export(model_folder: Path, target: Path) -> None:
    """Write the export of the model in `model_folder` to `target`. Raises ValueError when the file gives other vectors
    than the original."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(model_folder), device="cpu", local_files_only=True)
    model.eval()
    sample = model.tokenizer(list(TRIED), padding=True, truncation=True, return_tensors="pt")
    inputs = tuple(sample.keys())

    class Embedding(torch.nn.Module):
        """Tokens in, one vector of length one out."""

        def forward(self, *tensors: Any) -> Any:
            features = dict(zip(inputs, tensors, strict=True))
            return torch.nn.functional.normalize(model(features)["sentence_embedding"], dim=1)

    embedding = Embedding()
    embedding.model = model
    embedding.eval()
    with torch.inference_mode():
        expected = embedding(*(sample[name] for name in inputs))
    write(
        embedding, {name: sample[name] for name in inputs}, expected, target,
        output="vectors", pad_id=model.tokenizer.pad_token_id, pad_token=model.tokenizer.pad_token,
        longest=model.max_seq_length,
    )  # fmt: skip


def write(
    module: Any, sample: dict[str, Any], expected: Any, target: Path, *, output: str, pad_id: int | None,
    pad_token: str | None, longest: int | None,
) -> None:  # fmt: skip
    """Export `module` to `target`, with its facts. `sample`: its input by name, as tensors of texts x tokens, for which
    it gives `expected`; raises ValueError when the file gives something else."""
    import onnx
    import torch

    axes = {name: {0: "texts", 1: "tokens"} for name in sample} | {output: {0: "texts"}}
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        folder = Path(scratch) / "export"
        folder.mkdir()
        torch.onnx.export(
            module, tuple(sample.values()), str(folder / MODEL), input_names=list(sample),
            output_names=[output], dynamic_axes=axes, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        onnx.save_model(
            onnx.load(str(folder / MODEL)), str(folder / MODEL), save_as_external_data=True, location=WEIGHTS
        )
        (folder / WEIGHTS).chmod((folder / MODEL).stat().st_mode)  # whoever may read the one may read the other
        _compare(folder / MODEL, {name: tensor.numpy() for name, tensor in sample.items()}, expected.numpy())
        facts = Facts(
            inputs=tuple(sample),
            pad_id=int(pad_id or 0),
            pad_token=str(pad_token or "[PAD]"),
            longest=int(longest or 0),
            dimensions=int(expected.shape[1]),
            sha256=_digest(folder),
        )
        (folder / FACTS).write_text(json.dumps(asdict(facts)))
        if target.exists():  # not whole, or this export would not run
            for file in target.iterdir():
                file.unlink()
            target.rmdir()
        folder.rename(target)


def _compare(file: Path, feed: dict[str, Any], expected: Any) -> None:
    import numpy
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, feed)
    lengths = numpy.linalg.norm(found, axis=1) * numpy.linalg.norm(expected, axis=1)
    if float(((found * expected).sum(axis=1) / numpy.maximum(lengths, 1e-12)).min()) < SAME:
        raise ValueError("the exported model gives other vectors than the original")


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
