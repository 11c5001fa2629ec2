"""The API's description: the OpenAPI document, and a viewer for it, both served from this host alone."""

import functools
import json
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularSwaggerSplitView

from memoryhub.api.problems import method_not_allowed
from memoryhub.governance.export_schema import schema

#: The viewer writes styles into the page; scripts are files. Everything comes from this host.
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)


@csrf_exempt  # no session opens or changes anything here; another method hears 405 like anywhere in the API
def openapi(request: HttpRequest) -> HttpResponse:
    """The document, as committed in docs/openapi.json; open to anybody who reaches the hub."""
    if request.method not in ("GET", "HEAD"):
        return method_not_allowed("GET", "HEAD")
    return HttpResponse(document(), content_type="application/json")


@functools.cache
def document() -> bytes:
    """The document, made once in a process: nothing in it depends on who asks."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    rendered: bytes = OpenApiJsonRenderer().render(schema, renderer_context={})
    return rendered


@csrf_exempt
def export_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of an export, as committed in docs/export-schema.json; open to anybody who reaches the hub."""
    if request.method not in ("GET", "HEAD"):
        return method_not_allowed("GET", "HEAD")
    return HttpResponse(json.dumps(schema(), indent=2), content_type="application/schema+json")


class KeyScheme(OpenApiAuthenticationExtension):
    """How the document says that a key is needed."""

    target_class = "memoryhub.api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mhk_…"}


class ApiDocs(SpectacularSwaggerSplitView):
    """The viewer, with its script as a file of its own so that the page holds none."""

    url_name = "api:openapi"
    authentication_classes = ()
    permission_classes = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response
