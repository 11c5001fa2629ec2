"""How does a process that we start end? Never after us, and never by a signal meant for our group.

Each child gets a session of its own, so Ctrl-C in the terminal and a SIGTERM to our group reach us alone and we stop
the children in order. On Linux the kernel also signals the child when we die without a word (SIGKILL, out of memory).
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def signal_when_parent_dies(number: int) -> None:
    """Ask the kernel to send this process `number` when the thread that started it ends. Nothing outside Linux."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)


def start(
    command: Sequence[str],
    *,
    when_parent_dies: int,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    output: IO[bytes] | None = None,
    errors: IO[bytes] | None = None,
    user: int | None = None,
    group: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own; call from the main thread, since the kernel watches the starting thread.

    `output` and `errors` take its streams (default: ours). `user` and `group` are ids, for a parent that is root.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        env=None if environment is None else dict(environment),
        cwd=folder,
        user=user,
        group=group,
        extra_groups=None if user is None else [],
        start_new_session=True,
        preexec_fn=_in_child(os.getpid(), when_parent_dies),  # (no threads hold locks at this point)
    )


def _in_child(parent: int, when_parent_dies: int) -> Callable[[], None]:
    def prepare() -> None:
        signal_when_parent_dies(when_parent_dies)
        if os.getppid() != parent:  # it died before the kernel was asked
            os._exit(1)

    return prepare


def stop(child: subprocess.Popen[bytes], *, first: int, wait: float) -> None:
    """Ask the child itself with the signal `first`; after `wait` seconds end its whole group."""
    ask(child, first)
    finish(child, wait=wait)


def ask(child: subprocess.Popen[bytes], number: int) -> None:
    """Signal the child alone, not its group: some supervisors never stop when their own children get it too."""
    if child.poll() is None:
        child.send_signal(number)


def finish(child: subprocess.Popen[bytes], *, wait: float) -> None:
    """Wait for the child's end, at most `wait` seconds; then end whatever is left of its group."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=wait)
    end_group(child)
    child.wait()


def end_group(child: subprocess.Popen[bytes]) -> None:
    """SIGKILL to all that is left in the child's group; it may have left grandchildren behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody left; macOS: EPERM for a group of zombies
        os.killpg(child.pid, signal.SIGKILL)
