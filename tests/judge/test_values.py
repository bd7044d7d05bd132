"""What comes from a solution's process: whatever it is, it becomes a value or one kind of error, and quickly."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.judge.document import MAX_BYTES
from sandbox_service.judge.values import MAX_BRIEF, Opaque, ValueFault, brief, decode, text
from tests.judge.test_equal import VALUES

MIB = 1 << 20
TAGGED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["size", "ff", "-1"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["d", "i", "o", "l", "x"]), inner, max_size=2)
    ),
)


def fault(data: bytes) -> tuple[str, str]:
    with pytest.raises(ValueFault) as caught:
        decode(data)
    return caught.value.fault, str(caught.value)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"1", 1),
        (b'"a"', "a"),
        (b"-0.0", -0.0),
        (b"Infinity", math.inf),
        (b'{"i":"ff","d":[]}', {"i": "ff", "d": []}),
        (b"![1, []]", [1, []]),
        (b'!{"i":"-ff"}', -255),
        (b'!{"d":["a",{"d":[]},"a",2]}', {"a": 2}),
        (b'![{"d":["i","ff"]}]', [{"i": "ff"}]),
        (b'!{"d":["d",["i"]]}', {"d": ["i"]}),
    ],
)
def test_values(line: bytes, value: Any) -> None:
    assert repr(decode(line + b"\n")) == repr(value)
    assert repr(decode(line + b"\n{forged\n" + line)) == repr(value)  # the first line counts


def test_something_opaque_is_known_by_its_type() -> None:
    value = decode(b'![{"o":"set"}]\n')[0]
    assert isinstance(value, Opaque)
    assert (value.type, value == Opaque("set")) == ("set", False)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"1",  # broke off
        b"\n",
        b"1 2\n",
        b"!{}\n",
        b'!{"a":1}\n',
        b'!{"d":["a"]}\n',
        b'!{"d":[1,2]}\n',
        b'!{"d":[["a"],2]}\n',
        b'!{"d":{"d":[]}}\n',
        b'!{"d":"ab"}\n',
        b'!{"i":12}\n',
        b'!{"i":"xyz"}\n',
        b'!{"i":""}\n',
        b'!{"o":1}\n',
        b'!{"l":"other"}\n',
        b'!{"l":1}\n',
        b'!{"i":"1","o":"a"}\n',
        b"\xff\xfe1\n",
        b"\x00\n",
        b'"\xff"\n',
    ],
)
def test_garbage(data: bytes) -> None:
    assert fault(data)[0] == "garbage"


@pytest.mark.parametrize(
    "data",
    [
        b'!{"l":"size"}\n',
        b'![1,{"l":"depth"}]\n',
        b'!{"l":"items"}\n',
        b"[" * 301 + b"]" * 301 + b"\n",
        b"!" + b'{"d":["a",' * 301 + b"1" + b"]}" * 301 + b"\n",
        b"[" * 500_000 + b"]" * 500_000 + b"\n",
        b"[" * (8 * MIB - 1) + b"\n",
        b"[" + b"[]," * 2_000_000 + b"1]\n",
        b'["' + b'","' * 2_000_000 + b'"]\n',
        b'"' + b"a" * MAX_BYTES + b'"\n',
        b"a" * (MAX_BYTES + 1),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_too_much(data: bytes) -> None:
    assert fault(data)[0] == "limit"


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"d":', b"}"), (b'{"d":["a",', b"]}")])
def test_as_deep_as_can_be(opening: bytes, closing: bytes) -> None:
    mark = b"!" if closing == b"]}" else b""
    value = decode(mark + opening * 300 + b"1" + closing * 300 + b"\n")
    assert len(brief(value)) > MAX_BRIEF
    assert text(value) is not None
    assert fault(mark + opening * 301 + b"1" + closing * 301 + b"\n")[0] == "limit"


FLOODS: dict[str, Callable[[], bytes]] = {
    "escaped quotes": lambda: b'["' + b'\\"' * (3 * MIB) + b'"]\n',
    "unterminated": lambda: b'"' + b'\\"' * (3 * MIB) + b"\n",
    "quotes, escapes": lambda: b'"' + b'"\\' * (3 * MIB) + b"\n",
    "commas": lambda: b'"' + b"," * (8 * MIB - 3) + b'"\n',
    "digits": lambda: b"9" * (8 * MIB - 1) + b"\n",
    "signs": lambda: b"-" * (8 * MIB - 1) + b"\n",
    "exponent": lambda: b"1e" + b"9" * (8 * MIB - 3) + b"\n",
    "fraction": lambda: b"0." + b"9" * (8 * MIB - 3) + b"\n",
    "base 16": lambda: b'!{"i":"' + b"f" * (8 * MIB - 10) + b'"}\n',
    "integers": lambda: b"[" + b"1," * 1_000_000 + b"1]\n",
    "mappings": lambda: b"![" + b'{"d":[]},' * 700_000 + b"1]\n",
    "spaces": lambda: b" " * (8 * MIB - 1) + b"\n",
    "lines": lambda: b"\n" * (8 * MIB),
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_are_read_in_linear_time(name: str) -> None:
    """No clock: were one of these quadratic, 8 MiB would take hours."""
    try:
        value = decode(FLOODS[name]())
    except ValueFault:
        return
    assert brief(value)
    text(value)


@given(st.binary() | TAGGED.map(lambda value: b"!" + json.dumps(value).encode() + b"\n"))
def test_whatever_comes_is_a_value_or_a_fault(data: bytes) -> None:
    with suppress(ValueFault):
        value = decode(data)
        assert isinstance(brief(value), str)
        if (written := text(value)) is not None:
            json.loads(written.decode("ascii"))


@given(VALUES)
def test_the_text_of_a_value(value: Any) -> None:
    written = text(value)
    nowhere = any(word in json.dumps(value) for word in ("NaN", "Infinity"))
    assert written == (None if nowhere else json.dumps(value, separators=(",", ":"), sort_keys=True).encode())


@given(VALUES)
def test_a_value_is_shown_in_short(value: Any) -> None:
    shown = brief(value)
    assert len(shown) <= 5 * MAX_BRIEF
    if len(shown) <= MAX_BRIEF and "<integer" not in shown:
        assert repr(json.loads(shown)) == repr(value)
