"""Datasets with a test text a problem: HumanEval, MBPP, EvalPlus, HumanEvalPack, MBXP."""

from __future__ import annotations

import re

from sandbox_service.datasets.problem import FormatError, Problem, Row, assertions, text

_MBXP = {"MBPP": "python", "MBJP": "java", "MBJSP": "javascript", "MBCPP": "cpp", "MBGP": "go", "MBTSP": "typescript"}
_PACK = {"Python": "python", "CPP": "cpp", "JavaScript": "javascript", "Java": "java", "Go": "go", "Rust": "rust"}


def humaneval(row: Row) -> Problem:
    """OpenAI's HumanEval: `task_id, prompt, canonical_solution, test, entry_point`."""
    prompt, name = text(row, "prompt"), text(row, "entry_point")
    body = {"language": "python", "task": assertions(text(row, "test"), entry_point=name)}
    references = [("python", prompt + text(row, "canonical_solution"))] if "canonical_solution" in row else []
    return Problem(text(row, "task_id"), body, prompt, "\n", references)


def mbpp(row: Row) -> Problem:
    """Google's MBPP, whole or sanitized: `task_id, text | prompt, code, test_list, test_setup_code | test_imports`."""
    tests = row.get("test_list")
    if not isinstance(tests, list) or not tests:
        raise FormatError("there is no field test_list")
    setup = row.get("test_imports") or [text(row, "test_setup_code", default="")]
    body = {"language": "python", "task": assertions("\n".join(tests), "\n".join(setup))}
    references = [("python", str(row["code"]))] if "code" in row else []
    return Problem(f"MBPP/{row.get('task_id')}", body, references=references)


def evalplus(row: Row) -> Problem:
    """HumanEval+ and MBPP+ as they are published with their tests: `task_id, prompt, test, entry_point, ...`."""
    if "test" not in row:
        raise FormatError("there is no field test: take the release that has its tests in it (humanevalplus, mbppplus)")
    if "code" in row:  # MBPP+
        body = {"language": "python", "task": assertions(text(row, "test"))}
        return Problem(f"MBPP/{row.get('task_id')}", body, references=[("python", str(row["code"]))])
    return humaneval(row)


def humanevalpack(row: Row) -> Problem:
    """BigCode's HumanEvalPack: `task_id, declaration, canonical_solution, buggy_solution, test, import, test_setup`."""
    id = text(row, "task_id")
    language = _PACK.get(id.partition("/")[0])
    if language is None:
        raise FormatError(f"{id} names no language of HumanEvalPack")
    before = text(row, "import", default="")
    before = "\n".join(filter(None, ["package main" if language == "go" else "", before]))
    prefix = f"{before}\n{text(row, 'declaration', 'prompt')}" if before else text(row, "declaration", "prompt")
    # The test calls `check` itself, and names the function as it is.
    task = assertions(text(row, "test"), text(row, "test_setup", default=""))
    whole = {
        name: prefix + text(row, f"{name}_solution") for name in ("canonical", "buggy") if f"{name}_solution" in row
    }
    references = [(language, whole["canonical"])] if "canonical" in whole else []
    buggy = [(language, whole["buggy"])] if "buggy" in whole else []
    return Problem(id, {"language": language, "task": task}, prefix, "\n", references, buggy)


def mbxp(row: Row) -> Problem:
    """Amazon's MBXP and multilingual HumanEval: `task_id, language, prompt, canonical_solution, test, entry_point`."""
    id = text(row, "task_id")
    language = row.get("language") or _MBXP.get(re.split(r"[/_]", id)[0])
    if not isinstance(language, str):
        raise FormatError(f"{id} names no language")
    prompt, language = text(row, "prompt"), language.lower()
    body = {"language": {"c++": "cpp"}.get(language, language), "task": assertions(text(row, "test"))}
    solution = row.get("canonical_solution")
    references = [(body["language"], prompt + solution)] if isinstance(solution, str) else []
    return Problem(id, body, prompt, "\n", references)  # type: ignore[arg-type]
