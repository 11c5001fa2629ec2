"""How is a file of any size sealed, so that a cut, a swap or a flipped bit is noticed before anything is believed?

AES-256-GCM in pieces of a mebibyte. The key is derived from a key-encryption key and a salt of the file's own; a
nonce counts its piece and says whether it is the last, and every piece is bound to the head, which stands in clear:
what the file is, who made it when, and the id of the key it needs. Nothing is held in memory but a piece at a time.
"""

import hashlib
import json
import os
import secrets
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memoryhub.errors import HubError

MAGIC: Final = b"MHSEAL1\n"
PIECE: Final = 1024 * 1024  # bytes in clear
LONGEST_HEAD: Final = 1024 * 1024
_TAG: Final = 16


class FileUnusable(HubError):
    """A sealed file can't be read or written; the sentence says why."""

    code = "file_unusable"


@contextmanager
def written(path: Path, *, head: dict[str, Any], key: bytes) -> Iterator["Sealing"]:
    """Write `path` anew, whole or not at all, mode 0600. Raises FileUnusable."""
    unfinished = path.with_name(f".{path.name}.unfinished-{os.getpid()}")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            sealing = Sealing(file, head, key)
            yield sealing
            sealing.close()
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        _settle(path.parent)
    except OSError as error:
        raise FileUnusable(f"{path} can't be written: {error.strerror or 'the system gave no reason'}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


class Sealing:
    """What is written to it is sealed piece by piece; `digest` is over all of it in clear."""

    def __init__(self, file: IO[bytes], head: dict[str, Any], key: bytes) -> None:
        salt = secrets.token_bytes(32)
        self._head = json.dumps({**head, "salt": salt.hex()}, sort_keys=True).encode()
        self._file, self._cipher, self._number, self._waiting = file, _cipher(key, salt), 0, bytearray()
        self.digest, self.size = hashlib.sha256(), 0
        file.write(MAGIC + struct.pack(">I", len(self._head)) + self._head)

    def write(self, data: bytes) -> None:
        self.digest.update(data)
        self.size += len(data)
        self._waiting += data
        while len(self._waiting) > PIECE:
            self._piece(bytes(self._waiting[:PIECE]), last=False)
            del self._waiting[:PIECE]

    def close(self) -> None:
        self._piece(bytes(self._waiting), last=True)

    def _piece(self, data: bytes, *, last: bool) -> None:
        sealed = self._cipher.encrypt(_nonce(self._number, last=last), data, self._head)
        self._file.write(sealed)
        self._number += 1


def head_of(path: Path) -> dict[str, Any]:
    """What a sealed file says of itself; believed only once `pieces` has opened it. Raises FileUnusable."""
    with _reading(path) as file:
        return _head(path, file)[1]


def pieces(path: Path, *, key: bytes) -> Iterator[bytes]:
    """What is in it, piece by piece, each one proved. Raises FileUnusable at the first that does not hold, also where
    the file ends early or goes on too long.
    """
    with _reading(path) as file:
        raw, head = _head(path, file)
        cipher, number = _cipher(key, bytes.fromhex(head["salt"])), 0
        piece = file.read(PIECE + _TAG)
        while True:
            following = file.read(PIECE + _TAG)
            try:
                yield cipher.decrypt(_nonce(number, last=not following), piece, raw)
            except (InvalidTag, ValueError) as error:
                raise FileUnusable(
                    f"{path} does not open: it was cut short or altered, or it was sealed with another key."
                ) from error
            if not following:
                return
            piece, number = following, number + 1


def lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of what comes in pieces."""
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        yield from whole
    if rest:
        yield rest


@contextmanager
def _reading(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise FileUnusable(f"{path} can't be read: {error.strerror or 'the system gave no reason'}.") from error


def _head(path: Path, file: IO[bytes]) -> tuple[bytes, dict[str, Any]]:
    try:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError
        (length,) = struct.unpack(">I", file.read(4))
        if length > LONGEST_HEAD:
            raise ValueError
        raw = file.read(length)
        head: dict[str, Any] = json.loads(raw)
        bytes.fromhex(head["salt"])
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise FileUnusable(f"{path} is no file that Memory Hub sealed, or its beginning is damaged.") from error
    return raw, head


def _cipher(key: bytes, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=salt, info=b"memoryhub sealed file").derive(key))


def _nonce(number: int, *, last: bool) -> bytes:
    """Never the same twice under one key, which is the file's own."""
    return struct.pack(">QI", number, int(last))


def _settle(folder: Path) -> None:
    """The new name itself outlives a crash."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
