"""What happens around every call? Who, may they, what was sent, one transaction, the same answer twice.

A view is a class of operations; each is declared with what it needs and does one thing: parse, one domain call, render.

    @operation("propose", body=ProposalIn, answers={200: OutcomeOut})
    def post(self, call: Call) -> Answer: ...

The transaction sees every subject of the organisation only to find the one that is named; the domain call runs inside
`call.about(subject)`, where the database shows that subject's rows and no other's (R30).
"""

import functools
import json
import logging
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import OperationalError
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, Field
from rest_framework.views import APIView

from accounts.models import Agent
from memoryhub.api import idempotency, requests, shapes
from memoryhub.api.authentication import KeyAuthentication
from memoryhub.api.throttling import check_rate
from memoryhub.errors import AuditUnavailable, NotFound
from memoryhub.governance import reconciliation, subjects
from memoryhub.models import Subject
from memoryhub.permissions import check_may
from memoryhub.recall.filters import readers
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3  # of a transaction that PostgreSQL ended because two waited for each other
_ENDED_BY_DATABASE: Final = frozenset({"40P01", "40001"})  # deadlock_detected, serialization_failure
_REFUSALS: Final = (400, 401, 403, 404, 413, 415, 422, 429, 503)


@dataclass(frozen=True)
class Answer:
    """What a view gives back: JSON, or text with its own media type. `about` is the one subject it holds words of."""

    body: Any
    status: int = 200
    about: uuid.UUID | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    keep: bool = True  # False: a dry run, whose transaction is rolled back whole


@dataclass
class Call:
    """One authenticated request with its validated body and query, inside its transaction."""

    request: Request
    by: Principal
    now: datetime
    body: Any
    query: dict[str, Any]

    def if_match(self, current: str) -> str | None:
        """The etag to hold a change to: the current one when it is among those the caller read, else one of theirs.

        None when the caller doesn't say, or takes any (a star).
        """
        header = self.request.META.get("HTTP_IF_MATCH", "")
        read = [etag.strip().removeprefix("W/") for etag in header.split(",") if etag.strip()]
        if not read or "*" in read:
            return None
        return current if current in read else read[0]

    def agent(self) -> Agent:
        """The agent behind the key. Raises NotFound for a key without one."""
        found = Agent.objects.select_related("owner").filter(pk=self.by.agent).first() if self.by.agent else None
        if found is None:
            raise NotFound
        return found

    def named(self, external_id: str) -> Subject:
        """The subject of that id. Raises NotFound."""
        return subjects.find(external_id=subjects.check_external_id(external_id), by=self.by)

    def mentioned(self, external_id: str) -> Subject:
        """The subject of that id, made a person when it is named for the first time in a write."""
        return subjects.ensure(external_id=external_id, by=self.by, now=self.now)

    def speaking(self, external_id: str | None, *, about: Subject) -> Subject | None:
        """The person whose words are passed on, if one is named. A new one is put on record, and who waits for the end
        of the record must not hold what others need first: so the lock on whom it is about is taken before.
        """
        if not external_id:
            return None
        reconciliation.lock(about)
        return self.mentioned(external_id)

    @contextmanager
    def about(self, *named: Subject) -> Iterator[frozenset[uuid.UUID]]:
        """Act for these subjects alone: what is theirs, their accounts' and their groups'; gives those audiences."""
        readable = readers(named)
        with acting_for(self.by, subjects=readable, savepoint=False):  # a refusal ends the whole call
            yield readable

    @contextmanager
    def anywhere(self) -> Iterator[None]:
        """Act where no subject is named: in the whole organisation, or for the one subject the key is bound to."""
        if not self.by.bound_subject:
            yield
            return
        try:
            mine = [subjects.find(external_id=self.by.bound_subject, by=self.by).pk]
        except NotFound:
            mine = []
        with acting_for(self.by, subjects=mine):
            yield

    def attempt(self, run: Callable[[], "Answer"]) -> "Answer":
        """Run a piece of work in a transaction of its own; for the views that keep none around them."""
        return _attempts(lambda: _in_transaction(self.by, run))


_READY: dict[Any, Field[Any, Any, Any, Any]] = {}


class _NothingKept(Exception):
    """Takes a dry run's answer out of the transaction that is rolled back."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


class TakesAnything(BaseContentNegotiation):
    """Every answer is JSON, whatever is asked for; the one file says so itself. An Accept header is never an error."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0] if parsers else None

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return JSONRenderer(), "application/json"


