"""Links that are kept and written together: in their order, one unbroken chain, or none of them (R103)."""

import contextlib

from memoryhub.governance import audit
from memoryhub.models import AuditEvent
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.ground import NOW, Ground


def note(ground: Ground, action: str) -> None:
    audit.record(by=ground.as_hub, now=NOW, action=action, object_kind="test", object_id="1")


def actions(ground: Ground) -> list[str]:
    rows = AuditEvent.objects.filter(organisation_id=ground.organisation.pk, object_kind="test")
    return list(rows.order_by("seq").values_list("action", flat=True))


def test_links_kept_together_stand_in_their_order_and_hold(ground: Ground) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        note(ground, "first")
        with audit.together():
            note(ground, "second")
            assert actions(ground) == ["first"]
            assert audit.record_all(by=ground.as_cal, now=NOW, rows=[audit.Row("third", "test", "1")]) == []
            note(ground, "fourth")
        note(ground, "fifth")
        assert actions(ground) == ["first", "second", "third", "fourth", "fifth"]
        actors = AuditEvent.objects.filter(object_kind="test").order_by("seq").values_list("actor", flat=True)
        assert actors[2] == ground.as_cal.label
        assert audit.first_broken_link(ground.organisation.pk) is None


def test_nobody_waits_for_the_end_of_the_chain_until_they_are_written(ground: Ground) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        with audit.together():
            note(ground, "kept")
            assert not audit.holds_the_end()
        assert audit.holds_the_end()


def test_what_fails_inside_writes_none_of_them(ground: Ground) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        with contextlib.suppress(RuntimeError), audit.together():
            note(ground, "kept")
            raise RuntimeError("on the way")
        note(ground, "after")
        assert actions(ground) == ["after"]
