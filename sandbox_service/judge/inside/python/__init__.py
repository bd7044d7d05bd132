"""What runs inside sandboxes for Python's tasks. Plain text here: none of it is run, or imported, by the service.

An assertions task has two programs, `host.py` beside the solution and `examiner/` with the test text. Each is one
text, which `bundle` makes of its parts. Compiling them takes longer than to run them, so they may be compiled once, by
the interpreter that is to run them (`compile_command`), and be sent compiled from then on.
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
# The work dir is no place to load modules of Python's from.
SAFE = "import sys\nif sys.path[:1] == ['']: del sys.path[0]\n"
COMPILE = """
import marshal
for name in "host", "examiner":
    with open(name + ".py", "rb") as file: code = compile(file.read(), name + ".py", "exec", 0, True, 2)
    with open(name + ".bin", "wb") as file: file.write(marshal.dumps(code))
"""


def bundle(parts: tuple[str, ...]) -> str:
    """What several modules define, as one text. Raises ValueError if two of them define the same name."""
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
    return ast.unparse(ast.Module(body, []))


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


def program(definitions: str) -> str:
    """A whole program, for `python3 -c PROGRAM`. Its last line starts it; all before that only defines."""
    return f"{SAFE}{definitions}\nmain()\n"


def sources() -> dict[str, str]:
    """What the programs `host` and `examiner` define, as text."""
    return {"host": bundle(HOST), "examiner": bundle(EXAMINER)}


def compiled(code: bytes) -> str:
    """What a program defines, of what `compile_command` has made of it."""
    text = base64.b64encode(zlib.compress(code, 9)).decode()
    return f"import binascii, marshal, zlib\nexec(marshal.loads(zlib.decompress(binascii.a2b_base64('{text}'))))"


def compile_files() -> dict[str, bytes]:
    """The files that `compile_command` compiles."""
    return {f"{name}.py": source.encode() for name, source in sources().items()}


def compile_command() -> list[bytes]:
    """Compiles both programs, in the folder of `compile_files`, for its own interpreter: `host.bin`, `examiner.bin`."""
    return [PYTHON, b"-I", b"-X", b"no_debug_ranges", b"-c", COMPILE.encode()]
