"""How do styles and scripts leave an ASGI server? WhiteNoise's answers, read at once instead of streamed.

Django under ASGI warns about every synchronous stream and reads it whole anyway; the files here are small. A range asks
for a part of a file, and that part alone is read.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise, without streams."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]  # what the file is says the next line, and a 304 says nothing
        for name, value in found.headers:
            response[name] = value
        if body:  # a file edited while the hub runs is longer or shorter than it was at the start
            response["Content-Length"] = str(len(body))
        return response
