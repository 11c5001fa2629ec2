"""Does this premise entail this sentence? A small natural-language-inference model, run here, never over the net (R72).

    from memoryhub.providers import entailment
    entailment.entails([("Customer: I'd like to move my visit to 3 May please.", "The customer wanted to move …")])
    -> [0.98]   # one probability of entailment a pair, in order

How to ask. The premise is one customer turn, or several turns, one a line: "Customer: …", "Agent: …" (a bare turn
without a name is understood as well). The hypothesis is one third-person sentence about the customer ("The customer
wanted to …", "asked whether …", "asked for …", "said that …"). A sentence is to be kept only if it passes on the one
turn that carries it AND on the whole: the turn shows that it was said, the whole that it was not taken back. Where the
premise is one turn or one sentence, `negation_rule` makes the score stricter. What the model is good and bad at, with
figures: docs/entailment.md.

Nothing here raises. Without a usable model (file missing, hash wrong, garbled, no memory) every probability is 0.0,
`available()` is False and the log says why, once: what asks writes what it can prove otherwise, and no dream is lost.
The packaged model lies in weights/entailment, int8, its hash beside it; training: evaluation/entailment_training. To
its log odds is added how near the sentence is to what was said (nearness.py).
Another sentence-transformers `CrossEncoder` with an entailment label is a folder in MEMORYHUB_ENTAILMENT_MODEL; `off`
means no model. Serving imports no torch, but where another model can't be exported.
"""

import hashlib
import json
import logging
import re
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

import numpy
from django.conf import settings

from memoryhub import conf
from memoryhub.errors import ModelUnavailable
from memoryhub.providers import embeddings, nearness, onnx_export
from memoryhub.providers.one_per_process import OnePerProcess
from memoryhub.providers.onnx_model import OnnxModel
from memoryhub.providers.torch_model import TorchCrossEncoder

log = logging.getLogger(__name__)

Pair = nearness.Pair  # premise, hypothesis

OFF: Final = "off"  # the setting for no model at all
OK: Final = "ok"
UNAVAILABLE: Final = "unavailable"
PACKAGED: Final = Path(__file__).resolve().parent / "weights" / "entailment"
NAME: Final = "memoryhub-entailment"
CONFIG: Final = "config.json"
EXPORTER: Final = "memoryhub.providers.cross_encoder_export"
LONGEST: Final = 256  # tokens of premise and hypothesis together; the end of what is longer is not read
TOKENIZER_HASH: Final = "tokenizer_sha256"  # in config.json of the packaged model: its tokenizer lies elsewhere

_NEGATION: Final = re.compile(
    r"\b(?:no|not|never|nobody|none|nothing|nowhere|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE
)


class Checker(Protocol):
    """Pairs to probabilities; safe to call from several threads; never raises."""

    @property
    def model_id(self) -> str:
        """Which model, with the hash of its weights; empty when there is none."""
        ...

    def state(self) -> str:
        """`ok`, `unavailable` or `off`; does not load the model."""
        ...

    def entails(self, pairs: Sequence[Pair]) -> list[float]:
        """The probability, 0..1, that the first text of each pair entails its second; 0.0 without a model."""
        ...


class NoChecker:
    """By setting: nothing is entailed."""

    model_id = ""

    def state(self) -> str:
        return OFF

    def entails(self, pairs: Sequence[Pair]) -> list[float]:
        return [0.0] * len(pairs)


