"""Values come out as they went in; containers stay the same ones."""

from __future__ import annotations

import array
import collections
import contextlib
import datetime
import decimal
import math
import pathlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.judge.inside.python import plain, standard, values
from sandbox_service.judge.inside.python.message import Malformed, TooMuch, dumps, loads
from sandbox_service.judge.inside.python.peer import deeply
from sandbox_service.judge.inside.python.shared import Shared
from sandbox_service.judge.inside.python.values import Decoder, Encoder, changed, snapshot

assert plain
assert standard  # teaches the types of the library
Pair = collections.namedtuple("Pair", "first second")

texts = st.text(st.characters(exclude_categories=())) | st.sampled_from(["\ud83d\ude00", "\ud83d", "😀"])
zones = st.none() | st.timedeltas(datetime.timedelta(hours=-23), datetime.timedelta(hours=23)).map(datetime.timezone)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(1 << 6000), 1 << 6000)
    | st.floats()
    | st.complex_numbers()
    | texts
    | st.binary()
    | st.decimals()
    | st.fractions()
    | st.dates()
    | st.datetimes(timezones=zones)
    | st.times(timezones=zones)
    | st.timedeltas()
    | st.builds(range, st.integers(), st.integers(), st.integers(1, 9))
    | st.builds(slice, st.none() | st.integers(), st.integers())
    | st.sampled_from([..., NotImplemented, int, type(None), ValueError, pathlib.PurePosixPath("a/b")])
)
keys = st.integers() | texts | st.tuples(st.integers(), texts) | st.frozensets(st.integers())
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.dictionaries(keys, inner).map(collections.OrderedDict)
        | st.dictionaries(keys, inner).map(lambda made: collections.defaultdict(list, made))
        | st.builds(collections.deque, st.lists(inner), st.none() | st.integers(0, 9))
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=20,
)
containers = (
    plain
    | st.sets(keys)
    | st.frozensets(keys)
    | st.binary().map(bytearray)
    | st.lists(keys).map(collections.Counter)
    | st.lists(st.integers(-9, 9)).map(lambda items: array.array("q", items))
)


def refuse(*_: Any) -> Any:
    raise AssertionError


def trip(value: Any) -> Any:
    return Decoder(refuse).decode(loads(dumps(Encoder(refuse).encode(value))))


def same(one: Any, other: Any) -> bool:
    """Equal, also where Python says otherwise of what is not a number, and of one type throughout."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return len(one) == len(other) and all(map(same, one.items(), other.items()))
    if isinstance(one, (list, tuple, collections.deque)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return math.copysign(1, one) == math.copysign(1, other) and (one == other or (one != one and other != other))
    if isinstance(one, complex):
        return same(one.real, other.real) and same(one.imag, other.imag)
    if isinstance(one, decimal.Decimal):
        return str(one) == str(other)
    return bool(one == other)


@given(containers)
def test_round_trip(value: Any) -> None:
    assert same(trip(value), value)


@given(st.datetimes(timezones=zones), st.integers(0, 1))
def test_fold(moment: datetime.datetime, fold: int) -> None:
    moment = moment.replace(fold=fold)
    assert trip(moment).fold == fold
    assert trip(moment).utcoffset() == moment.utcoffset()


def graph(shape: list[list[int]]) -> list[Any]:
    """Lists, sets of one item and dictionaries, which hold each other as they may."""
    nodes: list[Any] = [[] if number % 2 else {} for number in range(len(shape))]
    for node, links in zip(nodes, shape, strict=True):
        for link in links:
            target = nodes[link % len(nodes)]
            node.append(target) if isinstance(node, list) else node.update({len(node): (target, [target])})
    return nodes


def form(value: Any, known: dict[int, int] | None = None) -> Any:
    """What hangs together how."""
    known = {} if known is None else known
    if isinstance(value, tuple):
        return ("tuple", *[form(item, known) for item in value])
    if not isinstance(value, (list, dict)):
        return value
    if id(value) in known:
        return known[id(value)]
    known[id(value)] = len(known)
    items = value.items() if isinstance(value, dict) else value
    return (type(value).__name__, *[form(item, known) for item in list(items)])


shapes = st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=8)


@given(shapes)
def test_what_is_held_twice_is_one(shape: list[list[int]]) -> None:
    nodes = graph(shape)
    assert form(trip(nodes)) == form(nodes)


@given(shapes, st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.booleans()), max_size=5))
def test_changes_reach_the_containers_themselves(shape: list[list[int]], steps: list[tuple[int, int, bool]]) -> None:
    """As in a question and its answer."""
    nodes = graph(shape)
    asking = Encoder(refuse)
    message = loads(dumps(asking.encode(nodes)))
    reading = Decoder(refuse)
    theirs = reading.decode(message)
    before = [snapshot(item) for item in reading.containers]
    for place, link, new in steps:
        node, target = theirs[place % len(theirs)], [] if new else theirs[link % len(theirs)]
        node.insert(0, target) if isinstance(node, list) else node.update({link: target})
    answering = Encoder(refuse, list(reading.containers))
    changes = [
        [number, answering.content(reading.containers[number])]
        for number, old in enumerate(before)
        if changed(reading.containers[number], old)
    ]
    back = Decoder(refuse, asking.containers)
    for change in loads(dumps(changes)):
        back.update(*change)
    assert form(nodes) == form(theirs)
    assert all(one is other for one, other in zip(back.containers, asking.containers, strict=False))


def test_shared_containers_tell_only_what_is_new() -> None:
    shared, one, other = Shared(), [1], {"a": [2]}
    shared.add([one, other])
    assert shared.changes(Encoder(refuse, list(shared.containers)), [0, 1]) == []
    one.append(3)
    changes = shared.changes(Encoder(refuse, list(shared.containers)), [0, 1])
    assert changes == [[0, [1, 3]]]
    shared.told(changes, [0, 1])
    assert shared.changes(Encoder(refuse, list(shared.containers)), [0, 1]) == []


class Odd(int):
    """No plain value, whatever it says."""

    __class__ = int  # type: ignore[assignment]


class Named(collections.namedtuple("Named", "a")):
    """Has something of its own."""


@pytest.mark.parametrize("value", [Odd(1), [Odd(1)], {Odd(1): 2}, Named(1), object(), Odd, len, (i for i in ())])
def test_what_is_not_plain(value: Any) -> None:
    met: list[Any] = []
    Encoder(lambda item, encoder: met.append(item)).encode(value)
    assert len(met) == 1


@pytest.mark.parametrize("depth", [299, 300, 301, 400])
def test_depth(depth: int) -> None:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    if depth <= 300:
        assert dumps(deeply(Encoder(refuse).encode, deeply(trip, value))) == b"[" * depth + b"]" * depth
    else:
        with pytest.raises(TooMuch):
            deeply(Encoder(refuse).encode, value)
        with pytest.raises(TooMuch):
            deeply(Decoder(refuse).decode, loads(b"[" * depth + b"]" * depth))


@pytest.mark.parametrize("data", [b"", b"[", b"1 2", b'"\xc3\xa9"', b"nul", b"{1:2}", b"9" * 5000])
def test_no_message(data: bytes) -> None:
    with pytest.raises(Malformed):
        loads(data)


@given(st.binary(max_size=50) | st.text(max_size=50).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes(data: bytes) -> None:
    with contextlib.suppress(Malformed, TooMuch):
        loads(data)


def test_every_type_has_its_tag() -> None:
    assert set(values.TAGS.values()) <= set(values.MAKERS)
    assert set(values.MAKERS) == set(values.FILLERS)
    assert not set(values.MAKERS) & set(values.READERS)
