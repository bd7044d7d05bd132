"""An examiner beside a host that sends what no honest one sends always comes to an orderly end."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.judge.javascript.pair import Examined, beside

TEXT = """
const r = f([1, {a: new Map([[1, new Date(2)]])}, (x) => x], {k: 1});
assert.deepStrictEqual(r, [1, 2]);
for (const x of f(1) ?? []) assert(x === 1);
assert.strictEqual(String(new C(2)), '2');
assert.throws(() => f(2), RangeError);
assert.deepStrictEqual(await f(3), {a: 1});
assert.deepStrictEqual({...f(4)}, {b: 2});
assert.strictEqual(JSON.stringify(f(5)), '[1]');
assert.strictEqual(f(6) instanceof C, true);
"""
# Answers requests from a list, as bytes or as what is sent after the request's number is put in for "N".
HOST = """
import json, os, struct, sys
def read(n):
    data = b""
    while len(data) < n:
        part = os.read(3, n - len(data))
        if not part:
            os._exit(0)
        data += part
    return data
def receive():
    return json.loads(read(struct.unpack(">I", read(4))[0]))
def send(body):
    body = struct.pack(">I", len(body)) + body
    while body:
        body = body[os.write(4, body):]
for item in json.load(open("answers.json")):
    message = receive()
    if "raw" in item:
        os.write(4, bytes.fromhex(item["raw"]))
    else:
        number = message.get("id", message.get("answer"))
        send(json.dumps(item["send"]).replace('"N"', str(number)).encode())
