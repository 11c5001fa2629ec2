"""Which rows come next? Opaque signed cursors over an order that ends in a unique id (api.md, habits).

A cursor holds the last row's place in the order and a digest of the list it belongs to, so it can neither be invented
nor carried to another list. Rows that arrive meanwhile never shift a page.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet

from memoryhub import conf
from memoryhub.errors import Invalid

SALT: Final = "memoryhub.api.cursor"
M = TypeVar("M", bound=Model)


def page(
    rows: QuerySet[M],
    *,
    order: tuple[str, ...],
    query: Mapping[str, Any],
    name: str,
    render: Callable[[list[M]], list[dict[str, Any]]],
) -> dict[str, Any]:
    """One page of `rows` as `{"items": …, "next": …}`.

    `order` names the fields, all descending when they start with "-", all ascending otherwise; the last is unique.
    `query` is the validated query with `cursor` and `limit`; `name` says which list this is.
    """
    descending = order[0].startswith("-")
    fields = [field.removeprefix("-") for field in order]
    limit = query.get("limit") or conf.DEFAULT_PAGE
    digest = _digest(name, query)
    if query.get("cursor"):
        rows = rows.filter(_after(fields, _read(query["cursor"], digest, len(fields)), descending))
    found = list(rows.order_by(*order)[: limit + 1])
    last = [getattr(found[limit - 1], field) for field in fields] if len(found) > limit else None
    return {"items": render(found[:limit]), "next": _write(last, digest) if last else None}


def place_of(*, query: Mapping[str, Any], name: str, count: int) -> list[str] | None:
    """Where the page that a cursor asks for begins, for a list that is no queryset: `count` values; None: the first."""
    return _read(query["cursor"], _digest(name, query), count) if query.get("cursor") else None


def cursor_to(place: Sequence[Any], *, query: Mapping[str, Any], name: str) -> str:
    """The cursor of the page that begins behind `place`."""
    return _write(place, _digest(name, query))


def _after(fields: list[str], values: list[str], descending: bool) -> Q:
    test = "lt" if descending else "gt"
    condition = Q()
    for number, field in enumerate(fields):
        same = {earlier: values[place] for place, earlier in enumerate(fields[:number])}
        condition |= Q(**same, **{f"{field}__{test}": values[number]})
    return condition


def _write(values: Sequence[Any], digest: str) -> str:
    shown = [value.isoformat() if isinstance(value, datetime) else str(value) for value in values]
    return signing.dumps([digest, *shown], salt=SALT, compress=True)


def _read(cursor: str, digest: str, count: int) -> list[str]:
    try:
        found, *values = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise Invalid(errors={"cursor": ["It is not a cursor that this list gave out."]}) from error
    if found != digest or len(values) != count:
        raise Invalid(errors={"cursor": ["It belongs to another list."]})
    return list(values)


def _digest(name: str, query: Mapping[str, Any]) -> str:
    """Of the list and its filters; the size of a page may change from one to the next."""
    filters = {key: str(value) for key, value in query.items() if key not in ("cursor", "limit") and value is not None}
    return hashlib.sha256(json.dumps([name, filters], sort_keys=True).encode()).hexdigest()[:16]
