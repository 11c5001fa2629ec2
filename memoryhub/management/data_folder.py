"""Is the data folder fit to start on, and ours alone? Made, writable, with room, and locked for as long as we run."""

import errno
import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO

from memoryhub.errors import HubError

ROOM_AT_FIRST = 200  # megabytes: a fresh embedded database takes about 65, its log grows beside it
ROOM_LATER = 32  # megabytes, below which PostgreSQL would soon stop in mid-write


class CannotStart(HubError):
    """The hub can't start; the sentence says why and what to do."""

    code = "cannot_start"


def open_for_use(folder: Path) -> IO[str]:
    """Make the folder if needed, check it, and lock it; the lock holds as long as the returned file is open.

    Raises CannotStart when it can't be made, written or locked, or is nearly full.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 65536)
            probe.flush()
        lock = (folder / "lock").open("a+")
    except OSError as error:
        raise CannotStart(_why_not(folder, error)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        other = lock.read().strip()
        lock.close()
        raise CannotStart(
            f"A hub is already running on the data folder {folder}{f' (process {other})' if other else ''}. "
            "Stop it first, or set MEMORYHUB_DATA_DIR to another folder."
        ) from error
    try:
        _check_room(folder, first=not (folder / "secrets.json").exists())
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
    except BaseException:
        lock.close()
        raise
    return lock


def _check_room(folder: Path, *, first: bool) -> None:
    needed = ROOM_AT_FIRST if first else ROOM_LATER
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < needed:
        raise CannotStart(
            f"The disk under the data folder {folder} has {free} MB left; {needed} MB are needed to start. "
            "Free some space, or set MEMORYHUB_DATA_DIR to a folder on another disk."
        )


def _why_not(folder: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        reason = "the disk is full"
    elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        reason = "it can't be written to"
    elif error.errno in (errno.ENOTDIR, errno.EEXIST):
        reason = "a file is in the way"
    else:
        reason = error.strerror or "the system gave no reason"
    return f"The data folder {folder} can't be used: {reason}. Set MEMORYHUB_DATA_DIR to a folder that can."
