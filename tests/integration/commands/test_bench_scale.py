"""bench_scale, small: both stores are loaded, asked and compared, and nothing is left of them."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own: its parents are closed to the user that the database runs as."""
    path = Path(tempfile.mkdtemp(prefix="memoryhub-scale-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.mark.long
def test_a_small_run_loads_asks_compares_and_clears_away(folder: Path) -> None:
    written = folder / "figures.json"
    size = ["--small", "5", "--subjects", "90", "--each", "200", "--big", "2000", "--rounds", "5", "--questions", "4"]
    done = subprocess.run(
        [sys.executable, "manage.py", "bench_scale", *size, "--folder", str(folder), "--json", str(written)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures = json.loads(written.read_text())
    assert figures["loading"]["large"]["entries"] == 20_000
    assert {each["calls"] for each in figures["milliseconds"].values()} == {5}
    assert 0.9 <= figures["recall_of_exact"] <= 1.0
    assert len(figures["goals"]) == 3
    assert list(folder.iterdir()) == [written]
