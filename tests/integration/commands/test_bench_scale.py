"""bench_scale, small: both stores are loaded, asked and compared, and nothing is left of them."""

import json
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest
from django.conf import settings
from django.db import connection

from memoryhub.management import scale_load
from memoryhub.management.scale_load import NotEmpty, Sample, Store
from tests.cast import Cast

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own: its parents are closed to the user that the database runs as."""
    path = Path(tempfile.mkdtemp(prefix="memoryhub-scale-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def test_nothing_is_loaded_where_anything_is_remembered(committed_db: None) -> None:
    assert Cast().say("I prefer oat milk.").ops == ["ADD"]
    login = settings.MEMORYHUB_LOGINS.administrator | {"dbname": settings.DATABASES["default"]["NAME"]}
    nothing = Sample([], numpy.zeros((0, 384), dtype=numpy.float32))
    with pytest.raises(NotEmpty, match="an empty one alone"):
        scale_load.load(Store(1, 1), nothing, organisation=uuid.uuid4(), administrator=login, seed=1, said=print)


@pytest.mark.parametrize(("table", "columns"), scale_load.LOADED.items())
def test_what_the_database_asks_for_is_loaded(committed_db: None, table: str, columns: dict[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
            " AND attnotnull AND NOT atthasdef AND attgenerated = '' AND attidentity = ''",
            [table],
        )
        needed = {name for (name,) in cursor.fetchall()}
    assert needed <= set(columns)


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
    assert 0.9 <= figures["recall_of_exact"]["score"] <= 1.0
    assert 0.0 <= figures["recall_of_exact"]["relevance"] <= 1.0
    assert len(figures["goals"]) == 3
    assert list(folder.iterdir()) == [written]
