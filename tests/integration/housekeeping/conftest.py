"""An organisation with a past, and housekeeping at any moment of its future."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from memoryhub.dreams.housekeeping import runs
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import Entry, Housekeeping, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import acting_for
from memoryhub.vocabulary import Category, Channel, Chore, Kind, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of

Tell = Callable[..., Entry]
Keep = Callable[..., Housekeeping]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def ground(db: None) -> Ground:
    return make_ground()


@pytest.fixture
def asha(ground: Ground) -> Subject:
    return ground.subject("asha")


@pytest.fixture
def tell(ground: Ground, asha: Subject) -> Tell:
    """Something the person said, at some time: the entry it became."""

    def told(text: str, *, about: Subject | None = None, now: datetime = NOW, **more: Any) -> Entry:
        subject = about or asha
        wanted = {"channel": Channel.USER_MESSAGE, "role": Role.CUSTOMER, **more}
        with acting_for(ground.as_agent, subjects=[subject.pk]):
            (result,) = propose(
                proposal=Proposal(subject=subject, text=text, **wanted), by=ground.as_agent, now=now
            ).results
        assert result.entry is not None, result
        return result.entry

    return told


@pytest.fixture
def episode(tell: Tell) -> Callable[..., Entry]:
    """A summary as a dream writes it, of a day."""

    def happened(text: str, *, on: datetime, **more: Any) -> Entry:
        return tell(
            f"{on.date().isoformat()}, 1 turn: {text}", now=on, said_at=on, channel=Channel.DREAM, role=Role.DREAMER,
            kind=Kind.EPISODIC, category=Category.EPISODE_OUTCOME, session_ref=f"s-{on.isoformat()}", **more,
        )  # fmt: skip

    return happened


@pytest.fixture
def keep(ground: Ground) -> Keep:
    """One job, run to its end as of a moment."""

    def run(chore: Chore, as_of: datetime) -> Housekeeping:
        done = runs.keep_now(chore=chore, organisation=ground.organisation.pk, as_of=as_of)
        assert done.failure == ""
        return done

    return run


@pytest.fixture
def look(ground: Ground) -> Callable[[Entry], Entry]:
    """An entry as it is by now."""

    def fresh(entry: Entry) -> Entry:
        with all_of(ground):
            return Entry.objects.select_related("provenance").get(pk=entry.pk)

    return fresh
