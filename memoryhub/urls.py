"""Which address leads where? The API, agents' tools, health, the API's description, and the pages."""

from django.urls import include, path, re_path

from memoryhub.api import docs, health
from memoryhub.api.problems import unknown_path
from memoryhub.mcp.endpoint import endpoint

handler500 = "memoryhub.last_resort.server_error"
urlpatterns = [
    path("api/v1/", include("memoryhub.api.urls")),
    path("api/docs", docs.ApiDocs.as_view(), name="api-docs"),
    re_path(r"^api/(?!docs)", unknown_path),
    path("mcp", endpoint, name="mcp"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("", include("accounts.urls")),
    path("", include("curation.urls")),
]
