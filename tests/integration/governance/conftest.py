"""An organisation to govern, and words offered to its gate."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from memoryhub.governance.intake import Outcome, Proposal, propose
from memoryhub.governance.subjects import readable
from memoryhub.models import Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Role
from tests.factories.ground import NOW, Ground, make_ground

Say = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    """These tests turn on words and rules; the model is tested where meaning matters."""
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def ground(db: None) -> Ground:
    return make_ground()


@pytest.fixture
def asha(ground: Ground) -> Subject:
    return ground.subject("asha")


@pytest.fixture
def say(ground: Ground, asha: Subject) -> Say:
    """Offer a text as the person's own words, unless told otherwise."""

    def offer(
        text: str,
        *,
        subject: Subject | None = None,
        channel: Channel = Channel.USER_MESSAGE,
        role: Role = Role.CUSTOMER,
        by: Principal | None = None,
        now: datetime = NOW,
        dry_run: bool = False,
        **wishes: Any,
    ) -> Outcome:
        about, who = subject or asha, by or ground.as_agent
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            within = readable(about)
        proposal = Proposal(subject=about, text=text, channel=channel, role=role, **wishes)
        with acting_for(who, subjects=within):
            return propose(proposal=proposal, by=who, now=now, dry_run=dry_run)

    return offer


@pytest.fixture
def everything(ground: Ground) -> Iterator[None]:
    """Read as the hub, across subjects, for looking at what came of it."""
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        yield