class EntailmentModel:
    """A cross-encoder in a folder. Nothing is loaded before it is first needed."""

    def __init__(
        self, folder: Path, *, name: str, packaged: bool, cache: Path, embed: nearness.Embed | None = None
    ) -> None:
        """`packaged`: the folder holds the exported file itself, and its hash; else it is exported to `cache`.
        `embed`: the embedding model beside it; without one the model's verdict stands alone."""
        self._folder, self._name, self._packaged, self._cache, self._embed = folder, name, packaged, cache, embed
        self._loading = threading.Lock()
        self._model: OnnxModel | TorchCrossEncoder | None = None
        self._resting_until = 0.0
        self._logged = False

    @property
    def model_id(self) -> str:
        try:
            return f"{self._name}@{self._identity[:12]}"
        except ModelUnavailable:
            return ""

    def state(self) -> str:
        if self._model is not None:
            return OK
        if time.monotonic() < self._resting_until:
            return UNAVAILABLE
        try:
            self._entailment_label()
            return OK if self._identity else UNAVAILABLE
        except ModelUnavailable:
            return UNAVAILABLE

    def entails(self, pairs: Sequence[Pair]) -> list[float]:
        found: list[float] = []
        try:
            if pairs:
                model, label = self._ready_model(), self._entailment_label()
                added = nearness.log_odds(pairs, self._embed) if self._embed else [0.0] * len(pairs)
                # One by one: an int8 file scales its numbers by all that it is given at once, so that in company a pair
                # would score differently than alone, and a dream that is run again would tell something else.
                found = [
                    _probability(model.forward([pair])[0], label, more) for pair, more in zip(pairs, added, strict=True)
                ]
        except ModelUnavailable as error:
            self._log_once(error.detail)
        except Exception as error:  # onnxruntime and tokenizers raise classes of their own, and bare ones
            self._log_once(f"the model failed ({type(error).__name__})")
        return found if len(found) == len(pairs) else [0.0] * len(pairs)

    def _log_once(self, why: object) -> None:
        if not self._logged:
            self._logged = True
            log.error("the entailment check is unavailable, so summaries tell outcomes alone: %s", why)

    def _ready_model(self) -> OnnxModel | TorchCrossEncoder:
        if self._model is None:
            with self._loading:
                if self._model is None:
                    if time.monotonic() < self._resting_until:  # not every call waits for another attempt
                        raise ModelUnavailable("The entailment model could not be loaded just now.")
                    try:
                        self._model = self._load()
                    except BaseException:
                        self._resting_until = time.monotonic() + conf.MODEL_REST.total_seconds()
                        raise
        return self._model

    def _load(self) -> OnnxModel | TorchCrossEncoder:
        self._entailment_label()
        if self._packaged:
            return OnnxModel(self._folder, self._facts, self._tokenizer_of_packaged(), longest=LONGEST)
        target = onnx_export.place(self._cache, self._identity)
        facts = onnx_export.ensure(self._folder, target, exporter=EXPORTER)
        if facts is not None:
            try:
                return OnnxModel(target, facts, self._folder / embeddings.TOKENIZER, longest=LONGEST)
            except Exception as error:  # as above
                log.warning("the exported model can't be served (%s); torch serves instead", type(error).__name__)
        return TorchCrossEncoder(self._folder, longest=LONGEST)

    @cached_property
    def _facts(self) -> onnx_export.Facts:
        """Of the packaged file, hashed; raises ModelUnavailable."""
        facts = onnx_export.exported(self._folder)
        if facts is None:
            raise ModelUnavailable(f"{self._folder} holds no whole model (file missing, or its hash is another).")
        return facts

    def _tokenizer_of_packaged(self) -> Path:
        """The one of the embedding model, whose words it shares; hashed as well."""
        path = embeddings.packaged_folder() / embeddings.TOKENIZER
        if _sha256(path) != self._config.get(TOKENIZER_HASH):
            raise ModelUnavailable(f"{path} is not the tokenizer that the entailment model was trained with.")
        return path

    @cached_property
    def _config(self) -> dict[str, object]:
        try:
            found = json.loads((self._folder / CONFIG).read_text())
        except (OSError, ValueError) as error:
            raise ModelUnavailable(f"{self._folder / CONFIG} can't be read, so that is no model.") from error
        if not isinstance(found, dict):
            raise ModelUnavailable(f"{self._folder / CONFIG} is no model's configuration.")
        return found

    def _entailment_label(self) -> int:
        """Which of the model's classes is entailment, by its own configuration: models order them differently."""
        labels = self._config.get("id2label")
        places = [
            int(place)
            for place, label in (labels.items() if isinstance(labels, dict) else ())
            if str(place).isdecimal() and str(label).strip().lower() in ("entailment", "entails", "entailed")
        ]
        if len(places) != 1 or len(labels) < 2:  # type: ignore[arg-type]  # a dict, since a place was found in it
            raise ModelUnavailable(
                f"id2label in {self._folder / CONFIG} names no class `entailment` among others. "
                "Set MEMORYHUB_ENTAILMENT_MODEL to a natural-language-inference cross-encoder, or to nothing."
            )
        return places[0]

    @cached_property
    def _identity(self) -> str:
        """Hash of the weights, and of another model's settings and tokenizer as well; raises ModelUnavailable."""
        if self._packaged:
            return self._facts.sha256
        whole = hashlib.sha256(_sha256(self._folder / "model.safetensors").encode())
        try:
            for path in sorted(self._folder.rglob("*.json")):
                whole.update(f"\n{path.relative_to(self._folder)}\n".encode() + path.read_bytes())
        except OSError as error:
            raise ModelUnavailable(f"{self._folder} can't be read: {error.strerror}.") from error
        return whole.hexdigest()


def negation_rule(premise: str, hypothesis: str, probability: float) -> float:
    """The score of a pair of SENTENCES (or one turn and its sentence): the probability, minus 1 when exactly one of the
    two is negated. Not for whole conversations, which nearly always hold a "not" somewhere.
    """
    return probability - 1.0 if bool(_NEGATION.search(premise)) != bool(_NEGATION.search(hypothesis)) else probability


def checker() -> Checker:
    """This process's check, by the setting MEMORYHUB_ENTAILMENT_MODEL: empty (packaged), a folder, or `off`."""
    return _chosen.get()


def entails(pairs: Sequence[Pair]) -> list[float]:
    """Of each pair (premise, hypothesis) the probability that the first entails the second; 0.0 without a model."""
    return checker().entails(pairs)


def available() -> bool:
    """Whether there is a model to ask; `entails` finds nothing entailed while there is none."""
    return checker().state() == OK


def using(other: Checker) -> AbstractContextManager[Checker]:
    """For tests: this check instead of the process's own."""
    return _chosen.using(other)


def _choose(setting: str, cache: Path) -> Checker:
    if setting == OFF:
        return NoChecker()
    if setting:
        folder = Path(setting).expanduser().resolve()  # commands may run elsewhere than the hub
        return EntailmentModel(folder, name=folder.name[: embeddings.LONGEST_NAME], packaged=False, cache=cache)
    return EntailmentModel(PACKAGED, name=NAME, packaged=True, cache=cache, embed=_embed)


def _embed(texts: Sequence[str]) -> list[list[float]]:
    return embeddings.packaged().embed(texts)


_chosen: Final = OnePerProcess(lambda: _choose(settings.MEMORYHUB_ENTAILMENT_MODEL, settings.MEMORYHUB_MODEL_CACHE))


def _probability(logits: Sequence[float], label: int, more: float) -> float:
    """Of the class `label`, its log odds raised by `more`."""
    scores = numpy.asarray(logits, dtype=numpy.float64)
    scores[label] += more
    weights = numpy.exp(scores - scores.max())
    return float(numpy.nan_to_num(weights[label] / weights.sum(), nan=0.0))


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelUnavailable(f"{path} can't be read: {error.strerror}.") from error
