"""Results as JSON: any bytes, at most 8 MiB, whatever the program printed."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.contract.result import Artifact, CaseResult, Result
from sandbox_service.contract.verdict import State, Verdict
from sandbox_service.results import MAX_RESPONSE_BYTES, encode, output_bytes, output_fields

MIB = 1 << 20


def case(name: str, **fields: object) -> CaseResult:
    return CaseResult.model_validate({"id": name, "verdict": Verdict.ACCEPTED} | fields)


def result(**fields: object) -> Result:
    return Result.model_validate({"id": "sub_x", "state": State.FINISHED} | fields)


@pytest.mark.parametrize("data", [b"", b"plain\n", "h\u00e4\u2028\U0001f600".encode(), b"a\x00b"])
def test_text_stays_text(data: bytes) -> None:
    assert output_fields("stdout", data) == {"stdout": data.decode()}


@pytest.mark.parametrize("data", [b"\xff", b"ok\xc3", "\ud800".encode("utf-8", "surrogatepass")])
def test_other_bytes_stand_beside_in_base64(data: bytes) -> None:
    fields = output_fields("stderr", data)
    assert base64.b64decode(fields["stderr_base64"]) == data
    assert "\ufffd" in fields["stderr"]


def test_a_lone_surrogate_in_metadata_survives() -> None:
    assert json.loads(encode(result(metadata={"a": "\ud800"})))["metadata"] == {"a": "\ud800"}


def test_small_results_are_whole() -> None:
    encoded = json.loads(encode(result(cases=[case("0", stdout="x" * MIB)])))
    assert encoded["cases"][0]["stdout"] == "x" * MIB


@pytest.mark.parametrize("text", ["x" * MIB, "\x00" * MIB, "\U0001f600" * (MIB // 4)], ids=["plain", "NUL", "emoji"])
def test_the_output_of_later_cases_is_cut_first(text: str) -> None:
    encoded = encode(result(cases=[case(str(number), stdout=text, stderr="e") for number in range(20)]))
    assert len(encoded) <= MAX_RESPONSE_BYTES
    cases = json.loads(encoded)["cases"]
    whole = [item["stdout"] == text for item in cases]
    assert whole[0]
    assert whole == sorted(whole, reverse=True)
    assert all(item["stdout_truncated"] != kept for item, kept in zip(cases, whole, strict=True))


def test_artifacts_are_cut_after_outputs_and_say_so() -> None:
    blob = base64.b64encode(bytes(MIB)).decode()
    artifacts = {str(number): Artifact(size=MIB, base64=blob) for number in range(8)}
    encoded = encode(result(cases=[case("0", stdout="x")], artifacts=artifacts))
    assert len(encoded) <= MAX_RESPONSE_BYTES
    found = json.loads(encoded)["artifacts"]
    assert [item["truncated"] for item in found.values()] == [False] * 5 + [True] * 3
    assert all(item["size"] == MIB for item in found.values())


@given(st.binary(max_size=200))
def test_an_output_takes_no_more_than_is_told(data: bytes) -> None:
    fields = output_fields("stdout", data)
    taken = sum(len(json.dumps(text)) - 2 for text in fields.values())
    assert taken <= output_bytes(data) + 4


def test_plain_text_takes_its_length() -> None:
    assert output_bytes(b"plain text") == len(b"plain text")
