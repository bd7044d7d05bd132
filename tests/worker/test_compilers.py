"""A compiler reads what a hostile program says: it has limits of its own, and its end is the program's own verdict."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.result import Result
from sandbox_service.contract.verdict import Verdict
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline

pytestmark = pytest.mark.asyncio(loop_scope="module")
MIB = 1 << 20
LIMITS: dict[str, Any] = {
    "cpu_seconds": 0.5,
    "wall_seconds": 20.0,
    "memory_bytes": 96 * MIB,
    "disk_bytes": 16 * MIB,
    "output_bytes": 256 * 1024,
    "processes": 16,
}
"""Of the compiler; enough for a small program in C."""
MAIN = "int main(void) { return 0; }\n"
DOUBLED = "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 50))
ENDLESS = ("/dev/zero", "/dev/random", "/dev/urandom", "/dev/full")
NOT_THERE = ("/etc/shadow", "/root/.ssh/id_ed25519", "/proc/1/environ", "/proc/1/mem", "/dev/mem", "/proc/kcore")
NOTHING_IN_IT = ("/dev/null", "/dev/stdin", "/proc/self/fd/0", "/dev/tty", ".", "/")


def assembled(text: str) -> str:
    return f'__asm__(".data\\n{text}\\n.text");\n{MAIN}'


C = {
    **{f"include {path}": f'#include "{path}"\n{MAIN}' for path in (*ENDLESS, *NOT_THERE)},
    # A program without `main`: where nothing is read there is none.
    **{f"include {path} alone": f'#include "{path}"\n' for path in NOTHING_IN_IT},
    **{f"incbin {path}": assembled(f'.incbin \\"{path}\\"') for path in ("/dev/zero", *NOT_THERE[:3])},
    "waits for a terminal": f'#include "/dev/ptmx"\n{MAIN}',
    "huge data": f"char data[1UL << 33] = {{1}};\n{MAIN}",
    "data beyond the disk": f"char data[64 << 20] = {{1}};\n{MAIN}",
    "filled": assembled(".fill 1 << 40, 1, 1"),
    "spaced": assembled(".space 1 << 36, 1"),
    "repeated": assembled(".rept 1 << 40\\n.long 1\\n.endr"),
    "moved far": assembled(".org 1 << 50"),
    "macro of itself": assembled(".macro m\\nm\\nm\\n.endm\\nm"),
    "doubled": f"#define A0 ;\n{DOUBLED}int main(void) {{ A49 }}\n",
    "includes itself": f"#include __FILE__\n#include __FILE__\n{MAIN}",
    "deep": "int main(void) { return " + "(" * 300_000 + "0" + ")" * 300_000 + "; }\n",
    "deep blocks": "int main(void) " + "{" * 300_000,
    "many errors": "x y;\n" * 20_000,
    "long line": "int main(void) { return " + "1+" * 2_000_000 + "; }\n",
    "not text": b"\xff\xfe\x00\x00" * 1000,
    "linked with a secret": f'__asm__(".section .note\\n.incbin \\"/etc/gshadow\\"");\n{MAIN}',
}
CPP = {
    "endless templates": "template<int N> struct T { static const int v = T<N + 1>::v; };\nint x = T<0>::v;\n" + MAIN,
    "a tree of templates": "template<int N, int M> struct T { T<N - 1, 2 * M> a; T<N - 1, 2 * M + 1> b; };\n"
    "template<int M> struct T<0, M> {};\nT<28, 0> x;\n" + MAIN,
    "types that double": "template<class T> struct P { T a; T b; };\n"
    + "".join(f"using A{n} = P<P<{'int' if n == 0 else f'A{n - 1}'}>>;\n" for n in range(40))
    + "A39 x;\n"
    + MAIN,
    "an endless constant": "constexpr int f() { int s = 0; for (;;) s ^= 1; return s; }\nconstexpr int x = f();\n"
    + MAIN,
    "a constant by recursion": "constexpr int f(int n) { return n ? f(n - 1) + f(n - 1) : 1; }\n"
    "constexpr int x = f(400);\n" + MAIN,
    "many long errors": "#include <map>\n#include <string>\nstd::map<std::string, std::map<int, int>> m;\n"
    + "int x = m << m;\n" * 300,
}
RUST_MAIN = "fn main() {}\n"
GO_MAIN = "func main() {}\n"
OTHERS = {
    ("rust", "an endless file"): f'static DATA: &[u8] = include_bytes!("/dev/zero");\n{RUST_MAIN}',
    ("rust", "a secret"): f'static DATA: &str = include_str!("/etc/shadow");\n{RUST_MAIN}',
    ("rust", "a module elsewhere"): f'#[path = "/proc/1/environ"]\nmod other;\n{RUST_MAIN}',
    ("rust", "a library elsewhere"): '#[link(name = "/etc/shadow", kind = "static")]\nextern "C" { fn f(); }\n'
    "fn main() { unsafe { f() } }\n",
    ("rust", "a macro that doubles"): '#![recursion_limit = "999999999"]\n'
    "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*) } }\nfn main() { m!(a) }\n",
    ("rust", "an endless constant"): "const fn f() -> u64 { let mut i = 0u64; while i < u64::MAX { i += 1; } i }\n"
    'static X: u64 = f();\nfn main() { println!("{}", X) }\n',
    ("rust", "endless types"): "fn f<X: Copy>(x: X) { f((x, x)) }\nfn main() { f(1) }\n",
    ("go", "a secret"): f'package main\nimport _ "embed"\n//go:embed /etc/shadow\nvar data string\n{GO_MAIN}',
    ("go", "another compiler"): f'package main\n// #cgo CFLAGS: -include /etc/shadow\nimport "C"\n{GO_MAIN}',
    ("go", "a library of the network"): f'package main\nimport _ "example.org/library"\n{GO_MAIN}',
    ("go", "huge data"): "package main\nvar data [1 << 40]byte\nfunc main() { println(data[5]) }\n",
    ("go", "data beyond the disk"): "package main\nvar data = [1 << 27]byte{1: 1}\nfunc main() { println(data[5]) }\n",
    ("java", "a class of itself"): "class Main extends Main { }\n",
    ("java", "a method too large"): "class Main { static void main() { " + "int[] a = {1, 2, 3};\n" * 9000 + "} }\n",
    ("java", "types that double"): "class Main<A> { "
    + "static <T> Main<T> f(T t) { return null; } Object o = "
    + "f(" * 3000
    + "1"
    + ")" * 3000
    + " + 1; }\n",
}
COMPILERS = {"rust": "/usr/bin/rustc", "go": "/usr/bin/go", "java": "/usr/bin/javac"}
ROOM: dict[str, Any] = {
    "cpu_seconds": 8.0,
    "wall_seconds": 60.0,
    "memory_bytes": 768 * MIB,
    "disk_bytes": 64 * MIB,
    "processes": 128,
}
"""Of their compilers; enough for a small program."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policy.load(data_dir("policies")), languages.load(data_dir("runner_images")))
    await executor.stop()