class HubView(APIView):
    """A view of the API: keys alone open it, and every error is a problem document."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = ()
    parser_classes = (JSONParser,)  # for the OpenAPI document; bodies are read by requests.py
    throttle_classes = ()
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = TakesAnything
    http_method_names = ("get", "post", "put", "patch", "delete", "head")


Handler = Callable[..., Answer]
View = Callable[..., HttpResponse]


def operation(
    action: str,
    *,
    answers: Mapping[int, Any],
    body: type[Field[Any, Any, Any, Any]] | str | None = None,
    query: type[BaseSerializer[Any]] | None = None,
    optional_body: bool = False,
    transaction: bool = True,
    stores_answer: bool = True,
    refusals: tuple[int, ...] = (),
) -> Callable[[Handler], View]:
    """Make a view's method of a handler.

    `action` is what permissions.ACTIONS grants. `body` is a serializer, or a media type for a body of plain text.
    `transaction` False leaves transactions (and repeated requests) to the handler. `stores_answer` False: the answer is
    never kept under an Idempotency-Key; a repeat is answered anew. `refusals` are statuses beyond the usual ones,
    `answers` the shapes of the good ones: both for the OpenAPI document.
    """

    def decorate(handler: Handler) -> View:
        @functools.wraps(handler)
        def view(self: HubView, request: Request, **path: str) -> HttpResponse:
            by: Principal = request.auth  # type: ignore[assignment]  # always set: authentication raises without a key
            check_may(by, action)
            check_rate(by.key)
            token = idempotency.token_of(request._request) if request.method == "POST" else None
            requests.check_value(path)
            asked = _validated(query, requests.query_of(request._request))
            sent = _sent(request, body, optional_body)
            call = Call(request=request, by=by, now=timezone.now(), body=sent, query=asked)
            if not transaction:
                return respond(handler(self, call, **path))
            work = functools.partial(_once, functools.partial(handler, self, call, **path), call, token, stores_answer)
            return respond(call.attempt(work))

        return extend_schema(**_schema(handler, answers, body, query, refusals, stores_answer))(view)

    return decorate


def respond(answer: Answer) -> HttpResponse:
    """An answer as a response; never kept by caches on the way, since it holds personal data."""
    if answer.media_type == "application/json":
        content = json.dumps(answer.body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    else:
        content = str(answer.body)
    response = HttpResponse(content.encode(), status=answer.status, content_type=answer.media_type)
    response["Cache-Control"] = "no-store"
    for name, value in answer.headers.items():
        response[name] = value
    return response


def _in_transaction(by: Principal, run: Callable[[], Answer]) -> Answer:
    try:
        with acting_for(by, subjects=ALL_SUBJECTS):
            answer = run()
            if not answer.keep:
                raise _NothingKept(answer)
            return answer
    except _NothingKept as undone:
        return undone.answer


def _once(handler: Callable[[], Answer], call: Call, token: str | None, stores_answer: bool) -> Answer:
    """Run a handler beside its Idempotency-Key, if it has one: the effect and the key commit together."""
    if token is None:
        return handler()
    digest = idempotency.digest_of(call.request._request, call.body)
    before = idempotency.claim(token=token, digest=digest, by=call.by, now=call.now, stored=stores_answer)
    if before is not None:
        return Answer(before.body, status=before.status, headers={idempotency.REPLAYED: "true"})
    answer = handler()
    if stores_answer:
        idempotency.store(token=token, by=call.by, status=answer.status, body=answer.body, subject=answer.about)
    return answer


def _attempts(run: Callable[[], Answer]) -> Answer:
    """Do it again when the database ended the transaction because two waited for each other: nothing was done then."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return run()
        except (OperationalError, AuditUnavailable) as error:
            state = _state_of(error)
            if state not in _ENDED_BY_DATABASE or attempt == ATTEMPTS:
                raise
            log.warning("transaction ended by the database (%s), attempt %s", state, attempt)
    raise AssertionError("unreachable")


def _state_of(error: BaseException) -> str | None:
    """The SQLSTATE behind an error, however it was wrapped."""
    cause: BaseException | None = error
    while cause is not None:
        if state := getattr(cause, "sqlstate", None):
            return str(state)
        cause = cause.__cause__
    return None


def _sent(request: Request, body: Any, optional: bool) -> Any:
    if body is None:
        return None
    if isinstance(body, str):
        return requests.read_text(request._request, body)
    if optional and not requests.has_body(request._request):
        data: Any = {}
    else:
        data = requests.read_json(request._request)
    return _validated(body, data)


def _validated(shape: type[Field[Any, Any, Any, Any]] | None, data: Any) -> Any:
    return _ready(shape or shapes.Nothing).run_validation(data)


def _ready(shape: type[Field[Any, Any, Any, Any]]) -> Field[Any, Any, Any, Any]:
    """One serializer of each shape for all calls: making one copies every field, validating keeps nothing in it."""
    if shape not in _READY:
        _READY[shape] = shape()
    return _READY[shape]


def _schema(
    handler: Handler,
    answers: Mapping[int, Any],
    body: Any,
    query: Any,
    refusals: tuple[int, ...],
    stores_answer: bool,
) -> dict[str, Any]:
    """What the OpenAPI document says about an operation."""
    responses: dict[Any, Any] = {(status, "application/json"): shape for status, shape in answers.items()}
    responses |= {(status, "application/problem+json"): shapes.Problem for status in sorted({*_REFUSALS, *refusals})}
    parameters: list[Any] = [query] if query else []
    if handler.__name__ == "post":
        promise = "The same key, the same answer for 24 h."
        if not stores_answer:
            promise = "One request for 24 h; this answer is never stored, so a repeat is answered anew."
        parameters.append(OpenApiParameter(idempotency.HEADER, str, OpenApiParameter.HEADER, description=promise))
    if 412 in refusals:
        parameters.append(
            OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The etag that was read.")
        )
    told = " ".join((handler.__doc__ or "").split("\n\n")[0].split())
    return {
        "operation_id": re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", handler.__qualname__)).lower(),
        "request": {body: str} if isinstance(body, str) else _document_of(body),
        "responses": responses,
        "parameters": parameters,
        "summary": re.split(r"(?<=\.)\s", told)[0].removesuffix("."),
        "description": told,
    }


def _document_of(body: type[Field[Any, Any, Any, Any]] | None) -> Any:
    """A body for the document; one that is no serializer is any object."""
    return OpenApiTypes.OBJECT if body is not None and not issubclass(body, BaseSerializer) else body
