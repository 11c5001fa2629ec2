"""What is answered when something failed outside every view's own care: the database above all (R103).

Django calls this for an error that nothing caught, also one of the session or of who is signed in, which come before a
view. What is known to pass (no connection to be had) is a 503 that says when to come back, here as in the API.
"""

import sys
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from memoryhub.http_errors import members_of_any

RETRY_AFTER: Final = "5"  # seconds
_PROGRAMS: Final = ("/api/", "/mcp")


def server_error(request: HttpRequest) -> HttpResponse:
    """A problem document for programs, else a page that asks nothing of the database to be shown."""
    error = sys.exc_info()[1]
    members = members_of_any(error if isinstance(error, Exception) else RuntimeError())
    status = int(members["status"])
    response: HttpResponse
    if request.path.startswith(_PROGRAMS):
        response = JsonResponse(members, status=status, content_type="application/problem+json")
    else:
        page = "503.html" if status == 503 else "500.html"
        response = HttpResponse(render_to_string(page), status=status if status == 503 else 500)
        patch_vary_headers(response, ["HX-Request", "Cookie"])
    response["Cache-Control"] = "no-store"
    if status == 503:
        response["Retry-After"] = RETRY_AFTER
    return response
