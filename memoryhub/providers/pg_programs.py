"""How is the whole database written out and read in? PostgreSQL's own programs, found and run without a word in `ps`.

The wheel brings them; for a server that is newer than the wheel, MEMORYHUB_PG_BIN names the folder of newer ones.
"""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

from psycopg import conninfo

from memoryhub.providers.database import DatabaseUnusable, Parameters, connect
from memoryhub.providers.embedded_postgres import programs

_PIECE: Final = 256 * 1024


def find(name: str, *, server: int, folder: str = "") -> Path:
    """The program `name` of a major version that can talk to a server of version `server` (as 18). DatabaseUnusable
    where there is none, with what was found.
    """
    seen = []
    for path in _candidates(name, folder):
        major = _major(path)
        if major >= server:
            return path
        seen.append(f"{path} is {major or 'none'}")
    found = "; ".join(seen) or "none was found"
    raise DatabaseUnusable(
        f"The database is PostgreSQL {server}, which needs {name} {server} or newer ({found}). Install PostgreSQL's "
        "client programs of that version and name their folder in MEMORYHUB_PG_BIN."
    )


def server_version(parameters: Parameters) -> int:
    """The server's major version."""
    with connect(parameters) as asked:
        return asked.info.server_version // 10_000


def dump(parameters: Parameters, *, program: Path, without_rows: Sequence[str]) -> Iterator[bytes]:
    """The whole database in pg_dump's own format, piece by piece. Rows of `without_rows` stay out, their tables don't.

    Row-level security is off: a role that it holds gets an error here, never a part of the rows. DatabaseUnusable.
    """
    command = [
        str(program),
        "--format=custom",
        "--no-owner",
        "--no-password",
        *(f"--exclude-table-data={t}" for t in without_rows),
    ]
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(
            [*command, f"--dbname={_without_password(parameters)}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=said, env=_environment(parameters),
        )  # fmt: skip
        assert running.stdout is not None
        try:
            while piece := running.stdout.read(_PIECE):
                yield piece
            if running.wait():
                raise DatabaseUnusable(f"The database could not be written out: {_last(said)}")
        finally:
            running.stdout.close()
            if running.poll() is None:
                running.kill()
                running.wait()


def load(parameters: Parameters, *, program: Path, role: str, pieces: Callable[[], Iterable[bytes]]) -> None:
    """Read into an empty database what `dump` gave, which `pieces` gives as often as it is called: all of it or
    nothing, every object `role`'s. What rights a former owner had objects made with is left out: they name that owner,
    and `role` has its own. DatabaseUnusable.
    """
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as wanted, tempfile.TemporaryFile() as listed:
        _run([str(program), "--list"], pieces(), parameters, to=listed)
        listed.seek(0)
        wanted.writelines(line for line in map(bytes.decode, listed) if " DEFAULT ACL " not in line)
        wanted.flush()
        command = [
            str(program), "--exit-on-error", "--single-transaction", "--no-owner", "--no-comments", "--no-password",
            f"--role={role}", f"--use-list={wanted.name}", f"--dbname={_without_password(parameters)}",
        ]  # fmt: skip
        _run(command, pieces(), parameters, to=None)


def _run(command: Sequence[str], pieces: Iterable[bytes], parameters: Parameters, *, to: IO[bytes] | None) -> None:
    """A program that is fed; it may end before it has had all. Raises DatabaseUnusable with what it says."""
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=to or subprocess.DEVNULL, stderr=said, env=_environment(parameters)
        )
        assert running.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):  # it ended, and said why
                for piece in pieces:
                    running.stdin.write(piece)
        except BaseException:
            running.kill()
            running.wait()
            raise
        finally:
            with contextlib.suppress(BrokenPipeError):  # what it did not want is still to be written
                running.stdin.close()
        if running.wait():
            raise DatabaseUnusable(f"The database could not be read in: {_last(said)}")


def _candidates(name: str, folder: str) -> Iterator[Path]:
    if folder:
        yield Path(folder) / name
    with contextlib.suppress(DatabaseUnusable):
        yield programs() / name
    if (other := shutil.which(name)) is not None:
        yield Path(other)


def _major(path: Path) -> int:
    """The program's major version; 0 where it does not run."""
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(r"(\d+)(?:\.\d+|devel|beta\d+|rc\d+)?\s*(?:\(.*\))?$", told.strip())
    return int(found.group(1)) if found else 0


def _without_password(parameters: Parameters) -> str:
    """A command line is anybody's to read."""
    return conninfo.make_conninfo("", **{name: value for name, value in parameters.items() if name != "password"})


def _environment(parameters: Parameters) -> dict[str, str]:
    own = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LC_ALL": "C",
        "TZ": "UTC",
        "HOME": os.environ.get("HOME", "/"),
    }
    return own | ({"PGPASSWORD": parameters["password"]} if parameters.get("password") else {})


def _last(said: IO[bytes]) -> str:
    """The first line that tells of an error; what rows hold is never in those of these two programs' own."""
    said.seek(0)
    told = [line for line in said.read().decode(errors="replace").splitlines() if "error:" in line]
    return (told or ["no reason was given"])[0].split("error:", 1)[-1].strip()[:300]
