"""A real HTTP server whose answers a test writes: for what a service does only when it is in trouble."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Seen:
    """A request that came in."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]


class Cut(Exception):  # noqa: N818
    """Raised by a stream: the connection ends here, without a proper end."""


@dataclass
class Answer:
    """`body`: the whole body, or chunks as they come."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: dict[str, str] = field(default_factory=dict)


Answers = Callable[[Seen], Answer]


def answer(status: int, value: Any, **headers: str) -> Answer:
    return Answer(status, json.dumps(value).encode(), {name.replace("_", "-"): text for name, text in headers.items()})


def problem(status: int, code: str, **more: Any) -> Answer:
    headers = more.pop("headers", {})
    return answer(status, {"title": "no", "status": status, "detail": "no", "code": code} | more, **headers)


def result_line(index: int, **more: Any) -> bytes:
    body = {"id": f"sub_{index}", "state": "finished", "verdict": "accepted", "reward": 1.0} | more
    return json.dumps(body | {"index": index, "cursor": f"c{index}"}).encode() + b"\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers: Answers
    seen: list[Seen]

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, url.path, dict(parse_qsl(url.query)), headers, body)
        self.seen.append(seen)
        answered = self.answers(seen)
        self.send_response(answered.status)
        for name, value in answered.headers.items():
            self.send_header(name, value)
        self._send(answered.body)

    do_POST = do_DELETE = do_GET  # noqa: N815

    def _send(self, body: bytes | Iterable[bytes]) -> None:
        if isinstance(body, bytes):
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for chunk in body:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        except (Cut, OSError):
            self.close_connection = True

    def log_message(self, *args: Any) -> None:
        pass


@contextlib.contextmanager
def serving(answers: Answers) -> Iterator[tuple[str, list[Seen]]]:
    """Serve on a free port; gives the URL and the requests as they come in."""
    seen: list[Seen] = []
    handler = type("Handler", (_Handler,), {"answers": staticmethod(answers), "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
