"""How does the API ask who calls? Through DRF's hook; who it is, operations/callers.py says (api.md, R110)."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from memoryhub.operations.callers import CHALLENGE, caller_of
from memoryhub.tenancy import Principal


class KeyAuthentication(BaseAuthentication):
    """DRF's hook: `request.auth` and `request.user` are the Principal."""

    def authenticate(self, request: Request) -> tuple[Principal, Principal]:
        principal = caller_of(request._request, now=timezone.now())
        return principal, principal

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE
