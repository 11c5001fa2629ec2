"""Sealed files: what goes in comes out, and whatever was done to one in between is noticed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.providers import sealed_file
from memoryhub.providers.sealed_file import FileUnusable, head_of, lines, pieces, written

KEY = bytes(range(32))


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_file, "PIECE", 64)


def made(path: Path, *parts: bytes) -> Path:
    with written(path, head={"kind": "test"}, key=KEY) as sealing:
        for part in parts:
            sealing.write(part)
    return path


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_what_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]) -> None:
    path = made(tmp_path_factory.mktemp("sealed") / "it", *parts)
    assert b"".join(pieces(path, key=KEY)) == b"".join(parts)
    assert head_of(path)["kind"] == "test"


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 128, 1000])
def test_the_ends_of_pieces_are_no_special_places(tmp_path: Path, size: int) -> None:
    path = made(tmp_path / "it", bytes(size))
    assert b"".join(pieces(path, key=KEY)) == bytes(size)


@given(st.data())
def test_a_byte_that_changed_anywhere_is_noticed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = made(tmp_path_factory.mktemp("sealed") / "it", b"the words " * 30)
    raw = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(raw)
    with pytest.raises(FileUnusable):
        list(pieces(path, key=KEY))


@given(st.data())
def test_a_file_that_was_cut_anywhere_is_noticed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = made(tmp_path_factory.mktemp("sealed") / "it", b"the words " * 30)
    raw = path.read_bytes()
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw) - 1))])
    with pytest.raises(FileUnusable):
        list(pieces(path, key=KEY))


def test_pieces_that_changed_places_are_noticed(tmp_path: Path) -> None:
    path = made(tmp_path / "it", bytes(64) + b"\x01" * 64 + b"end")
    raw = path.read_bytes()
    start, piece = len(raw) - 2 * 80 - 19, 80
    path.write_bytes(raw[:start] + raw[start + piece : start + 2 * piece] + raw[start : start + piece] + raw[-19:])
    with pytest.raises(FileUnusable):
        list(pieces(path, key=KEY))


def test_another_key_opens_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileUnusable, match="another key"):
        list(pieces(made(tmp_path / "it", b"words"), key=bytes(32)))


def test_two_files_of_the_same_words_have_nothing_in_common(tmp_path: Path) -> None:
    one, other = (made(tmp_path / name, b"words " * 10).read_bytes() for name in ("one", "other"))
    assert one[-40:] != other[-40:]
    assert b"words" not in one


def test_a_file_that_could_not_be_finished_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), written(tmp_path / "it", head={}, key=KEY) as sealing:
        sealing.write(bytes([1 // sealing.size]))
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_can_t_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileUnusable, match="can't be written"), written(tmp_path / "no" / "it", head={}, key=KEY):
        pass
    with pytest.raises(FileUnusable, match="can't be read"):
        head_of(tmp_path / "no")


def test_lines_run_over_pieces() -> None:
    assert list(lines([b"a", b"b\nc\n", b"", b"d"])) == [b"ab", b"c", b"d"]
