""" "I left X" ends a home or a job: what is known tells which, and where nothing does a person is asked (R13, R16)."""

from datetime import timedelta

import pytest

from memoryhub.models import Entry, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Op, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

DAY = timedelta(days=1)


@pytest.mark.parametrize(("known", "key"), [("I live in Tallow", "city"), ("I work at Tallow", "employer")])
def test_what_is_known_tells_whether_a_home_or_a_job_was_left(ground: Ground, say: Say, known: str, key: str) -> None:
    (before,) = say(known, now=NOW - DAY).results
    (after,) = say("I left Tallow").results
    assert after.op == Op.QUEUED
    assert after.entry is not None
    assert (after.entry.key, after.entry.value) == (key, "not Tallow")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        item = ReviewItem.objects.get(entry=after.entry)
        assert (item.rival_id, item.rival.status if item.rival else None) == (
            before.entry.pk if before.entry else None, Status.ACCEPTED
        )  # fmt: skip


@pytest.mark.parametrize(
    "known",
    [(), ("I live in Merrow",), ("I live in Tallow", "I work at Tallow"), ("I live in Merrow", "I work at Copperline")],
)
def test_where_nothing_tells_it_waits_without_a_key_and_doubts_nothing(
    ground: Ground, say: Say, known: tuple[str, ...]
) -> None:
    for text in known:
        say(text, now=NOW - DAY)
    (after,) = say("I left Tallow").results
    assert after.op == Op.QUEUED
    assert after.entry is not None
    assert after.entry.key == ""
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.get(entry=after.entry).rival is None
        assert Entry.objects.filter(status=Status.ACCEPTED, contested=False).count() == len(known)


def test_the_old_home_is_closed_and_the_new_one_kept(ground: Ground, say: Say) -> None:
    say("I live in Tallow", now=NOW - DAY)
    (after,) = say("I no longer live in Tallow, I am in Merrow now").results
    assert after.op == Op.UPDATE
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        held = {entry.value: entry for entry in Entry.objects.filter(key="city")}
    assert (held["Merrow"].status, held["Tallow"].status) == (Status.ACCEPTED, Status.REPLACED)
    assert held["Tallow"].valid_to is not None
