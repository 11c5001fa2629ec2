"""A hub of its own processes, one for all tests of a file that look at it from outside."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests import migrated
from tests.integration.hub_process import HubProcess


@pytest.fixture(scope="module")
def hub(django_db_blocker: DjangoDbBlocker) -> Iterator[HubProcess]:
    """It serves on a data folder as one that was started before: from nothing it would take minutes on a busy machine.

    Not in pytest's own folder, whose parents are closed to the user that the database runs as.
    """
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-hub-"))
    with django_db_blocker.unblock():
        migrated.copy_to(folder / "data")
    running = HubProcess(folder / "data")
    try:
        running.wait_until_it_answers()
        yield running
    finally:
        running.end()
        shutil.rmtree(folder, ignore_errors=True)
