"""The same request twice: one effect, one answer (R20; api.md, habits).

The key's row is written first in the transaction of the effect. A second request with the same key therefore waits on
the unique constraint until the first is through, then replays its answer, or does the work if the first rolled back:
also when the first one's process died, since its row died with it. Refusals roll back and are judged afresh.

Rows are kept for conf.IDEMPOTENCY_KEPT. An answer holds words of a memory, so a row names the subject it is about, and
erasure empties it; answers that may hold words about several subjects (a batch of turns) name none and go with any.

Some answers are never stored, because they hold what nobody may keep in clear: questions (recall, context) and one-time
links. Their key still stands for one request, but a repeat is answered anew: read again, or given a new link.
"""

import hashlib
import hmac
import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import OperationalError, connection
from django.http import HttpRequest

from memoryhub import conf
from memoryhub.errors import Invalid, KeyDestroyed, NotFound, StillRunning
from memoryhub.governance import subject_keys
from memoryhub.models import IdempotentRequest, subject_key
from memoryhub.tenancy import Principal

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotent-Replayed"
_PURPOSE: Final = "answer"
_ERASED: Final = "The answer to the first request with this Idempotency-Key was erased since."
WAIT: Final = "10s"  # for a request with the same key that still runs; then 409


@dataclass(frozen=True)
class Replay:
    """The answer given before."""

    status: int
    body: Any


def token_of(request: HttpRequest) -> str | None:
    """The request's Idempotency-Key, if it has one, as a digest: callers make keys of anything (R12).

    Raises Invalid for one that can't be a key.
    """
    token = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if token is None:
        return None
    if not token.strip() or len(token) > 255 or not token.isprintable():
        raise Invalid(errors={HEADER: ["It has to be 1 to 255 printable characters."]})
    return hmac.new(settings.SECRET_KEY.encode(), token.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def digest_of(request: HttpRequest, body: Any) -> str:
    """What makes two requests the same: method, path, query and the body's meaning; keyed, so that nobody can guess a
    short question from it.
    """
    parts = [
        request.method,
        request.path,
        request.META.get("QUERY_STRING", ""),
        request.META.get("HTTP_IF_MATCH", ""),
        body,
    ]
    meaning = json.dumps(parts, sort_keys=True, default=str).encode()
    return hmac.new(settings.SECRET_KEY.encode(), meaning, hashlib.sha256).hexdigest()


def claim(*, token: str, digest: str, by: Principal, now: datetime, stored: bool = True) -> Replay | None:
    """Take the key for this transaction, or find the answer it already had. `stored` False: there is never one to find.

    Raises Invalid when it was used for another request, StillRunning when that still runs after WAIT, NotFound when the
    answer was erased since.
    """
    mine = IdempotentRequest.objects.filter(api_key_id=by.key, token=token)
    mine.filter(created_at__lt=now - conf.IDEMPOTENCY_KEPT).delete()
    row = IdempotentRequest(
        organisation_id=by.organisation, api_key_id=_key(by), token=token, request_digest=digest, created_at=now
    )
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [WAIT])
        IdempotentRequest.objects.bulk_create([row], ignore_conflicts=True)
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', '0', true)")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") == "55P03":  # lock_not_available
            raise StillRunning from error
        raise
    found = mine.get()
    if found.pk == row.pk:
        return None
    if stored:
        return _replay(found, digest)
    _check_same(found, digest)
    return None


def before(*, token: str, digest: str, by: Principal, now: datetime) -> Replay | None:
    """The answer a key already had, without taking the key. Raises as `claim` does."""
    earliest = now - conf.IDEMPOTENCY_KEPT
    found = IdempotentRequest.objects.filter(api_key_id=by.key, token=token, created_at__gte=earliest).first()
    return _replay(found, digest) if found is not None else None


def _replay(found: IdempotentRequest, digest: str) -> Replay:
    _check_same(found, digest)
    if found.status is None or found.body is None:
        raise NotFound(_ERASED)
    try:
        return Replay(status=found.status, body=_unsealed(found)["answer"])
    except KeyDestroyed as error:
        raise NotFound(_ERASED) from error


def store(*, token: str, by: Principal, status: int, body: Any, subject: uuid.UUID | None) -> None:
    """Keep the answer beside its key, in the same transaction as the effect; sealed under the key of the subject it is
    about, or the organisation's own.
    """
    mine = IdempotentRequest.objects.filter(api_key_id=by.key, token=token)
    data = json.dumps({"answer": body}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if (row := mine.values_list("pk", flat=True).first()) is not None:
        if subject is None:
            sealed = subject_key.seal_for_organisation(
                organisation=by.organisation, data=data, purpose=_PURPOSE, row=row
            )
        else:
            sealed = subject_keys.seal(subject=subject, data=data, purpose=_PURPOSE, row=row)
        mine.update(status=status, body=sealed, subject_id=subject)


def _unsealed(found: IdempotentRequest) -> Any:
    if found.subject_id is None:
        data = subject_key.unseal_for_organisation(
            organisation=found.organisation_id, data=bytes(found.body or b""), purpose=_PURPOSE, row=found.pk
        )
    else:
        data = subject_keys.unseal(
            subject=found.subject_id, data=bytes(found.body or b""), purpose=_PURPOSE, row=found.pk
        )
    return json.loads(data)


def _check_same(found: IdempotentRequest, digest: str) -> None:
    if not hmac.compare_digest(found.request_digest, digest):
        raise Invalid(errors={HEADER: ["It was used before for another request."]}, code="idempotency_key_reused")


def _key(by: Principal) -> uuid.UUID:
    if by.key is None:
        raise ValueError("only a caller with a key repeats a request")
    return by.key
