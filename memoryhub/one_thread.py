"""How does a request get from the event loop to its view? In one hop: one thread takes it through everything.

Every view and middleware here is synchronous. Django's own handler would hand each request back and forth between the
loop and a fresh thread a dozen times; this one reads the body on the loop, lets a thread that is kept do all the rest,
and sends what it made. Each hop costs two changes of threads while others want the interpreter as well. An answer that
streams (a file too long to hold) is made part by part, each in one hop.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import close_old_connections
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.urls import set_script_prefix

#: Made as they are needed. Many more than there are connections: who waits for a slow record, a model or a connection
#: must not hold up who asks whether the hub is well.
THREADS: Final = 64

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class OneThread(ASGIHandler):
    """Django's ASGI handler for an application without asynchronous parts."""

    def __init__(self, *, threads: int = THREADS) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:  # whoever asked has gone before they said all of it
            return
        whole = contextvars.copy_context()  # of this request alone, whoever had the thread before
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self._threads, whole.run, self._answer, scope, body)
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        try:
            await send(_start(response))
            parts = iter(response)
            while part := await loop.run_in_executor(self._threads, whole.run, _next, parts):
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await loop.run_in_executor(self._threads, whole.run, response.close)

    def _answer(self, scope: Any, body: Any) -> HttpResponseBase:
        """The finished response: what it needed (the connection to the database, the body) was given back."""
        try:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            request, refused = self.create_request(scope, body)
            response = self.get_response(request) if request is not None else refused
            assert response is not None  # one of the two
            if not response.streaming:  # what streams is closed when it was sent
                response.close()
            return response
        finally:
            body.close()


def _start(response: StreamingHttpResponse) -> Mapping[str, Any]:
    headers = [(name.lower().encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    headers += [
        (b"set-cookie", cookie.output(header="").strip().encode("ascii")) for cookie in response.cookies.values()
    ]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _next(parts: Iterator[bytes]) -> bytes:
    """The next part that is not empty, or nothing at the end; the thread gives its connection back in between."""
    try:
        return next((part for part in parts if part), b"")
    finally:
        close_old_connections()
