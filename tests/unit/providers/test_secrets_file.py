"""The hub's own secrets: made once, whole, for its owner's eyes only."""

import json
import stat
import threading
from pathlib import Path

import pytest

from memoryhub.providers import secrets_file
from memoryhub.providers.secrets_file import HubSecrets, SecretsUnreadable


def test_they_are_made_once_and_kept(tmp_path: Path) -> None:
    assert secrets_file.read(tmp_path) is None
    first, made = secrets_file.ensure(tmp_path)
    again, made_again = secrets_file.ensure(tmp_path)
    assert (first, made, made_again) == (again, True, False)
    assert len(set(json.loads((tmp_path / "secrets.json").read_text()).values())) == 5


def test_nobody_else_may_read_them(tmp_path: Path) -> None:
    secrets_file.ensure(tmp_path)
    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]


def test_starts_at_the_same_moment_agree(tmp_path: Path) -> None:
    found: list[tuple[HubSecrets, bool]] = []
    together = threading.Barrier(8)

    def start() -> None:
        together.wait()
        found.append(secrets_file.ensure(tmp_path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({known.key_pepper for known, _ in found}) == 1
    assert sum(made for _, made in found) == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '{"secret_key": "only this"}'])
def test_a_damaged_file_is_neither_used_nor_replaced(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)
    with pytest.raises(SecretsUnreadable, match="damaged"):
        secrets_file.ensure(tmp_path)
    assert (tmp_path / "secrets.json").read_text() == content


def test_they_do_not_show_when_printed() -> None:
    assert repr(HubSecrets.fresh()) == "HubSecrets(…)"
