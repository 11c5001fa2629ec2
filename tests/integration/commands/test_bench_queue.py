"""The bench of the queue measures every kind of call, and leaves nothing behind (U6)."""

import pytest
from django.utils import timezone

from accounts.models import Organisation
from memoryhub.management import queue_bench
from memoryhub.tenancy import as_worker


@pytest.mark.usefixtures("committed_db")
def test_a_small_queue_is_measured_and_taken_away() -> None:
    figures = queue_bench.run(items=12, calls=2, now=timezone.now(), said=lambda _: None)
    assert figures.waiting >= 5
    assert set(figures.times) >= {"list, 50 rows", "counts by type", "page of the list", "page of an item"}
    assert all(len(taken) == 2 and min(taken) > 0 for taken in figures.times.values())
    assert all(0 < size < 150_000 for size in figures.weights.values())
    assert figures.as_json()["waiting"] == figures.waiting
    with as_worker():
        assert not Organisation.objects.filter(slug__startswith="queue-bench").exists()
