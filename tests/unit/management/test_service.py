"""A child that should always run: started anew, ever more slowly while it keeps ending."""

import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from memoryhub.management import service
from memoryhub.management.service import Service
from memoryhub.providers import child_processes


def wait_for(what: str, condition: object) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return
        time.sleep(0.02)
    raise AssertionError(what)


def test_it_comes_back_and_pauses_longer_each_time(tmp_path: Path) -> None:
    failing = Service("web", [sys.executable, "-c", "raise SystemExit(3)"], folder=tmp_path)
    failing.start()
    pauses = []
    for _ in range(3):
        assert failing.process is not None
        failing.process.wait()
        failing.keep_up()  # notices
        assert failing.process is None
        pauses.append(failing._pause)
        failing.keep_up()  # too early
        assert failing.process is None
        failing._not_before = 0.0
        failing.keep_up()
    assert pauses == [1.0, 2.0, 4.0]
    assert failing.process is not None
    failing.process.wait()


def test_a_long_life_forgives_earlier_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settled = Service("web", [sys.executable, "-c", ""], folder=tmp_path)
    settled.start()
    settled._pause = 16.0
    monkeypatch.setattr(service, "SETTLED_AFTER", -1.0)
    assert settled.process is not None
    settled.process.wait()
    settled.keep_up()
    assert settled._pause == service.FIRST_PAUSE


def test_it_is_told_which_part_of_the_hub_it_is(tmp_path: Path) -> None:
    script = "import os, pathlib; pathlib.Path('told').write_text(os.environ['MEMORYHUB_PROCESS'])"
    told = Service("worker", [sys.executable, "-c", script], folder=tmp_path)
    told.start()
    assert told.process is not None
    told.process.wait()
    assert (tmp_path / "told").read_text() == "worker"


def test_a_restart_ends_grandchildren_too(tmp_path: Path) -> None:
    script = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); time.sleep(60)"
    stuck = Service("worker", [sys.executable, "-c", script], folder=tmp_path)
    stuck.start()
    assert stuck.process is not None
    parent = psutil.Process(stuck.process.pid)
    wait_for("a grandchild", lambda: parent.children())
    family = [parent, *parent.children()]
    stuck.restart("a test says so")
    _, alive = psutil.wait_procs(family, timeout=60)
    assert not alive
    assert stuck.process is None


def test_a_child_that_ignores_the_first_signal_is_ended(tmp_path: Path) -> None:
    script = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    )
    with (tmp_path / "said").open("wb") as output:
        deaf = child_processes.start([sys.executable, "-c", script], when_parent_dies=signal.SIGKILL, output=output)
    wait_for("the handler", lambda: (tmp_path / "said").read_text())
    child_processes.stop(deaf, first=signal.SIGTERM, wait=0.2)
    assert deaf.returncode == -signal.SIGKILL


def test_a_child_has_a_group_of_its_own(tmp_path: Path) -> None:
    child = child_processes.start(
        [sys.executable, "-c", "import time; time.sleep(60)"], when_parent_dies=signal.SIGKILL
    )
    assert os.getpgid(child.pid) == child.pid != os.getpgid(0)
    child_processes.stop(child, first=signal.SIGTERM, wait=5)
