"""Values to bytes and back."""

from __future__ import annotations

import io
import json
from collections import UserList
from types import MappingProxyType

import pytest

from sandbox_service import AsyncClient, Client, Submission
from sandbox_service.client import _score, _wire
from sandbox_service.client._retry import Patience
from sandbox_service.client._wire import Response
from sandbox_service.client.errors import Unavailable
from sandbox_service.contract import parse


def test_bytes_and_lone_surrogates_arrive_as_they_are() -> None:
    body = {"language": "c", "code": "a\ud800\0", "task": {"type": "run", "stdin": b"\xff\x00", "args": [b"ok"]}}
    wire = json.loads(_wire.encode(body))
    assert wire["task"] == {"type": "run", "stdin": {"base64": "/wA="}, "args": ["ok"]}
    taken = parse.submission(parse.loads(_wire.encode(body)))
    assert taken.code == b"a\xed\xa0\x80\0"
    assert taken.task.stdin == b"\xff\x00"  # type: ignore[union-attr]


def test_a_model_is_sent_with_what_was_set_alone() -> None:
    submission = Submission(language="python", code=b"\xed\xa0\x80", reward="binary")
    assert json.loads(_wire.encode(submission)) == {
        "language": "python",
        "code": {"base64": "7aCA"},
        "reward": "binary",
    }


def test_any_mapping_is_an_object_and_any_sequence_a_list() -> None:
    limits = MappingProxyType({"cpu_seconds": 1})
    submission = MappingProxyType({"limits": limits, "artifacts": UserList(["*.txt", b"\xff"])})
    assert json.loads(_wire.encode(submission)) == {
        "limits": {"cpu_seconds": 1},
        "artifacts": ["*.txt", {"base64": "/w=="}],
    }


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="set is no JSON value"):
        _wire.encode({"code": {1}})


def test_a_field_of_a_newer_service_is_no_trouble() -> None:
    found = _wire.result(
        {"id": "s", "state": "finished", "new": 1, "cases": [{"id": "0", "verdict": "accepted", "x": 1}]}
    )
    assert found.cases[0].verdict == "accepted"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_do_not_depend_on_the_chunks(size: int) -> None:
    text, lines = b"one\n\ntwo\nthree\nrest", _wire.Lines()
    found = [line for start in range(0, len(text), size) for line in lines.feed(text[start : start + size])]
    assert found == [b"one", b"", b"two", b"three"]


def test_a_batch_ends_by_number_or_by_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [(first, len(lines)) for first, lines in _score.batches([{}] * 5, 2)] == [(0, 2), (2, 2), (4, 1)]
    monkeypatch.setattr(_score, "BATCH_BYTES", 30)
    sizes = [len(lines) for _, lines in _score.batches([{"code": "x" * length} for length in (1, 1, 100, 1)], 10)]
    assert sizes == [2, 1, 1]


def test_patience_keeps_to_retry_after_and_ends() -> None:
    patience = Patience(60)
    assert [patience.pause(Response(503, {"retry-after": "7"}, b"")), patience.pause(None), patience.pause(None)] == [
        7.0,
        0.2,
        0.4,
    ]
    with pytest.raises(Unavailable, match="HTTP 503"):
        patience.pause(Response(503, {"retry-after": "61"}, b"later"))


def test_where_the_service_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDBOX_URL", raising=False)
    assert repr(AsyncClient()) == "AsyncClient('http://127.0.0.1:8000')"
    monkeypatch.setenv("SANDBOX_URL", "http://somewhere:1/under")
    with Client() as client:
        assert repr(client) == "Client('http://somewhere:1/under')"
    with pytest.raises(ValueError, match="no URL of a service"):
        Client("localhost:8000")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar() -> None:
    terminal, log = Terminal(), io.StringIO()
    for done in range(5):
        _score.Bar(terminal, width=4)(done, 4)
        _score.Bar(log, width=4)(done, 4)
    assert terminal.getvalue().split("\r")[2:] == [
        "[#...] 1/4 scored",
        "[##..] 2/4 scored",
        "[###.] 3/4 scored",
        "[####] 4/4 scored\n",
    ]
    assert log.getvalue() == "\r[####] 4/4 scored\n"
