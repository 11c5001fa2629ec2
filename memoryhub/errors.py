"""Every way to be refused: a stable code and a sentence that says what to do. Nothing about HTTP in here.

`http_errors.py` maps each class to a status, for the API and for the pages alike.
"""

from collections.abc import Mapping, Sequence


class HubError(Exception):
    """A refusal a caller can act on; `code` is for machines, `detail` for people."""

    code = "error"
    detail = "The request could not be carried out."

    def __init__(self, detail: str | None = None, *, code: str | None = None, **extra: object) -> None:
        self.detail = detail or self.detail
        self.code = code or self.code
        self.extra = extra
        super().__init__(self.detail)


class Invalid(HubError):
    """Well-formed, but not valid: `errors` names each field with its faults."""

    code = "invalid"
    detail = "Some fields are not valid."

    def __init__(
        self, detail: str | None = None, *, errors: Mapping[str, Sequence[str]] | None = None, code: str | None = None
    ) -> None:
        super().__init__(detail, code=code)
        self.errors = {field: list(faults) for field, faults in (errors or {}).items()}

    @property
    def faults(self) -> list[str]:
        """Every fault as a sentence, one at least, for where no field can show its own."""
        return [fault for faults in self.errors.values() for fault in faults] or [self.detail]


class Malformed(HubError):
    code = "malformed"
    detail = "The body is not valid JSON."


class TooLarge(HubError):
    code = "too_large"
    detail = "The text or the body is too large."


class NotFound(HubError):
    """Absent, or not the caller's: the two look the same on purpose."""

    code = "not_found"
    detail = "There is nothing here, or it is not yours."


class NotAuthenticated(HubError):
    code = "not_authenticated"
    detail = "Send a valid key as 'Authorization: Bearer mhk_…'."


class NotGranted(HubError):
    code = "not_granted"
    detail = "This key or person may not do that."


class AlreadyDecided(HubError):
    """Somebody decided first; `decision` tells what."""

    code = "already_decided"
    detail = "Somebody decided this first."


class StillRunning(HubError):
    code = "still_running"
    detail = "A request with the same Idempotency-Key is still running; try again shortly."


class TooMany(HubError):
    """More requests than the operator allows; `retry_after` says in how many seconds to come back."""

    code = "too_many_requests"
    detail = "Too many requests with this key; wait and try again."

    def __init__(self, *, retry_after: int) -> None:
        super().__init__()
        self.retry_after = retry_after


class Backlog(TooMany):
    """So many finished turns wait for a dream that no more are taken in for now; nothing of this one was kept."""

    code = "backlog"
    detail = "Too many finished turns wait for a dream; send this one again later, with the same event_id."


class Stale(HubError):
    code = "stale"
    detail = "It changed since you read it; read it again and decide anew."


class AuditUnavailable(HubError):
    code = "audit_unavailable"
    detail = "The audit trail can't be written, so nothing was done. Try again later."


class PolicyUnusable(HubError):
    """The policy in force is not one that could have been signed; nothing is written under it."""

    code = "policy_unusable"
    detail = "The organisation's policy can't be obeyed, so nothing was written; an operator has to sign another."


class ModelUnavailable(HubError):
    code = "model_unavailable"
    detail = "The embedding model is not loaded."


class KeysUnusable(HubError):
    """The key-encryption keys are missing, damaged, or not those that the database was sealed with."""

    code = "keys_unusable"
    detail = "The hub's key-encryption keys can't be used, so nothing sealed can be read or written."


class KeyDestroyed(HubError):
    """It was sealed under a subject's own key, which was destroyed when the subject was erased (R91)."""

    code = "key_destroyed"
    detail = "It was erased: the key it was sealed with is gone."


class SealBroken(HubError):
    """Something sealed was altered, or moved to a row, subject or organisation it was not sealed for."""

    code = "seal_broken"
    detail = "Something kept under a subject's key does not open: it was altered, or moved from where it belongs."


class LeaseLost(HubError):
    """A worker lost its lease on a job; its work is rolled back and somebody else does it."""

    code = "lease_lost"
    detail = "The lease on the job was lost."
