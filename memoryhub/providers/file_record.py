"""What does a record in a file say? A pattern with one group, over a small text inside an allowed folder."""

import os
import stat
from pathlib import Path
from typing import Final

import regex

from memoryhub.providers.http_record import Unreadable

PATTERN_TIME: Final = 0.25  # seconds; matching holds the interpreter, so it is far less than the time box
MAX_PATTERN: Final = 500  # characters


def compiled(pattern: str) -> regex.Pattern[str]:
    """The pattern, `^` and `$` at line ends. Raises ValueError when it is none, too long, or has not exactly one
    group."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"a pattern may have at most {MAX_PATTERN} characters")
    try:
        found = regex.compile(pattern, regex.MULTILINE)
    except regex.error as error:
        raise ValueError("it is no regular expression") from error
    if found.groups != 1:
        raise ValueError("a pattern needs exactly one group: the value")
    return found


def find(path: str, pattern: str, *, roots: tuple[Path, ...], max_bytes: int) -> str | None:
    """The one value the pattern finds in the file, None when it finds none. Raises Unreadable."""
    return search(read(path, roots=roots, max_bytes=max_bytes), pattern)


def search(text: str, pattern: str) -> str | None:
    """The one value that the pattern's group has, however often. Raises Unreadable for several, and out of time."""
    values: set[str] = set()
    try:
        for match in compiled(pattern).finditer(text, timeout=PATTERN_TIME):
            if (value := (match[1] or "").strip()) and len(values) < 2:
                values.add(value)
            elif len(values) > 1:
                break
    except TimeoutError as error:
        raise Unreadable("its pattern takes too long on that file") from error
    except ValueError as error:
        raise Unreadable("its pattern can't be used") from error
    if len(values) > 1:
        raise Unreadable("its pattern finds several values")
    return values.pop() if values else None


def read(path: str, *, roots: tuple[Path, ...], max_bytes: int) -> str:
    """The text of a regular file inside a root, links followed first. Raises Unreadable."""
    if not roots:
        raise Unreadable("no folder is allowed; set MEMORYHUB_RECORD_ROOTS")
    if "\x00" in path:
        raise Unreadable("there is no such file in an allowed folder")
    for root in roots:
        real = Path(os.path.realpath(root / path))  # an absolute path replaces the root, and is judged all the same
        if real.is_relative_to(os.path.realpath(root)) and os.path.lexists(real):
            return _text_of(real, max_bytes)
    raise Unreadable("there is no such file in an allowed folder")


def _text_of(real: Path, max_bytes: int) -> str:
    """Opened without waiting (a pipe has no writer) and without following a link put there since it was judged."""
    try:
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable("it can't be opened") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Unreadable("it is no regular file")
    with os.fdopen(handle, "rb") as file:
        if os.path.realpath(real) != str(real):
            raise Unreadable("it moved while it was opened")
        body = file.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise Unreadable(f"it is larger than {max_bytes // 1024} KB")
    if b"\x00" in body:
        raise Unreadable("it is no text")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("it is no text in UTF-8") from error
