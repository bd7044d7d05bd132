"""The graph of who uses whom, on repositories of which it is known; and what a change to them touches.

The analysis runs here as it does in a sandbox: by a Python of its own, with JSON in and out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from sandbox_service.judge.inside import analysis
from tests.reward.repository import DYNAMIC, STATIC, Repository, make

SEEDS = [1, 2, 3]
ENOUGH = 0.95


def analyse(base: dict[str, str], files: dict[str, str]) -> dict[str, Any]:
    _, option, text = analysis.command(analysis.IMPACT)
    told = json.dumps({"base": base, "files": files})
    ran = subprocess.run(
        [sys.executable, option, text], input=told.encode(), capture_output=True, check=True, timeout=60
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def edges(files: dict[str, str]) -> set[tuple[str, str]]:
    """All that the graph finds, asked of the graph itself."""
    text = "\n".join((analysis.HERE / f"{part}.py").read_text() for part in ("graph",))
    ask = "import json, sys\np = Project({k: ast.parse(v) for k, v in json.load(sys.stdin).items()})\n"
    program = f"{text}\n{ask}print(json.dumps(list(p.uses())))"
    ran = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(files).encode(), capture_output=True, check=True, timeout=60
    )
    return {(user, used) for user, used in json.loads(ran.stdout)}


def shares(found: set[Any], wanted: set[Any]) -> tuple[float, float]:
    """Precision and recall."""
    right = len(found & wanted)
    return right / max(len(found), 1), right / max(len(wanted), 1)


@pytest.fixture(scope="module", params=SEEDS)
def repository(request: pytest.FixtureRequest) -> Repository:
    return make(request.param)


def test_the_repository_is_a_program(repository: Repository, tmp_path: Any) -> None:
    """All of it can be imported, and whatever is called there works: else its edges are none."""
    for path, text in repository.files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    names = [path[:-3].replace("/", ".") for path in repository.files]
    calls = "[m.__dict__[n]() for m in list(sys.modules.values()) for n in list(vars(m)) if n.startswith('u_')]"
    code = f"import importlib, sys\nfor n in {names}: importlib.import_module(n)\n{calls}"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)


def test_static_calls(repository: Repository) -> None:
    found, static = edges(repository.files), repository.of(*STATIC)
    precision, recall = shares({edge for edge in found if edge not in repository.of(*DYNAMIC)}, static)
    print(f"static: precision {precision:.3f}, recall {recall:.3f} of {len(static)}")
    for kind in DYNAMIC:
        print(f"{kind}: recall {shares(found, repository.of(kind))[1]:.3f} of {len(repository.of(kind))}")
    missed = {kind: sorted(repository.of(kind) - found)[:2] for kind in STATIC if repository.of(kind) - found}
    assert recall >= ENOUGH, missed
    assert precision >= ENOUGH, sorted(found - static - repository.of(*DYNAMIC))[:5]


def test_what_a_change_touches(repository: Repository) -> None:
    """Over all modules: of each, the function that others use most is changed."""
    found, wanted = set[tuple[str, str]](), set[tuple[str, str]]()
    for path in sorted(path for path in repository.files if "__init__" not in path)[:10]:
        name = path.rpartition("/")[2][:-3]
        changed = f"{path}::f{name}"
        text = repository.files[path].replace(
            f"def f{name}(x=0):\n    return x", f"def f{name}(x=0):\n    return 1 + x"
        )
        told = analyse(repository.files, repository.files | {path: text})
        assert told["changed"] == [changed]
        assert told["to_adapt"] == []
        found |= {(changed, each) for each in told["dependents"]}
        # What is looked up at run time is not found by anybody who reads.
        wanted |= {(changed, each) for each in repository.dependents(changed, *STATIC, "unique")}
    precision, recall = shares(found, wanted)
    print(f"dependents: precision {precision:.3f}, recall {recall:.3f} of {len(wanted)}")
    assert (precision >= ENOUGH, recall >= ENOUGH) == (True, True), (
        sorted(found - wanted)[:5],
        sorted(wanted - found)[:5],
    )


BASE = {
    "lib/__init__.py": "from .core import area as surface\n",
    "lib/core.py": "LIMIT = 3\n\n\ndef area(a, b):\n    return a * b\n\n\ndef other():\n    return LIMIT\n",
    "app.py": "import lib\nfrom lib.core import LIMIT, other\n\n\ndef room():\n    return lib.surface(1, 2)\n\n\n"
    "def most():\n    return LIMIT\n\n\ndef rest():\n    return other()\n",
    "test_app.py": "from app import room, rest\n\n\ndef test_room():\n    assert room() == 2\n\n\n"
    "def test_rest():\n    assert rest() == 3\n",
}


def test_other_arguments_have_to_be_adapted() -> None:
    text = BASE["lib/core.py"].replace("def area(a, b):", "def area(a, b, scale):")
    told = analyse(BASE, BASE | {"lib/core.py": text})
    assert told["changed"] == ["lib/core.py::area"]
    assert told["to_adapt"] == ["app.py::room"]
    assert told["dependents"] == ["app.py::room", "test_app.py::test_room"]


def test_who_was_removed_is_missed() -> None:
    told = analyse(BASE, BASE | {"lib/core.py": "LIMIT = 3\n\n\ndef area(a, b):\n    return a * b\n"})
    assert told["to_adapt"] == ["app.py::rest"]
    assert "test_app.py::test_rest" in told["dependents"]


def test_a_variable_of_a_module() -> None:
    told = analyse(BASE, BASE | {"lib/core.py": BASE["lib/core.py"].replace("= 3", "= 4")})
    assert told["changed"] == ["lib/core.py"]
    assert set(told["dependents"]) == {"lib/core.py::other", "app.py::most", "app.py::rest", "test_app.py::test_rest"}


@pytest.mark.parametrize("text", ["# a comment\n", '"""Words."""\n', "\n\n"])
def test_words_are_no_change(text: str) -> None:
    told = analyse(BASE, BASE | {"lib/core.py": text + BASE["lib/core.py"]})
    assert told == {"changed": [], "dependents": [], "to_adapt": []}


def test_what_is_no_python_is_said() -> None:
    assert "no Python" in analyse(BASE, {"app.py": "def f(:"})["fault"]
