"""The bench of the pages measures every kind of call, and leaves nothing behind (U6, R90)."""

import pytest
from django.utils import timezone

from accounts.models import Organisation
from memoryhub.management import queue_bench
from memoryhub.tenancy import as_worker


@pytest.mark.usefixtures("committed_db")
def test_a_small_queue_and_a_page_of_little_are_measured_and_taken_away() -> None:
    figures = queue_bench.run(items=12, kept=24, calls=2, now=timezone.now(), said=lambda _: None)
    assert figures.waiting >= 5
    assert set(figures.times) >= {"list, 50 rows", "counts by type", "page of the list", "page of an item"}
    assert all(len(taken) == 2 and min(taken) > 0 for taken in figures.times.values())
    assert all(0 < size < 150_000 for size in figures.weights.values())
    assert figures.as_json()["waiting"] == figures.waiting
    own = figures.own
    assert own is not None
    assert (own.kept, own.versions) == (24, 30)
    assert set(own.times) == set(own.weights) >= {"the person's page", "its next page", "who used one of it"}
    assert own.statements["its next page"] <= own.statements["the person's page"] < 45
    assert any("the person's page" in line for line in figures.lines())
    with as_worker():
        assert not Organisation.objects.filter(slug__startswith="queue-bench").exists()
