"""Which filters does a curator come back to, and how do they like to work? (R92)

Views and preferences are each person's own; a view may be shared with the organisation's curators.
"""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from memoryhub import conf
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit, opening, staff_words
from memoryhub.models import Preferences, SavedView
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Density

MAX_NAME: Final = 60
MAX_QUERY: Final = 500
TAKEN: Final = "name_taken"


@transaction.atomic
def save(
    *, name: str, query: str, by: Principal, now: datetime, shared: bool = False, is_default: bool = False,
    replaces: bool = False,
) -> SavedView:  # fmt: skip
    """Keep these filters under a name. `is_default`: the one its owner begins with, one at most. Raises Invalid for a
    name that can't be kept, with the code TAKEN for one that a view of one's own has already (`replaces`: that is
    meant), for too long a query, and for more than conf.VIEWS_EACH."""
    check_may(by, "read_queue")
    owner = opening.named(by)
    name = staff_words.kept(name, field="name", most=MAX_NAME, by=by)
    query = "".join(char for char in query if char.isprintable()).lstrip("?")
    if len(query) > MAX_QUERY:
        raise Invalid(errors={"query": ["These are more filters than a view holds."]})
    own = SavedView.objects.select_for_update().filter(organisation_id=by.organisation, owner=owner)
    if not replaces and own.filter(name=name).exists():
        raise Invalid(errors={"name": [f"You have a view called “{name}” already."]}, code=TAKEN)
    if own.exclude(name=name).count() >= conf.VIEWS_EACH:
        raise Invalid(errors={"name": [f"You have {conf.VIEWS_EACH} views; remove one first."]})
    if is_default:
        own.exclude(name=name).update(is_default=False)
    view, _ = SavedView.objects.update_or_create(
        organisation_id=by.organisation, owner_id=owner, name=name,
        defaults={"query": query, "shared": shared, "is_default": is_default, "changed_at": now},
    )  # fmt: skip
    audit.record(by=by, now=now, action="view.save", object_kind="saved_view", object_id=view.pk)
    return view


@transaction.atomic
def remove(*, view_id: uuid.UUID | str, by: Principal, now: datetime) -> None:
    """Forget a view of one's own. Raises NotFound for anybody else's."""
    view = SavedView.objects.filter(organisation_id=by.organisation, owner=by.user, pk=view_id).first()
    if view is None:
        raise NotFound
    audit.record(by=by, now=now, action="view.remove", object_kind="saved_view", object_id=view.pk)
    view.delete()


def of(by: Principal) -> list[SavedView]:
    """One's own views and those that others share, by name; one's own first."""
    views = SavedView.objects.filter(Q(owner=by.user) | Q(shared=True), organisation_id=by.organisation)
    found = views.select_related("owner").order_by("name", "id")
    return sorted(found, key=lambda view: view.owner_id != by.user)


def own(name: str, *, by: Principal) -> SavedView | None:
    """One's own view of that name."""
    return SavedView.objects.filter(organisation_id=by.organisation, owner=by.user, name=name).first()


def preferences_of(by: Principal) -> Preferences:
    """How the person behind `by` likes to work; what is shipped where they said nothing."""
    found = Preferences.objects.filter(organisation_id=by.organisation, user=by.user).first()
    return found or Preferences(organisation_id=by.organisation)


@transaction.atomic
def prefer(*, by: Principal, now: datetime, shortcuts: bool | None = None, density: str | None = None) -> Preferences:
    """Say how one likes to work; None leaves a choice as it is. Raises Invalid for an unknown density."""
    person = opening.named(by)
    if density is not None and density not in Density.values:
        raise Invalid(errors={"density": [f"One of: {', '.join(Density.values)}."]})
    wanted = {"shortcuts": shortcuts, "density": density}
    chosen = {name: value for name, value in wanted.items() if value is not None} | {"changed_at": now}
    preferences, _ = Preferences.objects.update_or_create(
        organisation_id=by.organisation, user_id=person, defaults=chosen
    )
    audit.record(by=by, now=now, action="preferences.save", object_kind="preferences", object_id=preferences.pk)
    return preferences
