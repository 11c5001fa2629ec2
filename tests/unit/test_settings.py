"""Settings that can't be used stop the start with a sentence that says what they take."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from memoryhub import settings

NAME = "MEMORYHUB_TRIED"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", ""),
        ("  ", ""),
        ("https://models.example/v1", "https://models.example/v1"),
        ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"),
        ("http://[::1]:11434", "http://[::1]:11434"),
    ],
)
def test_a_base_url_is_read_without_its_last_stroke(monkeypatch: pytest.MonkeyPatch, value: str, expected: str) -> None:
    monkeypatch.setenv(NAME, value)
    assert settings._endpoint(NAME) == expected


@pytest.mark.parametrize(
    "value",
    [
        "models.example/v1", "ftp://models.example", "https://", "https://models.example:x/v1", "file:///etc/passwd",
        "https://anna:Tulpe88@models.example/v1", "https://models.example/v1?key=Tulpe88", "https://m.example/#Tulpe88",
        "https://modèles.example/v1", "https://[::1/v1", "https://models.example:0/v1",
    ],
)  # fmt: skip
def test_what_is_no_base_url_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=rf"^{NAME} is no base URL like https://") as refused:
        settings._endpoint(NAME)
    assert "Tulpe88" not in str(refused.value)


def test_a_file_is_named_by_its_whole_path_and_has_to_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("k")
    monkeypatch.setenv(NAME, str(file))
    assert settings._file(NAME) == file
    monkeypatch.setenv(NAME, "")
    assert settings._file(NAME) is None
    monkeypatch.chdir(tmp_path)
    for value in ("key", str(tmp_path), str(tmp_path / "none")):
        monkeypatch.setenv(NAME, value)
        with pytest.raises(ImproperlyConfigured, match="it takes the whole path of a file that is there"):
            settings._file(NAME)


def test_an_endpoint_without_a_model_stops_the_start(tmp_path: Path) -> None:
    told = _start(tmp_path, MEMORYHUB_EXTRACTOR_URL="http://127.0.0.1:1/v1")
    assert "MEMORYHUB_EXTRACTOR_MODEL is empty; name the model to ask" in told


def test_the_seconds_are_a_number_in_bounds(tmp_path: Path) -> None:
    told = _start(tmp_path, MEMORYHUB_EXTRACTOR_SECONDS="0")
    assert "MEMORYHUB_EXTRACTOR_SECONDS is '0'; it takes a whole number from 1 to 60." in told


def _start(data: Path, **environment: str) -> str:
    """What a process says that reads the settings in this environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMORYHUB_")}
    ended = subprocess.run(
        [sys.executable, "-c", "import memoryhub.settings"], cwd=settings.BASE_DIR, capture_output=True, text=True,
        env={**kept, "MEMORYHUB_DATA_DIR": str(data), **environment}, check=False,
    )  # fmt: skip
    assert ended.returncode != 0
    return ended.stderr
