"""Every answer carries the strict headers and an id; a caller's own id is taken if it is a UUID."""

import asyncio

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from memoryhub.headers import SecurityHeaders


def answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.request_id)  # type: ignore[attr-defined]


def test_every_answer_has_them() -> None:
    response = SecurityHeaders(answer)(RequestFactory().get("/"))
    assert isinstance(response, HttpResponse)
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "geolocation=()" in response["Permissions-Policy"]
    assert response["X-Request-ID"] == response.content.decode()


def test_a_view_may_set_its_own() -> None:
    def own(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "sandbox"})

    response = SecurityHeaders(own)(RequestFactory().get("/"))
    assert isinstance(response, HttpResponse)
    assert response["Content-Security-Policy"] == "sandbox"


@pytest.mark.parametrize("given", ["01a22a68-9ad5-77ec-9ed6-1b21e91bd5e5", "6F1D3B0E-52A4-4C7B-8E0F-9A1B2C3D4E5F"])
def test_a_uuid_comes_back(given: str) -> None:
    response = SecurityHeaders(answer)(RequestFactory().get("/", headers={"X-Request-ID": given}))
    assert isinstance(response, HttpResponse)
    assert response["X-Request-ID"] == given


@pytest.mark.parametrize(
    "given",
    [
        "", "short", "x" * 65, "two words here", "a\nb-injected", "<script>alert</script>", "abc-12345", "trace.7_0000",
        "4012888888881881", "4012-8888-8888-1881", "d41d8cd98f00b204e9800998ecf8427e", "372-45-6789",
        "01a22a68-9ad5-77ec-9ed6-1b21e91bd5e5\n", "01a22a68-9ad5-77ec-9ed6-1b21e91bd5e5-more",
        "40128888-8888-1881-0000-000000000000",
    ],
)  # fmt: skip
def test_any_other_is_replaced(given: str) -> None:
    response = SecurityHeaders(answer)(RequestFactory().get("/", headers={"X-Request-ID": given}))
    assert isinstance(response, HttpResponse)
    assert response["X-Request-ID"] != given
    assert len(response["X-Request-ID"]) == 36


def test_it_serves_asynchronous_views_as_well() -> None:
    async def later(request: HttpRequest) -> HttpResponse:
        return answer(request)

    async def run() -> HttpResponse:
        return await SecurityHeaders(later)(RequestFactory().get("/"))  # type: ignore[misc,no-any-return]

    response = asyncio.run(run())
    assert response["X-Request-ID"] == response.content.decode()
