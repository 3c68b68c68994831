"""A PostgreSQL server that a test can have gone for a while: it is reached through this process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import make_url
from tests.service.serving import keep_port

_CHUNK = 64 * 1024


class Line:
    """Connections to a server, all of which can be cut and refused until they are mended."""

    def __init__(self, url: str) -> None:
        self._target = make_url(url)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._accept()

    @property
    def url(self) -> str:
        """How the server is reached through here."""
        through = self._target.set(host="127.0.0.1", port=self._port)
        return through.difference_update_query(["host"]).render_as_string(hide_password=False)

    def cut(self) -> None:
        """Have the server gone."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._listener.close()
            self._kept = keep_port(self._port)
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Have it back."""
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._kept.close()
        self._accept()

    def _accept(self) -> None:
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = self._connected()
            with self._lock:
                if listener.fileno() < 0:  # it was cut while this one came
                    client.close()
                    server.close()
                    return
                self._open |= {client, server}
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _connected(self) -> socket.socket:
        host = self._target.query.get("host") or self._target.host or "127.0.0.1"
        port = self._target.port or 5432
        if not str(host).startswith("/"):
            return socket.create_connection((str(host), port))
        found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        found.connect(f"{host}/.s.PGSQL.{port}")
        return found

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    """A line to a server, cut at the end."""
    made = Line(url)
    try:
        yield made
    finally:
        made.cut()
        made._kept.close()