async def compiled(pipeline: Pipeline, language: str, code: str | bytes, **limits: Any) -> Result:
    content = code if isinstance(code, bytes) else code.encode()
    name = {"rust": "main.rs", "java": "Main.java"}.get(language, f"main.{language}")
    body = {"language": language, "files": {name: content}, "limits": {"compile": LIMITS | limits}}
    return await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)


def check(result: Result, memory_bytes: int = LIMITS["memory_bytes"]) -> None:
    assert (result.verdict, result.reward, result.infra_error) == (Verdict.COMPILE_ERROR, 0.0, None), result
    assert result.compile
    assert result.compile.message
    assert [case.verdict for case in result.cases] == ["skipped"]
    assert result.compile.memory_bytes is None or result.compile.memory_bytes <= memory_bytes


@pytest.mark.parametrize("name", C)
async def test_c(pipeline: Pipeline, name: str) -> None:
    more = {"wall_seconds": 1.0} if name == "waits for a terminal" else {}
    check(await compiled(pipeline, "c", C[name], **more))


@pytest.mark.parametrize("name", CPP)
async def test_cpp(pipeline: Pipeline, name: str) -> None:
    check(await compiled(pipeline, "cpp", CPP[name]))


def needs(language: str) -> None:
    if not Path(COMPILERS[language]).exists():
        pytest.skip(f"needs {COMPILERS[language]}")


HARMLESS = {
    "rust": 'fn main() { println!("hello") }\n',
    "go": 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello") }\n',
    "java": 'class Main { public static void main(String[] a) { System.out.println("hello"); } }\n',
}


@pytest.mark.full
@pytest.mark.parametrize("language", COMPILERS)
async def test_others_have_room(pipeline: Pipeline, language: str) -> None:
    needs(language)
    result = await compiled(pipeline, language, HARMLESS[language], **ROOM)
    assert result.verdict == Verdict.ACCEPTED, result


@pytest.mark.full
@pytest.mark.parametrize(("language", "what"), OTHERS)
async def test_others(pipeline: Pipeline, language: str, what: str) -> None:
    needs(language)
    result = await compiled(pipeline, language, OTHERS[language, what], **ROOM)
    check(result, ROOM["memory_bytes"])
    assert result.compile
    assert "root:" not in result.compile.stdout + result.compile.stderr


async def test_the_next_one_is_compiled(pipeline: Pipeline) -> None:
    for language in ("c", "cpp"):
        result = await compiled(pipeline, language, MAIN, cpu_seconds=10.0)
        assert result.verdict == Verdict.ACCEPTED
