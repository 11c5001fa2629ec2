"""A file is read only inside an allowed folder, only as small text, and a pattern finds one value in bounded time."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from memoryhub.providers.file_record import compiled, find, read, search
from memoryhub.providers.http_record import Unreadable

LIMIT = 4096


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "allowed" / "deep").mkdir(parents=True)
    (tmp_path / "allowed" / "deep" / "settings.toml").write_text('[db]\nengine = "mariadb"\nversion = "11.4"\n')
    (tmp_path / "outside.txt").write_text("key = 4711")
    return tmp_path / "allowed"


def test_a_pattern_finds_its_group(root: Path) -> None:
    assert find("deep/settings.toml", r'^engine = "(\w+)"$', roots=(root,), max_bytes=LIMIT) == "mariadb"
    assert find(str(root / "deep/settings.toml"), r"port = (\d+)", roots=(root,), max_bytes=LIMIT) is None


@pytest.mark.parametrize(
    "path", ["../outside.txt", "deep/../../outside.txt", "/etc/passwd", "nothing.txt", "", "a\x00b"]
)
def test_nothing_outside_the_folder_is_read(root: Path, path: str) -> None:
    with pytest.raises(Unreadable):
        read(path, roots=(root,), max_bytes=LIMIT)


def test_links_are_followed_before_they_are_judged(root: Path) -> None:
    (root / "out").symlink_to(root.parent / "outside.txt")
    (root / "folder").symlink_to(root.parent)
    (root / "in").symlink_to(root / "deep" / "settings.toml")
    (root / "loop").symlink_to(root / "loop")
    for path in ("out", "folder/outside.txt", "loop"):
        with pytest.raises(Unreadable):
            read(path, roots=(root,), max_bytes=LIMIT)
    assert "mariadb" in read("in", roots=(root,), max_bytes=LIMIT)


def test_a_folder_whose_name_only_begins_like_the_root_is_outside(root: Path) -> None:
    twin = root.parent / "allowed-not"
    twin.mkdir()
    (twin / "x").write_text("x")
    with pytest.raises(Unreadable):
        read(str(twin / "x"), roots=(root,), max_bytes=LIMIT)


def test_pipes_folders_and_what_is_no_text_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "binary").write_bytes(b"engine\x00mariadb")
    (root / "latin").write_bytes(b"caf\xe9 = 1")
    (root / "large").write_bytes(b"x" * (LIMIT + 1))
    began = time.monotonic()
    for name in ("pipe", "deep", "binary", "latin", "large", "."):
        with pytest.raises(Unreadable):
            read(name, roots=(root,), max_bytes=LIMIT)
    assert time.monotonic() - began < 60  # never, else


def test_without_an_allowed_folder_nothing_is_read() -> None:
    with pytest.raises(Unreadable, match="MEMORYHUB_RECORD_ROOTS"):
        read("/etc/hostname", roots=(), max_bytes=LIMIT)


def test_the_same_value_found_twice_is_one_value_and_two_are_none() -> None:
    assert search("a = x\nb = y\na = x", r"^a = (\w)") == "x"
    with pytest.raises(Unreadable, match="several"):
        search("a = x\na = y", r"^a = (\w)")


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"((?:a|a)+)$", r"^(?:(\w+\s?)+)$", r"(?:a?){40}(a{40})b"])
def test_a_pattern_that_would_run_for_ever_is_stopped(pattern: str) -> None:
    began = time.monotonic()
    with contextlib.suppress(Unreadable):
        search("a" * 20_000 + "!", pattern)
    assert time.monotonic() - began < 60  # never, else


@pytest.mark.parametrize("pattern", ["no group", "(two) (groups)", "(", "(a" + "b" * 600 + ")", "(?:x)"])
def test_a_pattern_without_exactly_one_group_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"group|expression|characters"):
        compiled(pattern)
