"""What are the subjects' own keys wrapped with? The key-encryption keys, in one file outside the database.

`<data>/master-keys.json` (or where MEMORYHUB_KEY_FILE says), mode 0600. A file of its own, not a part of secrets.json:
it is the one thing that must never lie beside a dump or a backup, and the one thing that must be kept in escrow: who
loses it loses every event, stored answer and archive. A key's id is the beginning of its hash, so that a key that was
altered, or another one under the same name, is noticed before anything is opened or sealed with it.
"""

import base64
import hashlib
import json
import os
import secrets
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from memoryhub.errors import KeysUnusable

FILE: Final = "master-keys.json"
KEY_BYTES: Final = 32  # AES-256
ID_DIGITS: Final = 16  # hexadecimal


class MasterKeys:
    """The keys of one file. Read again where an id is not known: another process may have rotated them meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._current = ""
        self._keys: dict[str, bytes] = {}
        self._load()

    def __repr__(self) -> str:
        return "MasterKeys(…)"

    @property
    def ids(self) -> frozenset[str]:
        """Every key there is now, by id; empty where no file was made yet. Raises KeysUnusable for a damaged one."""
        self._load()
        return frozenset(self._keys)

    def current(self) -> tuple[str, bytes]:
        """The id and the bytes of the key that new keys are wrapped with, read anew: it may have been rotated. Raises
        KeysUnusable where there is none.
        """
        self._load()
        if not self._current:
            raise KeysUnusable(
                f"There is no key-encryption key: {self.path} is missing. Put back the copy you keep in escrow, or "
                "start the hub with `make run`, which makes one where nothing was sealed yet."
            )
        return self._current, self._keys[self._current]

    def of(self, key_id: str) -> bytes:
        """The key of this id. Raises KeysUnusable where it is not in the file."""
        if key_id not in self._keys:
            self._load()
        try:
            return self._keys[key_id]
        except KeyError:
            raise KeysUnusable(
                f"Something was sealed with the key-encryption key {key_id}, which is not in {self.path}. Put back the "
                "copy you keep in escrow; without it what was sealed can't be read by anybody."
            ) from None

    def rotate(self) -> tuple[str, str]:
        """Make another key the current one; the ids before and after. The one before stays in the file."""
        before, _ = self.current()
        fresh = secrets.token_bytes(KEY_BYTES)
        _write(self.path, {**self._keys, id_of(fresh): fresh}, current=id_of(fresh), anew=False)
        self._load()
        return before, self._current

    def forget(self, key_ids: frozenset[str]) -> None:
        """Take keys out of the file. Never the current one; the caller made sure that nothing is wrapped with them."""
        kept = {key_id: key for key_id, key in self._keys.items() if key_id not in key_ids or key_id == self._current}
        _write(self.path, kept, current=self._current, anew=False)
        self._load(whole=True)

    def _load(self, *, whole: bool = False) -> None:
        found = _read(self.path)
        if found is None:
            return
        with self._lock:
            current, keys = found
            self._keys = dict(keys) if whole else {**self._keys, **keys}
            self._current = current


def ensure(path: Path) -> bool:
    """Make the file with one key where there is none; whether it was made just now. Raises KeysUnusable."""
    if _read(path) is not None:
        return False
    fresh = secrets.token_bytes(KEY_BYTES)
    return _write(path, {id_of(fresh): fresh}, current=id_of(fresh), anew=True)


def id_of(key: bytes) -> str:
    """What a key is called: nothing about the key can be told from it."""
    return hashlib.sha256(b"memoryhub key id\0" + key).hexdigest()[:ID_DIGITS]


def _read(path: Path) -> tuple[str, dict[str, bytes]] | None:
    try:
        text = path.read_text()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise KeysUnusable(f"{path} can't be read: {error.strerror}.") from error
    try:
        document = json.loads(text)
        keys = {str(name): base64.urlsafe_b64decode(value) for name, value in document["keys"].items()}
        current = str(document["current"])
        if current not in keys or any(len(key) != KEY_BYTES or id_of(key) != name for name, key in keys.items()):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise KeysUnusable(f"{path} is damaged; put back the copy you keep in escrow.") from error
    return current, keys


def _write(path: Path, keys: Mapping[str, bytes], *, current: str, anew: bool) -> bool:
    """Whole and durable, mode 0600. `anew`: never over a file that is there; whether this one was taken."""
    document = {
        "current": current,
        "keys": {name: base64.urlsafe_b64encode(key).decode() for name, key in keys.items()},
    }
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".keys-")
        try:
            with os.fdopen(handle, "w") as file:
                json.dump(document, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            if not anew:
                os.replace(name, path)
                return True
            try:
                os.link(name, path)
            except FileExistsError:
                return False
            return True
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise KeysUnusable(f"{path} can't be written: {error.strerror}.") from error
