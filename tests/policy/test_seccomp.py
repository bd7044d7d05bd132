"""Filters of system calls: what the kernel is handed means what the source says, for every call and machine."""

from __future__ import annotations

import errno
import random
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.data import data_dir
from sandbox_service.policy.seccomp import Profile, compile_bpf, load_profile, oci_profile
from sandbox_service.policy.seccomp.bpf import AUDIT_ARCHITECTURES, MAX_STEPS, X32_BIT
from sandbox_service.policy.seccomp.calls import MACHINES, numbers
from sandbox_service.policy.seccomp.source import Condition, Group

FOLDER = data_dir("policies") / "seccomp"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
PROFILES = {name: load_profile(FOLDER, name) for name in NAMES}
ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
Arguments = list[int]
WORD = st.one_of(st.integers(0, 64), st.integers(0, (1 << 32) - 1), st.integers(0, (1 << 64) - 1))


def run_bpf(program: bytes, number: int, architecture: int, arguments: Arguments) -> int:
    """What a kernel makes of a program: its answer."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = accumulator = 0
    while True:
        code, skip_if, skip_if_not, operand = steps[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, operand)[0]
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x05:
            at += operand
        elif code == 0x06:
            return operand
        else:
            met = {0x15: accumulator == operand, 0x35: accumulator >= operand}[code]
            at += skip_if if met else skip_if_not


def meant(profile: Profile, call: str, arguments: Arguments) -> int:
    """What the source says."""
    group = profile.groups.get(call)
    if group is None:
        return value_of(profile.otherwise)
    for tests in group.allow_if:
        if all(holds(test, arguments[int(name[-1])]) for name, test in tests.items()):
            return ALLOW
    return value_of(group.answer)


def holds(test: Condition, argument: int) -> bool:
    masked = argument & test.mask
    return masked in test.any_of if test.any_of else masked not in test.none_of


def value_of(answer: str) -> int:
    return {"allow": ALLOW, "kill": NOTIFY, "nothing": ERRNO}.get(answer) or ERRNO | getattr(errno, answer)


def telling(group: Group | None, arguments: Arguments, choose: random.Random) -> Arguments:
    """The arguments, some replaced by values that the group asks for, with and without a bit changed."""
    for tests in group.allow_if if group else ():
        for name, test in tests.items():
            value = choose.choice(test.any_of + test.none_of)
            arguments[int(name[-1])] = value ^ choose.choice([0, 0, 0, 1, 1 << 31, 1 << 32, 1 << 63])
    return arguments


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", NAMES)
def test_every_call(name: str, machine: str) -> None:
    """All calls with many arguments, and all numbers around them."""
    profile, choose = PROFILES[name], random.Random(7)
    program = compile_bpf(profile, machine)
    calls = {number: call for call, number in numbers(machine).items()}
    for number in range(700):
        call = calls.get(number, "")
        group = profile.groups.get(call)
        for _ in range(60 if group and group.allow_if else 2):
            arguments = telling(group, [choose.getrandbits(choose.choice([8, 32, 64])) for _ in range(6)], choose)
            found = run_bpf(program, number, AUDIT_ARCHITECTURES[machine], arguments)
            assert found == meant(profile, call, arguments), (call, number, arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", NAMES)
def test_other_numbers_and_architectures(name: str, machine: str) -> None:
    program = compile_bpf(PROFILES[name], machine)
    absent = ERRNO | errno.ENOSYS
    here = AUDIT_ARCHITECTURES[machine]
    for number in (X32_BIT, X32_BIT + 59, X32_BIT + 520, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        assert run_bpf(program, number, here, [0] * 6) == absent
    i386, arm, other = 0x40000003, 0x40000028, next(value for value in AUDIT_ARCHITECTURES.values() if value != here)
    for architecture in (i386, arm, other, 0):
        for number in (0, 1, 59, 102, 120, 11):
            assert run_bpf(program, number, architecture, [0] * 6) == absent


def conditions(words: st.SearchStrategy[int]) -> st.SearchStrategy[Condition]:
    def build(mask: int, values: list[int], negated: bool) -> Condition:
        kept = sorted({value & mask for value in values})
        return Condition(mask=mask, **{"none_of" if negated else "any_of": kept})

    return st.builds(build, words, st.lists(words, min_size=1, max_size=4), st.booleans())


GROUPS = st.builds(
    Group,
    why=st.just("x"),
    answer=st.sampled_from(["EPERM", "EACCES", "kill", "nothing"]),
    calls=st.just([]),
    allow_if=st.lists(st.dictionaries(st.sampled_from(["arg0", "arg1", "arg5"]), conditions(WORD)), max_size=3),
)


@given(st.dictionaries(st.sampled_from(sorted(numbers("x86_64"))), GROUPS, max_size=40), st.data())
def test_any_filter(groups: dict[str, Group], data: st.DataObject) -> None:
    """Also with jumps over more steps than one can leave out, and with values of 64 bits."""
    profile = Profile("any", "EDOM", groups, "")
    program = compile_bpf(profile, "x86_64")
    for call in [*groups, "read"]:
        choose = random.Random(data.draw(st.integers()))
        arguments = telling(groups.get(call), data.draw(st.lists(WORD, min_size=6, max_size=6)), choose)
        found = run_bpf(program, numbers("x86_64")[call], AUDIT_ARCHITECTURES["x86_64"], arguments)
        assert found == meant(profile, call, arguments)


def test_far_jumps() -> None:
    test = {"arg0": Condition(none_of=list(range(300)))}
    group = Group(why="x", answer="EPERM", calls=[], allow_if=[test])
    profile = Profile("far", "EDOM", {"read": group, "write": group, "clone3": group}, "")
    program = compile_bpf(profile, "x86_64")
    assert len(program) // 8 > 1500
    for call in profile.groups:
        for argument, answer in ((0, ERRNO | 1), (299, ERRNO | 1), (300, ALLOW), (1 << 32, ERRNO | 1)):
            assert run_bpf(program, numbers("x86_64")[call], 0xC000003E, [argument] * 6) == answer
    assert run_bpf(program, 3, 0xC000003E, [0] * 6) == ERRNO | errno.EDOM


def test_one_that_is_too_large() -> None:
    group = Group(why="x", answer="EPERM", calls=[], allow_if=[{"arg0": Condition(any_of=list(range(MAX_STEPS)))}])
    with pytest.raises(ValueError, match="steps"):
        compile_bpf(Profile("large", "EDOM", {"read": group}, ""), "x86_64")


def test_a_machine_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        compile_bpf(PROFILES["default"], "riscv64")


def allowed_by_oci(document: dict[str, Any], call: str, arguments: Arguments) -> bool:
    """What libseccomp makes of the JSON: the rules of a call whose comparisons all hold."""
    for rule in document["syscalls"]:
        comparisons = rule.get("args", [])
        assert all(item["op"] == "SCMP_CMP_MASKED_EQ" for item in comparisons)
        met = all(arguments[item["index"]] & item["value"] == item["valueTwo"] for item in comparisons)
        if call in rule["names"] and met and rule["action"] == "SCMP_ACT_ALLOW":
            return True
    return False


@pytest.mark.parametrize("name", NAMES)
def test_the_json_allows_the_same(name: str) -> None:
    """And it never gives a call two answers at once, of which libseccomp would take either."""
    profile, document, choose = PROFILES[name], oci_profile(PROFILES[name]), random.Random(11)
    assert (document["defaultAction"], document["defaultErrnoRet"]) == ("SCMP_ACT_ERRNO", errno.ENOSYS)
    named = [call for rule in document["syscalls"] if "args" not in rule for call in rule["names"]]
    assert len(named) == len(set(named))
    for call, group in profile.groups.items():
        assert not (group.allow_if and call in named)
        for _ in range(100 if group.allow_if else 1):
            arguments = telling(group, [choose.getrandbits(choose.choice([8, 32, 64])) for _ in range(6)], choose)
            expected = meant(profile, call, arguments) == ALLOW
            assert allowed_by_oci(document, call, arguments) == expected, (call, arguments)


def test_the_json_kills_for_the_same() -> None:
    document = oci_profile(PROFILES["default"])
    killed = {
        call for rule in document["syscalls"] if rule["action"] == "SCMP_ACT_KILL_PROCESS" for call in rule["names"]
    }
    assert killed == {call for call, group in PROFILES["default"].groups.items() if group.answer == "kill"}
    assert "mount" in killed


HEADERS = {
    "x86_64": ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"],
    "aarch64": ["/usr/include/asm-generic/unistd.h"],
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = next((Path(path) for path in HEADERS[machine] if Path(path).exists()), None)
    if header is None:
        pytest.skip("no kernel headers here")
    found = dict(re.findall(r"^#define __NR_(\w+)\s+(\d+)$", header.read_text(), re.MULTILINE))
    found = {name: number for name, number in found.items() if name in numbers(machine)}
    assert len(found) > 250
    assert {name: numbers(machine)[name] for name in found} == {name: int(number) for name, number in found.items()}


def narrower(name: str, than: str) -> list[str]:
    """Calls that a filter answers otherwise than by letting them through, where the other lets them through."""
    of, other = PROFILES[name].groups, PROFILES[than].groups
    return [call for call in other if not lets_through(of.get(call)) and lets_through(other[call])]


def lets_through(group: Group | None) -> bool:
    return group is not None and (group.answer == "allow" or bool(group.allow_if))


def test_strict_is_narrower_and_trusted_wider() -> None:
    assert {"shmget", "mq_open", "splice"} <= set(narrower("strict", "default"))
    assert narrower("default", "strict") == []
    assert set(narrower("default", "trusted")) >= {"ptrace", "seccomp"}
    assert narrower("trusted", "default") == []


SOURCE = "otherwise: ENOSYS\ngroups:\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("groups: []\n", "either base or otherwise"),
        (SOURCE + "- {why: x, answer: allow, calls: [raed]}\n", "raed"),
        (SOURCE + "- {why: x, answer: EODD, calls: [read]}\n", "EODD"),
        (SOURCE + "- {answer: allow, calls: [read]}\n", "why"),
        (
            SOURCE + "- {why: x, answer: allow, calls: [read]}\n- {why: x, answer: EPERM, calls: [read]}\n",
            "in two groups",
        ),
        (SOURCE + "- {why: x, answer: allow, calls: [read], allow_if: [{arg0: {any_of: [1]}}]}\n", "says nothing"),
        (SOURCE + "- {why: x, answer: EPERM, calls: [read], allow_if: [{arg0: {}}]}\n", "any_of or none_of"),
        (SOURCE + "- {why: x, answer: EPERM, calls: [read], allow_if: [{arg0: {mask: 1, any_of: [2]}}]}\n", "mask"),
        (SOURCE + "- {why: x, answer: EPERM, calls: [read], allow_if: [{arg6: {any_of: [2]}}]}\n", "arg6"),
        ("base: missing\ngroups: []\n", "missing"),
        ("groups: [\n", "odd.yaml"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "odd.yaml").write_text(text)
    with pytest.raises(ValueError, match=why):
        load_profile(tmp_path, "odd")


def test_the_digest_covers_the_base(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(SOURCE + "- {why: x, answer: allow, calls: [read]}\n")
    (tmp_path / "above.yaml").write_text("base: below\ngroups: []\n")
    first = load_profile(tmp_path, "above")
    assert set(first.groups) == {"read"}
    (tmp_path / "below.yaml").write_text(SOURCE + "- {why: x, answer: allow, calls: [read, write]}\n")
    assert load_profile(tmp_path, "above").digest != first.digest


def test_a_base_of_a_base(tmp_path: Path) -> None:
    for name, base in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.yaml").write_text(f"base: {base}\ngroups: []\n")
    with pytest.raises(ValueError, match="none of its own"):
        load_profile(tmp_path, "one")