"""
FUNCTION = ["@", "h", 0, "function", "f", 1]
CLASS = ["@", "h", 1, "function", "C", 1]
NAMES = {"to": "N", "base": 0, "ids": [0, 0, 0], "nodes": [["A", 2, [["r", 1], ["r", 2]], [], 0], FUNCTION, CLASS]}
NAMES |= {"roots": [["r", 0]]}


def answer(root: Any, *nodes: Any, **more: Any) -> dict[str, Any]:
    return {"to": "N", "base": 0, "roots": [root], "nodes": list(nodes), "ids": [0] * len(nodes)} | more


def examine(answers: list[Any]) -> Examined:
    with tempfile.TemporaryDirectory() as folder:
        items = [item if isinstance(item, dict) and "raw" in item else {"send": item} for item in answers]
        (Path(folder) / "answers.json").write_text(json.dumps(items))
        task = {"code": TEXT, "setup": None, "entry_point": "f", "file": "main.js"}
        return beside(["/usr/bin/python3", "-c", HOST], Path(folder), task)


def orderly(examined: Examined) -> None:
    assert examined.ended, examined
    assert examined.exit_code == 0
    assert len(examined.cases) == len(examined.plan) == 8
    assert not examined.accepted


def test_the_host_is_an_honest_one_up_to_here() -> None:
    two = answer(["r", 0], ["A", 2, [1, 2], [], 0])
    examined = examine([NAMES, two, answer(None)])
    orderly(examined)
    assert examined.passed[:2] == [True, False], examined


R0 = ["r", 0]
ODD: dict[str, Any] = {
    "no answer": {"raw": ""},
    "half a head": {"raw": "0000"},
    "half a frame": {"raw": "000000107b"},
    "a huge head": {"raw": "ffffffff"},
    "no JSON": {"raw": "000000027b7b"},
    "null": None,
    "a number": 5,
    "a list": [],
    "nothing": {},
    "another number": answer(1) | {"to": 99},
    "a text for a number": answer(1) | {"to": "1"},
    "no roots": answer(1) | {"roots": []},
    "roots that are none": answer(1) | {"roots": 5},
    "fewer identities": answer(R0, ["A", 0, [], [], 0]) | {"ids": []},
    "identities that are none": answer(R0, ["A", 0, [], [], 0]) | {"ids": ["x"]},
    "identities of nobody": answer(R0, ["A", 1, [1], [], 0]) | {"ids": [-77]},
    "an identity of another kind": answer(R0, ["O", 1, ["x", 1], 0]) | {"ids": [-1]},
    "the base of nobody": answer(1) | {"base": 3},
    "a base that is none": answer(1) | {"base": {"x": 1}},
    "an unknown reference": answer(["r", 5]),
    "a negative reference": answer(["r", -1]),
    "a fractional reference": answer(["r", 0.5]),
    "an unknown slot": answer(["q"]),
    "an object for a slot": answer({"a": 1}),
    "a bad number": answer(["n", "toString"]),
    "a bad bigint": answer(["b", "zz"]),
    "a bad symbol": answer(["y", "at", "prototype"]),
    "an unknown node": answer(R0, ["Q"]),
    "a node that is none": answer(R0, 5),
    "an empty node": answer(R0, []),
    "an array that is longer than it says": answer(R0, ["A", 1, [1, 2], [], 0]),
    "an array of a bad length": answer(R0, ["A", -1, [], [], 0]),
    "an array of a huge length": answer(R0, ["A", 2**31, [], [], 0]),
    "many arrays of a large length": answer(R0, *[["A", 2**21, [], [], 0]] * 9),
    "holes of a bad size": answer(R0, ["A", 4, [["h", -1]], [], 0]),
    "entries without a value": answer(R0, ["O", 1, ["a"], 0]),
    "a key that is none": answer(R0, ["O", 1, [["r", 0], 1], 0]),
    "a method": answer(R0, ["O", 1, ["toJSON", ["r", 1]], 0], ["@", "h", 9, "function", "x", 0]),
    "an array with a method": answer(R0, ["A", 0, [], ["toJSON", ["r", 1]], 0], ["@", "h", 9, "function", "x", 0]),
    "an error with a method": answer(R0, ["E", "Error", "x", "m", [], ["toString", ["r", 1]], []], FUNCTION),
    "an error of no class": answer(R0, ["E", "Object", "x", "m", [], [], []]),
    "an error of a bad class": answer(R0, ["E", "Error", "x", "m", [], [], [5]]),
    "a long error": answer(R0, ["E", "Error", "x", "m" * 3000, [], [], []]),
    "a date that is none": answer(R0, ["D", "x"]),
    "a bad pattern": answer(R0, ["R", "(", "", 0]),
    "bad flags": answer(R0, ["R", "a", "qq", 0]),
    "half an element": answer(R0, ["T", "Float64Array", "AAAA"]),
    "bytes of no type": answer(R0, ["T", "Map", "AAAA"]),
    "a box of nothing": answer(R0, ["B", ["u"]]),
    "a box of itself": answer(R0, ["B", ["r", 0]]),
    "an unknown thing": answer(R0, ["@", "h", 77]),
    "a thing of no kind": answer(R0, ["@", "h", 77, "toString"]),
    "a callback of nobody": answer(R0, ["@", "e", 77]),
    "an object of bad classes": answer(R0, ["@", "h", 77, "object", [["x", 1]], 0]),
    "an object of a class that is no function": answer(R0, ["@", "h", 7, "object", [[7, "x"]], 0]),
    "classes in a circle": answer(R0, ["@", "h", 7, "object", [[8, "a"], [9, "b"], [8, "a"]], 0]),
    "an iterator of no tag": answer(R0, ["@", "h", 77, "iterator", 5]),
    "a thing twice": answer(["r", 1], ["@", "h", 7, "promise"], ["@", "h", 7, "object", [], 0]),
    "a call of nobody": {"call": 1, "function": 99, "roots": [], "nodes": [], "ids": []},
    "a call of no function": {"call": 1, "function": "x", "roots": [], "nodes": [], "ids": []},
    "a call of garbage": {"call": 1, "function": 0, "roots": 1},
    "too much": {"over": True},
    "something thrown": answer(R0, ["E", "RangeError", "x", "m", [], [], []], thrown=True),
    "a proxy": answer(R0, ["@", "h", 77, "object", [], 1]),
    "deep": answer(R0, *[["A", 1, [["r", i + 1]], [], 0] for i in range(500)], ["A", 0, [], [], 0]),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers(name: str) -> None:
    orderly(examine([NAMES, ODD[name]]))


@pytest.mark.parametrize(
    "name", ["half a frame", "no JSON", "null", "no roots", "an unknown thing", "something thrown", "too much"]
)
def test_odd_names(name: str) -> None:
    orderly(examine([ODD[name]]))


def test_many_brackets() -> None:
    body = b"[" * (8 << 20) + b"]" * (8 << 20)
    orderly(examine([NAMES, {"raw": (len(body).to_bytes(4, "big") + body).hex()}]))


def mutated(value: Any, chance: random.Random) -> Any:
    """A message with something else in some places."""
    if chance.random() < 0.04:
        return chance.choice(
            [None, -1, 0, 1, 2.5, "x", "", [], {}, ["r", 0], ["u"], ["@", "e", 0], True, 2**40, "A", "E"]
        )
    if isinstance(value, list):
        made = [mutated(item, chance) for item in value]
        if made and chance.random() < 0.05:
            made.insert(chance.randrange(len(made)), made[chance.randrange(len(made))])
        if made and chance.random() < 0.05:
            made.pop(chance.randrange(len(made)))
        return made
    if isinstance(value, dict):
        return {key: mutated(item, chance) for key, item in value.items() if chance.random() > 0.01}
    return value


HONEST = [
    NAMES,
    answer(R0, ["A", 2, [1, 2], [], 0]),
    answer(R0, ["M", [1, R0, ["r", 1], 2]], ["S", [1, 2]]),
    answer(R0, ["@", "h", 5, "object", [[1, "C"]], 0]),
    answer("2"),
    answer(R0, ["E", "RangeError", "R", "m", ["cause", 1], ["code", 2], [[1, "C"]]], thrown=True),
    answer(R0, ["@", "h", 6, "promise"]),
    {"call": 1, "function": 0, "roots": [1], "nodes": [], "ids": []},
    answer(R0, ["O", 1, ["a", 1], 0], settled=[[6, True]], idle=False),
    answer(R0, ["@", "h", 5]),
    answer(R0, ["A", 2, ["a", "b"], [], 0]),
    answer(R0, ["A", 2, [True, ["r", 1]], [], 0], ["O", 1, ["x", ["n", "NaN"]], 1]),
    answer(R0, ["@", "h", 8, "iterator", "Generator"]),
]


def fuzz(seed: int) -> None:
    chance = random.Random(seed)
    answers = [NAMES] + [mutated(chance.choice(HONEST), chance) for _ in range(chance.randrange(1, 30))]
    try:
        orderly(examine(answers))
    except Exception as error:
        error.add_note(f"seed {seed}: {json.dumps(answers)[:2000]}")
        raise


@pytest.mark.parametrize("seed", range(8))
def test_some_mutations(seed: int) -> None:
    fuzz(seed)


@pytest.mark.full
def test_many_mutations() -> None:
    for seed in range(100, 400):
        fuzz(seed)
