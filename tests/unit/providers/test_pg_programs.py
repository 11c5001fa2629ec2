"""A program that is fed may end before it has had all: nothing is left open, and its own word decides."""

import gc
import sys
import tempfile
import warnings

import pytest

from memoryhub.providers import pg_programs
from memoryhub.providers.database import DatabaseUnusable

PIECES = [b"x" * 100_000] * 20  # more than a pipe holds


def test_one_that_has_enough_leaves_nothing_open() -> None:
    with warnings.catch_warnings(), tempfile.TemporaryFile() as told:
        warnings.simplefilter("error")
        command = [sys.executable, "-c", "import sys; sys.stdin.buffer.read(10); print('enough')"]
        pg_programs._run(command, PIECES, {}, to=told)
        gc.collect()
        told.seek(0)
        assert told.read() == b"enough\n"


def test_one_that_fails_is_quoted() -> None:
    command = [sys.executable, "-c", "import sys; print('pg: error: no such thing', file=sys.stderr); sys.exit(1)"]
    with pytest.raises(DatabaseUnusable, match="no such thing"):
        pg_programs._run(command, PIECES, {}, to=None)


def test_where_what_it_is_fed_ends_in_an_error_it_is_ended_too() -> None:
    def torn() -> object:
        yield PIECES[0]
        raise ValueError("torn")

    with pytest.raises(ValueError, match="torn"):
        pg_programs._run([sys.executable, "-c", "import sys; sys.stdin.read()"], torn(), {}, to=None)  # type: ignore[arg-type]
