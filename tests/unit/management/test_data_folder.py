"""The data folder: made, writable, with room, and ours alone."""

import errno
import shutil
import tempfile
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from memoryhub.management import data_folder
from memoryhub.management.data_folder import CannotStart, open_for_use

Usage = namedtuple("Usage", "total used free")


def test_it_is_made_for_its_owner_alone_and_locked(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    with open_for_use(folder):
        assert folder.stat().st_mode & 0o777 == 0o700
        with pytest.raises(CannotStart, match="already running"):
            open_for_use(folder)
    open_for_use(folder).close()


def test_the_refusal_names_the_process_that_holds_it(tmp_path: Path) -> None:
    import os

    with open_for_use(tmp_path), pytest.raises(CannotStart, match=rf"process {os.getpid()}\)"):
        open_for_use(tmp_path)


def test_a_disk_with_too_little_room_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1_000_000_000, 900_000_000, 100_000_000))
    with pytest.raises(CannotStart, match="100 MB left; 200 MB are needed"):
        open_for_use(tmp_path)
    (tmp_path / "secrets.json").write_text("{}")
    open_for_use(tmp_path).close()  # a hub that runs already needs less


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EROFS, "it can't be written to"),
        (errno.EACCES, "it can't be written to"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_folder_that_takes_no_writes_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, reason: str
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(number, __import__("os").strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(CannotStart, match=reason):
        open_for_use(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(CannotStart, match="a file is in the way"):
        open_for_use(tmp_path / "data")
    assert data_folder.ROOM_AT_FIRST > data_folder.ROOM_LATER
