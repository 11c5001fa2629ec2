"""The file of key-encryption keys: made once, whole, and never mistaken for another."""

import json
import stat
from pathlib import Path

import pytest

from memoryhub.errors import KeysUnusable
from memoryhub.providers import key_file
from memoryhub.providers.key_file import MasterKeys, ensure, id_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    assert ensure(tmp_path / key_file.FILE)
    return tmp_path / key_file.FILE


def test_it_is_made_once_and_for_its_owner_alone(path: Path) -> None:
    before = path.read_bytes()
    assert not ensure(path)
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == [path.name], "nothing half-made stays beside it"


def test_without_a_file_there_is_no_key_and_a_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    keys = MasterKeys(tmp_path / key_file.FILE)
    assert keys.ids == frozenset()
    with pytest.raises(KeysUnusable, match="escrow"):
        keys.current()
    with pytest.raises(KeysUnusable, match="escrow"):
        keys.of("0123456789abcdef")


def test_a_file_that_comes_later_is_read_then(tmp_path: Path) -> None:
    keys = MasterKeys(tmp_path / key_file.FILE)
    ensure(tmp_path / key_file.FILE)
    name, key = keys.current()
    assert (id_of(key), keys.of(name)) == (name, key)


def test_a_rotated_key_is_known_to_whoever_read_the_file_before(path: Path) -> None:
    running, rotating = MasterKeys(path), MasterKeys(path)
    old = running.current()
    before, after = rotating.rotate()
    assert before == old[0] != after
    assert running.of(after) == rotating.of(after)
    assert running.current()[0] == after
    assert running.of(before) == old[1], "what it wrapped can still be opened"


def test_a_forgotten_key_is_gone_and_the_current_one_never(path: Path) -> None:
    keys = MasterKeys(path)
    before, after = keys.rotate()
    keys.forget(frozenset({before, after}))
    assert keys.ids == {after}
    assert MasterKeys(path).ids == {after}


@pytest.mark.parametrize(
    "damage",
    [
        lambda document: {**document, "keys": dict.fromkeys(document["keys"], "AAAA")},
        lambda document: {**document, "keys": {f"{name[:-1]}x": each for name, each in document["keys"].items()}},
        lambda document: {**document, "current": "other"},
        lambda document: {"keys": document["keys"]},
        lambda _: [],
    ],
    ids=["short", "renamed", "no current one", "none named", "something else"],
)
def test_a_damaged_file_is_refused(path: Path, damage: object) -> None:
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))  # type: ignore[operator]
    with pytest.raises(KeysUnusable, match="damaged"):
        MasterKeys(path)
    with pytest.raises(KeysUnusable, match="damaged"):
        ensure(path)


def test_nothing_shows_a_key(path: Path) -> None:
    keys = MasterKeys(path)
    name, key = keys.current()
    assert key.hex() not in repr(keys)
    assert name not in key.hex()
