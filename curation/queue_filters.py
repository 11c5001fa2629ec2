"""Which part of the queue is looked at? All of it is in the address: every filter, and the place in the list.

The list and one item of it read the same address, so going back finds the same rows, the same place and the same
selection (R92).
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict

from curation.typed import as_typed, uuid_of
from memoryhub import conf
from memoryhub.governance import review_queue
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.why_here import MEDIUM_FROM
from memoryhub.models import Entry, ReviewItem
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Reason, ReviewType

AGES: Final = {"1": "a day", "3": "three days", "7": "a week", "30": "a month"}  # waiting for at least so many days
CERTAINTIES: Final = ("low", "medium", "high")
#: Whose items are shown. As it is opened: what is mine or nobody's.
CLAIMS: Final = {"mine": "Mine only", "all": "Everybody's"}
#: How it stands with an item, beside waiting. As the queue is opened: everything but what is put off.
STANDINGS: Final = {"late": "Late", "escalated": "Escalated", "asked": "The person is asked", "snoozed": "Snoozed"}
PLACE: Final = ("all", "after", "selected")  # where somebody is in the list; no filter
MAX_PLACE: Final = 4000  # characters: a page of selected items, several times over


@dataclass(frozen=True)
class Filters:
    """What the queue is narrowed to; an empty word is no filter. `all`, `after` and `selected` are the place."""

    type: str = ""
    subject: str = ""
    agent: str = ""
    group: str = ""
    kind: str = ""
    reason: str = ""
    age: str = ""
    certainty: str = ""
    claims: str = ""
    standing: str = ""
    q: str = ""
    all: str = ""  # set: everything, and not the view somebody begins with
    after: str = ""
    selected: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        """The filters of an address; what is no known word of one is left out."""
        most = dict.fromkeys(PLACE, MAX_PLACE)
        typed = {
            name: as_typed(query.get(name, ""), most=most.get(name, conf.MAX_EXTERNAL_ID))
            for name in (field.name for field in fields(cls))
        }
        known = {
            "type": ReviewType.values, "kind": Kind.values, "reason": Reason.values, "age": AGES,
            "certainty": CERTAINTIES, "claims": CLAIMS, "standing": STANDINGS, "all": ("yes",),
        }  # fmt: skip
        for name, words in known.items():
            if typed[name] not in words:
                typed[name] = ""
        typed["group"] = str(uuid_of(typed["group"]) or "")
        return cls(**typed)

    @property
    def given(self) -> dict[str, str]:
        """The filters that are set, without the place."""
        return {name: word for name, word in self._all().items() if word and name not in PLACE}

    @property
    def narrowed(self) -> bool:
        """Whether a filter of the form is set; the type is chosen in the tabs."""
        return bool(self.given.keys() - {"type"})

    @property
    def query(self) -> str:
        """The filters as an address has them, with a "?" where there are any."""
        return _address(self.given)

    @property
    def plain(self) -> str:
        """The filters as a saved view holds them."""
        return self.query.removeprefix("?")

    @property
    def place(self) -> str:
        """The filters and the place in the list, as an address has them."""
        return _address({name: word for name, word in self._all().items() if word})

    @property
    def chosen(self) -> frozenset[str]:
        """The short ids of the items that are selected."""
        return frozenset(word for word in self.selected.split(".") if word)

    def only(self, **changes: str) -> "Filters":
        """The same with other words."""
        return replace(self, **changes)

    def waiting(self, *, by: Principal, now: datetime) -> QuerySet[ReviewItem]:
        """What waits and fits, in the order of turns; of every type, so that the types can be counted."""
        until = now - timedelta(days=int(self.age)) if self.age else None
        standing: dict[str, Any] = {self.standing: True} if self.standing else {}
        if self.standing == "asked":  # it rests until the answer
            standing["snoozed"] = None
        items = review_queue.waiting(
            by=by, subject=self.subject or None, agent=self.agent or None, group=uuid_of(self.group),
            kind=self.kind or None, reason=self.reason or None, until=until, now=now,
            person=by.user if self.claims != "all" else None, **standing,
        )  # fmt: skip
        if self.claims == "mine":
            items = items.filter(claimed_at__gt=now - conf.CLAIM_LIFETIME, claimed_by=by.user)
        if self.certainty:
            items = items.filter(_certain(self.certainty, by=by))
        return items.filter(_words(self.q)) if self.q else items

    def of_type(self, items: QuerySet[ReviewItem]) -> QuerySet[ReviewItem]:
        """Of what waits, the type that is chosen."""
        return items.filter(type=self.type) if self.type else items

    def _all(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def short(item: ReviewItem) -> str:
    """An item's id as a selection in the address has it."""
    return item.pk.hex[-12:]


def _certain(word: str, *, by: Principal) -> Q:
    high = in_force(by.organisation).commit_at
    bounds = {
        "low": Q(entry__confidence__lt=MEDIUM_FROM),
        "medium": Q(entry__confidence__gte=MEDIUM_FROM, entry__confidence__lt=high),
        "high": Q(entry__confidence__gte=high),
    }
    return bounds[word]


def _words(text: str) -> Q:
    """Items whose claim, skill or person holds the words as they stand."""
    of_entry = Entry.objects.filter(pk=OuterRef("entry_id")).filter(
        Q(content__icontains=text) | Q(value__icontains=text) | Q(key__icontains=text)
    )
    return (
        Exists(of_entry)
        | Q(skill__name__icontains=text)
        | Q(skill__description__icontains=text)
        | Q(subject__external_id__icontains=text)
        | Q(subject__display_name__icontains=text)
    )


def _address(words: dict[str, str]) -> str:
    return f"?{urlencode(words)}" if words else ""
