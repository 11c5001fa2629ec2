"""What is a claim, and what is known of it? The values that the steps of the gate hand on (R1, R13, R14)."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from memoryhub.governance.authority import Told
from memoryhub.vocabulary import Category, Form, Kind, Reason, Sensitivity


@dataclass(frozen=True)
class Claim:
    """One statement (R1). `text`: in the speaker's own words; `value`: with its polarity; `closes`: values it ends
    under the key. `either`: the keys one of which it may end them under, where the words don't say which.
    """

    text: str
    quote: str
    form: Form
    entity: str = "subject"
    key: str | None = None
    value: str | None = None
    single: bool = True
    closes: tuple[str, ...] = ()
    ends_key: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    durable: bool = True
    about_other: bool = False
    category_hint: Category | None = None
    either: tuple[str, ...] = ()
    language: str | None = None  # of its words, where the rules do not read them; None: they were read

    @cached_property
    def told(self) -> Told:
        """What its words give its speaker, found once for all the steps that ask."""
        return Told(self.text)


@dataclass(frozen=True)
class Extraction:
    """Every claim of a text, or why there is none; `language` is its ISO code. `unread` is how many characters were
    left unread because the text makes more claims than one message has.
    """

    claims: tuple[Claim, ...]
    reason: Reason | None
    detail: str
    language: str
    unread: int = 0


@dataclass(frozen=True)
class Reading:
    """What the grammar makes of one clause, before dates, text and form are put to it."""

    key: str | None = None
    value: str | None = None
    single: bool = True
    closes: tuple[str, ...] = ()
    ends_key: bool = False
    entity: str = "subject"
    durable: bool = True
    form: Form | None = None
    about_other: bool = False
    changed: bool = False
    recurring: bool = False  # the day it names comes round: no one day is meant
    passing: bool = False  # it holds for the stretch of time it names
    either: tuple[str, ...] = ()
    category_hint: Category | None = None


@dataclass(frozen=True)
class Classification:
    """What a claim is. `importance` and `authority` are R32's; `authority_claim`: a limit, right or verified identity
    is claimed.
    """

    kind: Kind
    category: Category
    sensitivity: Sensitivity
    confidence: float
    importance: float
    authority: float
    durable: bool
    authority_claim: bool
    about_other: bool = False
