"""What does an exported entry bring with it, when it comes back through the gate? Values only (R114)."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memoryhub import conf
from memoryhub.governance.claims import Claim, Classification
from memoryhub.models import Entry, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.vocabulary import Category, Channel, Form, Kind, Role, Sensitivity, Status

#: Who is believed more than somebody who speaks of themselves; a file that nobody vouches for is none of them.
_TRUSTED_ROLES: Final = frozenset({Role.CURATOR, Role.SYSTEM_OF_RECORD, Role.OPERATOR})
_TRUSTED_CHANNELS: Final = frozenset({Channel.CURATOR, Channel.SYSTEM_OF_RECORD, Channel.EVIDENCE})
#: What an entry gets back as it was, whoever vouches.
_KEPT: Final = (
    "valid_from", "valid_to", "recorded_at", "recorded_until", "last_confirmed_at", "confirmed_by", "review_by",
    "use_count", "last_used_at", "language", "contested", "entity", "single",
)  # fmt: skip


@dataclass(frozen=True)
class Restored:
    """An entry as an export told it. `id`: the one it had, or a new one where that is taken; `vouched`: the hub itself
    or a curator stands behind what the line says of its own trust; `offered_at`: when it first came in, as what was
    approved later is recorded later.
    """

    id: uuid.UUID
    vouched: bool
    status: Status
    kind: Kind
    category: Category
    sensitivity: Sensitivity
    confidence: float
    importance: float
    authority: float
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    recorded_until: datetime | None
    last_confirmed_at: datetime | None
    confirmed_by: str
    review_by: datetime | None
    expires_at: datetime
    offered_at: datetime
    entity: str = ""
    key: str = ""
    value: str = ""
    single: bool = False
    language: str = ""
    contested: bool = False
    use_count: int = 0
    last_used_at: datetime | None = None
    audience: Subject | None = None
    agent: uuid.UUID | None = None
    speaker_agent: uuid.UUID | None = None
    verified_by: str = ""
    supersedes: uuid.UUID | None = None
    event_refs: tuple[str, ...] = ()

    def claim(self, text: str, *, quote: str) -> Claim:
        """The one statement that it is (R1): what was extracted once is not extracted anew."""
        return Claim(
            text=text, quote=quote, form=Form.ASSERTION, entity=self.entity or "subject", key=self.key or None,
            value=self.value or None, single=self.single, valid_from=self.valid_from,
        )  # fmt: skip

    @property
    def classification(self) -> Classification:
        """What it is, as it was classified once; what nobody vouches for weighs by the table."""
        importance = self.importance if self.vouched else conf.IMPORTANCE[self.category]
        return Classification(
            kind=self.kind, category=self.category, sensitivity=self.sensitivity, confidence=self.confidence,
            importance=importance, authority=self.authority, durable=True,
            authority_claim=self.category in AUTHORITY_CATEGORIES,
        )  # fmt: skip

    def is_presumptuous(self, *, role: Role, channel: Channel) -> bool:
        """Whether the line asks for more trust than a person has who speaks of themselves."""
        return (
            role in _TRUSTED_ROLES
            or channel in _TRUSTED_CHANNELS
            or self.confirmed_by in _TRUSTED_ROLES
            or bool(self.verified_by)
            or self.category in AUTHORITY_CATEGORIES
            or self.authority > conf.AUTHORITY[channel]
            or self.confidence > conf.CONFIDENCE[Form.ASSERTION]
        )

    def humbled(self) -> "Restored":
        """The same as a document's text: what it said of its own trust is not believed."""
        return replace(
            self, authority=min(self.authority, conf.AUTHORITY[Channel.DOCUMENT]), last_confirmed_at=None,
            confirmed_by="", verified_by="", confidence=min(self.confidence, conf.CONFIDENCE[Form.ASSERTION]),
        )  # fmt: skip

    def put_on(self, entry: Entry) -> None:
        """Give a new entry, whose status and readers are decided, what it had. Without a voucher, lifetimes are at most
        those that a new entry has.
        """
        entry.pk = self.id
        for name in _KEPT:
            setattr(entry, name, getattr(self, name))
        entry.supersedes_id, entry.agent_id = self.supersedes, self.agent
        entry.authority = self.authority
        entry.expires_at = self.expires_at if self.vouched else min(self.expires_at, entry.expires_at)
