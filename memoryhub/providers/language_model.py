"""How does a process come to the tables that tell languages apart? Mapped from files that all processes share.

py3langid brings them packed; its own loader gives every process a copy of 70 MB, of which a text touches a little. They
are unpacked once, beside the exports of the models, and mapped: the same arrays under the same code of the library.
"""

import hashlib
import json
import logging
import mmap
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy
from django.conf import settings
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
from py3langid.modelio import load_model

log = logging.getLogger(__name__)

FORMAT: Final = 1  # raise it when what is unpacked changes
FACTS: Final = "languages.json"
_ARRAYS: Final = ("ptc", "pc", "nextmove", "row", "output")


def identifier() -> LanguageIdentifier:
    """The library's identifier with certainties from 0 to 1; its tables mapped where they could be unpacked."""
    packed = MODEL_DIR / MODEL_FILE
    try:
        return _mapped(_unpacked(packed, settings.MEMORYHUB_MODEL_CACHE))
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("the tables of languages can't be mapped (%s); this process holds its own", type(error).__name__)
        return LanguageIdentifier.from_model_file(packed, norm_probs=True)


def _unpacked(packed: Path, cache: Path) -> Path:
    """The folder with the arrays of this file, made where it is missing."""
    with packed.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = cache / f"languages-{digest[:16]}-{FORMAT}"
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            _unpack(load_model(packed), Path(scratch) / "languages")
            try:
                os.rename(Path(scratch) / "languages", folder)  # whole or not at all
            except OSError:
                if not folder.exists():  # else another process was first, with the same
                    raise
    return folder


def _unpack(model: Sequence[Any], folder: Path) -> None:
    ptc, pc, classes, nextmove, row, output = model
    folder.mkdir()
    arrays = dict(zip(_ARRAYS, map(numpy.asarray, (ptc, pc, nextmove, row, output)), strict=True))
    facts: dict[str, Any] = {"classes": classes, "arrays": {}}
    for name, array in arrays.items():
        (folder / name).write_bytes(numpy.ascontiguousarray(array).tobytes())
        facts["arrays"][name] = {"type": array.dtype.str, "shape": array.shape}
    (folder / FACTS).write_text(json.dumps(facts))


def _mapped(folder: Path) -> LanguageIdentifier:
    """Raises ValueError where a file is not as long as its array: reading past its end would end the process."""
    facts = json.loads((folder / FACTS).read_text())
    arrays: dict[str, numpy.ndarray[Any, Any]] = {}
    for name in _ARRAYS:
        told = facts["arrays"][name]
        kind, shape = numpy.dtype(told["type"]), tuple(told["shape"])
        with (folder / name).open("rb") as file:
            whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        arrays[name] = numpy.frombuffer(whole, dtype=kind)
        if arrays[name].size != int(numpy.prod(shape)):
            raise ValueError(f"{name} is not whole")
        arrays[name] = arrays[name].reshape(shape)
    return LanguageIdentifier(
        arrays["ptc"], arrays["pc"], facts["classes"],
        arrays["nextmove"].data,  # walked byte by byte: plain numbers come out of it, not numpy's
        arrays["output"].tolist(), norm_probs=True, tk_row=arrays["row"].tolist(),
    )  # fmt: skip
