"""What happens around every call? Who, may they, what was sent, one transaction, the same answer twice.

A view is a class of operations; each is declared with what it needs and does one thing: parse, one domain call, render.

    @operation("propose", body=ProposalIn, answers={200: OutcomeOut})
    def post(self, call: Call) -> Answer: ...

What is declared here is known to operations/declared.py, so that another door performs the very same.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

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

from memoryhub.api import idempotency, shapes
from memoryhub.api.authentication import KeyAuthentication
from memoryhub.operations import declared, requests
from memoryhub.operations.call import Answer, Call
from memoryhub.tenancy import Principal

__all__ = ["Answer", "Call", "HubView", "operation", "respond"]

_REFUSALS: Final = (400, 401, 403, 404, 413, 415, 422, 429, 503)


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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for method in vars(cls).values():
            if (known := getattr(method, "declared", None)) is not None:
                declared.declare(replace(known, run=functools.partial(known.run, cls())))


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
    early: Callable[[Any], Any] | None = None,
    refusals: tuple[int, ...] = (),
) -> Callable[[Handler], View]:
    """Make a view's method of a handler.

    `action` is what permissions.ACTIONS grants. `body` is a serializer, or a media type for a body of plain text.
    `transaction` False leaves transactions (and repeated requests) to the handler. `stores_answer` False: the answer is
    never kept under an Idempotency-Key; a repeat is answered anew. `early` begins, of the body, what the
    handler takes from `Call.begun`. `refusals` are statuses beyond the usual ones, `answers` the shapes of the good
    ones: both for the OpenAPI document.
    """

    def decorate(handler: Handler) -> View:
        known = declared.Operation(
            name=_name_of(handler), action=action, run=handler, query=query or shapes.Nothing, body=body,
            transaction=transaction, early=early,
        )  # fmt: skip

        @functools.wraps(handler)
        def view(self: HubView, request: Request, **path: str) -> HttpResponse:
            by: Principal = request.auth  # type: ignore[assignment]  # always set: authentication raises without a key
            known.admit(by)
            token = idempotency.token_of(request._request) if request.method == "POST" else None
            requests.check_value(path)
            asked = declared.validated(known.query, requests.query_of(request._request))
            sent = _sent(request, body, optional_body)
            call = Call(request=request, by=by, now=timezone.now(), body=sent, query=asked, begun=known.begin(sent))
            if not transaction:
                return respond(handler(self, call, **path))
            work = functools.partial(_once, functools.partial(handler, self, call, **path), call, token, stores_answer)
            return respond(call.attempt(work))

        view.declared = known  # type: ignore[attr-defined]  # HubView makes it known
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


def _sent(request: Request, body: Any, optional: bool) -> Any:
    if body is None:
        return None
    if isinstance(body, str):
        return requests.read_text(request._request, body)
    if optional and not requests.has_body(request._request):
        data: Any = {}
    else:
        data = requests.read_json(request._request)
    return declared.validated(body, data)


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
        "operation_id": _name_of(handler),
        "request": {body: str} if isinstance(body, str) else _document_of(body),
        "responses": responses,
        "parameters": parameters,
        "summary": re.split(r"(?<=\.)\s", told)[0].removesuffix("."),
        "description": told,
    }


def _name_of(handler: Handler) -> str:
    """What an operation is called in the document: its class and method."""
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", handler.__qualname__)).lower()


def _document_of(body: type[Field[Any, Any, Any, Any]] | None) -> Any:
    """A body for the document; one that is no serializer is any object."""
    return OpenApiTypes.OBJECT if body is not None and not issubclass(body, BaseSerializer) else body
