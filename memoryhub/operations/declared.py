"""What can a program ask of the hub? Every operation of the REST contract, by its name in docs/openapi.json.

The API declares them (api/calls.py); any other door performs them by name, and then asks for the same right, counts
towards the same rate, holds the arguments against the same shapes and runs the same handler in the same kind of
transaction. So a door can offer less than the contract, and never more (docs/adr/0027).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, Field

from memoryhub.operations.call import Answer, Call
from memoryhub.operations.requests import check_value
from memoryhub.operations.throttling import check_rate
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal

Shape = type[Field[Any, Any, Any, Any]]
#: What is sent: the path's parts, the query as it is spelt, the body.
Sent = tuple[dict[str, str], dict[str, Any], Any]


@dataclass(frozen=True)
class Operation:
    """One operation of the contract: what permissions.ACTIONS calls it, the shapes of its body (a media type: plain
    text) and its query, and the handler, which takes a Call and what stands in the path. `transaction` False leaves
    transactions to the handler. `early` begins, of the body, what needs no database: it runs beside the opening of the
    transaction, and the handler finds it in `Call.begun`.
    """

    name: str
    action: str
    run: Callable[..., Answer]
    query: type[BaseSerializer[Any]]
    body: Shape | str | None = None
    transaction: bool = True
    early: Callable[[Any], Any] | None = None

    def begin(self, body: Any) -> Any:
        """What is under way by now for a body, or None."""
        return self.early(body) if self.early else None

    def admit(self, by: Principal) -> None:
        """Raise NotGranted or TooMany before anything that was sent is looked at."""
        check_may(by, self.action)
        check_rate(by.key)


_DECLARED: Final[dict[str, Operation]] = {}
_READY: Final[dict[Shape, Field[Any, Any, Any, Any]]] = {}


def declare(operation: Operation) -> None:
    """Make an operation known. Raises ValueError for a name that another one has."""
    if operation.name in _DECLARED:
        raise ValueError(f"there is an operation {operation.name!r} already")
    _DECLARED[operation.name] = operation


def find(name: str) -> Operation:
    """The operation of that name. Raises KeyError, also before the API's addresses were loaded."""
    return _DECLARED[name]


def validated(shape: Shape, data: Any) -> Any:
    """What was sent, as its shape has it. Raises DRF's ValidationError."""
    return ready(shape).run_validation(data)


def ready(shape: Shape) -> Field[Any, Any, Any, Any]:
    """One serializer of each shape for all calls: making one copies every field, validating keeps nothing in it."""
    if shape not in _READY:
        _READY[shape] = shape()
    return _READY[shape]


def perform(
    operation: Operation,
    *,
    request: Request,
    by: Principal,
    now: datetime,
    read: Callable[[], Sent],
) -> Answer:
    """Do what a request with this path, query and body would do; they are read once the caller is let in. Raises what
    it would be refused with.

    Without an Idempotency-Key: a door that repeats calls relies on what the operations themselves promise (a turn's
    event id, a statement known already).
    """
    operation.admit(by)
    path, query, body = read()
    for sent in (path, query, body):
        check_value(sent)
    asked = validated(operation.query, query)
    told = (
        validated(operation.body, body) if operation.body is not None and not isinstance(operation.body, str) else None
    )
    call = Call(request=request, by=by, now=now, body=told, query=asked, begun=operation.begin(told))
    if not operation.transaction:
        return operation.run(call, **path)
    return call.attempt(lambda: operation.run(call, **path))
