"""What runs inside sandboxes for Python's tasks. Plain text here: none of it is run, or imported, by the service.

An assertions task has two programs, `host.py` beside the solution and `examiner/` with the test text. Each is sent as
one file, which `bundle` makes of its parts. Compiling them takes longer than to run them, so they may be compiled once,
by the interpreter that is to run them (`compile_command`), and be sent compiled from then on.
"""

from __future__ import annotations

import ast
import base64
import zlib
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = b"/usr/bin/python3"
SHARED = ("message", "values", "plain", "standard", "arrays", "operations", "forward", "shared", "peer", "kinds")
HOST = (*SHARED, "below", "streams", "host")
EXAMINER = (
    *SHARED,
    *(
        f"examiner/{name}"
        for name in [
            "evidence",
            "cases",
            "tree",
            "names",
            "plan",
            "watch",
            "gifts",
            "policy",
            "classes",
            "standins",
            "errors",
            "session",
            "library",
            "unit",
            "docs",
            "dynamic",
            "patches",
            "text",
            "resolve",
            "examination",
            "main",
        ]
    ),
)
# The work dir, or the folder of the program, is no place to load modules of Python's from.
SAFE = "import sys\nif not getattr(sys.flags, 'safe_path', False): del sys.path[0]\n"
COMPILE = """
import marshal, py_compile
py_compile.compile("examiner.py", "examiner.pyc", "examiner.py", True, 2, py_compile.PycInvalidationMode.UNCHECKED_HASH)
with open("host.py", "rb") as file: code = compile(file.read(), "host.py", "exec", 0, True, 2)
with open("host.bin", "wb") as file: file.write(marshal.dumps(code))
"""


def bundle(parts: tuple[str, ...]) -> str:
    """One program of several modules. Raises ValueError if two of them define the same name."""
    body: list[ast.stmt] = []
    defined: set[str] = set()
    for part in parts:
        for node in ast.parse((HERE / f"{part}.py").read_text()).body:
            if for_types(node) or (isinstance(node, ast.ImportFrom) and (node.level or node.module == "__future__")):
                continue
            names = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else assigned(node)
            if clash := names & defined:
                raise ValueError(f"{part} defines {clash} once more")
            defined |= names
            body.append(Bare().visit(node))
    return SAFE + ast.unparse(ast.Module(body, [])) + "\nmain()\n"


class Bare(ast.NodeTransformer):
    """Takes away what only readers need: docstrings, and annotations, which an older Python might not understand."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """A parameter."""
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """An attribute or variable with a type."""
        return ast.Pass() if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """A function."""
        node.returns = None
        return self.without_docstring(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        """Another one."""
        node.returns = None
        return self.without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """A class."""
        return self.without_docstring(node)

    def without_docstring(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ast.stmt:
        """Anything with a body."""
        if ast.get_docstring(node) is not None:
            node.body[:1] = [] if node.body[1:] else [ast.Pass()]
        self.generic_visit(node)
        return node


def for_types(node: ast.stmt) -> bool:
    """Whether a statement is there for type checkers or readers alone."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return assigned(node) == {"TYPE_CHECKING"} or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def assigned(node: ast.stmt) -> set[str]:
    """Names that an assignment defines."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def host_source(compiled: bytes | None = None) -> str:
    """The program beside the solution, for `python3 -c SOURCE FILE`. `compiled`: as `host.bin` of `compile_command`."""
    if compiled is None:
        return bundle(HOST)
    code = base64.b64encode(zlib.compress(compiled, 9)).decode()
    return f"{SAFE}import binascii, marshal, zlib\nexec(marshal.loads(zlib.decompress(binascii.a2b_base64('{code}'))))"


def examiner_files(compiled: bytes | None = None) -> dict[str, bytes]:
    """The files of the examiner; `task.json` lies beside them. `compiled`: as `examiner.pyc` of `compile_command`."""
    return {"examiner.py": bundle(EXAMINER).encode()} if compiled is None else {"examiner.pyc": compiled}


def examiner_command(compiled: bool = False) -> list[bytes]:
    """How the examiner is started, in the folder of its files."""
    # Not isolated (-I): that would make sets of strings come in another order each time. Nor with any other option, so
    # that a Python which has started already can take it over.
    return [PYTHON, b"examiner.pyc" if compiled else b"examiner.py"]


def compile_files() -> dict[str, bytes]:
    """The files that `compile_command` compiles."""
    return {"examiner.py": bundle(EXAMINER).encode(), "host.py": bundle(HOST).encode()}


def compile_command() -> list[bytes]:
    """Compiles both programs, in the folder of `compile_files`, for its own interpreter: `host.bin`, `examiner.pyc`."""
    return [PYTHON, b"-I", b"-X", b"no_debug_ranges", b"-c", COMPILE.encode()]
