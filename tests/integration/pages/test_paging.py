"""Every long list says so when its address was tampered with; no mark breaks a page."""

import pytest

from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn

LAST = "~00000000-0000-0000-0000-000000000001"
MARKS = [f"0001-01-01T00:00:00+23:59{LAST}", f"9999-12-31T23:59:59-23:59{LAST}", "~", "x" * 5000, "\x00"]


@pytest.mark.parametrize("mark", MARKS, ids=["before all time", "after all time", "empty", "long", "NUL"])
def test_no_mark_breaks_a_list(visitors: Visitors, signed_in: SignedIn, mark: str) -> None:
    curator, operator = signed_in(visitors.cal), signed_in(visitors.olu)
    for path in ("/queue/", "/decisions/", "/memories/", "/subjects/", "/skills/", "/recalls/", "/dreams/"):
        assert curator.get(path, {"after": mark, "all": "yes"}).status_code in (200, 302, 404, 422), path
    for path in ("/agents/", "/jobs/", "/policy/"):
        assert operator.get(path, {"after": mark, "below": mark}).status_code in (200, 302, 403, 404, 422), path
    assert operator.get("/audit/", {"before": mark, "from": mark}).status_code in (200, 404, 422)
    mira = signed_in(visitors.mira_user)
    for path in ("/me/", "/me/conversations/"):
        assert mira.get(path, {"after": mark}).status_code in (200, 404, 422), path
