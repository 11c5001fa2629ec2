"""A server on this machine that answers as a test tells it: real sockets, one thread a connection."""

import socket
import threading
from collections.abc import Callable

Behaviour = Callable[[socket.socket, bytes], None]


class RawServer:
    """Answers every connection with `behaviour`, which gets what came in; `requests` keeps that."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.requests: list[bytes] = []
        self._behaviour = behaviour
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def request_of(self, connection: socket.socket) -> bytes:
        """What came in; here, what came first."""
        return connection.recv(65536)

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                request = self.request_of(connection)
                self.requests.append(request)
                self._behaviour(connection, request)
            except OSError:
                pass  # the caller went away, as it should
