"""Every language that comes along does on this machine what it is there for."""

from __future__ import annotations

from collections.abc import AsyncIterator
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
from sandbox_service.worker.probe import probe
from tests.languages.programs import KINDS, PROGRAMS, verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")
LANGUAGES = languages.load(data_dir("runner_images"))
# Their compilers are large, and installed for the full suite alone.
LARGE = {"java", "go", "rust"}
EACH = [pytest.param(name, marks=[pytest.mark.full] if name in LARGE else []) for name in sorted(PROGRAMS)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pipeline() -> AsyncIterator[Pipeline]:
    executor = NamespaceExecutor()
    await executor.start()
    yield Pipeline(executor, policy.load(data_dir("policies")), LANGUAGES)
    await executor.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def there() -> set[str]:
    executor = NamespaceExecutor()
    await executor.start()
    small = {name: language for name, language in LANGUAGES.items() if name not in LARGE}
    found = await probe(executor, small, policy.load(data_dir("policies")))
    await executor.stop()
    return set(found) | LARGE


async def evaluated(pipeline: Pipeline, body: dict[str, Any]) -> Result:
    return await pipeline.evaluate("sub_x", parse.submission(body), attempts=1, queued_seconds=0.0)


def accepted(result: Result) -> list[str | None]:
    assert result.verdict is Verdict.ACCEPTED, result
    return [case.stdout for case in result.cases]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", EACH)
async def test_six_programs(pipeline: Pipeline, there: set[str], language: str, kind: str) -> None:
    if language not in there:
        pytest.skip(f"{language} is not on this machine")
    result = await evaluated(pipeline, PROGRAMS[language].body(language, kind))
    assert result.verdict is verdict(kind, compiled=LANGUAGES[language].compile is not None), result
    if kind == "failing":
        assert result.cases[0].stdout == "hello\n"


async def test_typescript_of_several_files(pipeline: Pipeline, there: set[str]) -> None:
    if "typescript" not in there:
        pytest.skip("typescript is not on this machine")
    body = {
        "language": "typescript",
        "files": {
            "src/start.ts": 'import { twice } from "./lib/twice";\nconsole.log(twice<number>(21), process.argv[2]);\n',
            "src/lib/twice.ts": "export const twice = <T extends number>(x: T): number => x * 2;\n"
            'if (require.main === module) console.log("not this");\n',
        },
        "entrypoint": "src/start.ts",
        "task": {"type": "run", "args": ["@x"]},
    }
    assert accepted(await evaluated(pipeline, body)) == ["42 @x\n"]


JAVA = {
    "the public class, not one within another": (
        {"code": "class Other { public class Node {} }\n/** Of all. */\npublic final class Solution {\n"
         "  public static class Inner {}\n"
         '  public static void main(String[] a) { System.out.println("Solution " + a[0]); }\n}\n'},
        "Solution @x\n",
    ),
    "the class that can be called": (
        {"code": "interface Shape { int area(); }\nclass Square implements Shape { public int area() { return 4; } }\n"
         'class Start { public static void main(String[] a) { System.out.println("Start " + a[0]); } }\n'},
        "Start @x\n",
    ),
    "the first file's class": (
        {"files": {
            "b/Tool.java": "package b;\npublic class Tool { public static void main(String[] a) {}\n"
            '  public static String word() { return "tool "; } }\n',
            "Main.java": "public class Main { public static void main(String[] a) { "
            "System.out.println(b.Tool.word() + a[0]); } }\n",
        }},
        "tool @x\n",
    ),
    "a package, with the other file found by its name": (
        {"files": {
            "p/Main.java": "package p;\nclass Main { public static void main(String[] a) { "
            "System.out.println(Tool.word() + a[0]); } }\n",
            "p/Tool.java": 'package p;\nclass Tool { static String word() { return "é "; } }\n',
        }, "entrypoint": "p/Main.java"},
        "é @x\n",
    ),
    "deep recursion is caught, and a deeper one than usual is none": (
        {"code": "public class Main {\n  static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }\n"
         "  static int endless(int n) { return 1 + endless(n + 1); }\n"
         "  public static void main(String[] a) {\n    try { endless(0); } catch (StackOverflowError e) "
         "{ System.out.println(deep(100_000)); } } }\n"},
        "100000\n",
    ),
    "an array larger than all memory is refused by Java itself": (
        {"code": "public class Main { public static void main(String[] a) {\n"
         '  try { long[] x = new long[1 << 28]; } catch (OutOfMemoryError e) { System.out.println("none"); } } }\n'},
        "none\n",
    ),
    "half the memory is there to be used": (
        {"code": "public class Main { public static void main(String[] a) {\n  byte[][] kept = new byte[160][];\n"
         "  for (int i = 0; i < 160; i++) kept[i] = new byte[1 << 20];\n  long sum = 0;\n"
         "  for (int i = 0; i < 100000; i++) sum += new byte[10000].length;\n  System.out.println(sum); } }\n"},
        "1000000000\n",
    ),
    "threads": (
        {"code": "import java.util.concurrent.*;\npublic class Main {\n"
         "  public static void main(String[] a) throws Exception {\n"
         "  ExecutorService pool = Executors.newFixedThreadPool(32);\n"
         "  CountDownLatch all = new CountDownLatch(32);\n"
         "  for (int i = 0; i < 32; i++) pool.submit(() -> { all.countDown(); all.await(); return 0; });\n"
         "  all.await(); pool.shutdown(); System.out.println(32); } }\n"},
        "32\n",
    ),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("what", JAVA)
async def test_java(pipeline: Pipeline, what: str) -> None:
    program, stdout = JAVA[what]
    body = {"language": "java", "task": {"type": "run", "args": ["@x"]}} | program
    assert accepted(await evaluated(pipeline, body)) == [stdout]


@pytest.mark.full
async def test_a_java_class_without_main_compiles(pipeline: Pipeline) -> None:
    result = await evaluated(pipeline, {"language": "java", "code": "class Solution { int f() { return 1; } }"})
    assert result.verdict is Verdict.RUNTIME_ERROR
    assert "main" in (result.cases[0].stderr or "")


@pytest.mark.full
async def test_java_runs_no_annotation_processor(pipeline: Pipeline) -> None:
    files = {
        "Main.java": "public class Main { public static void main(String[] a) {} }\n",
        "META-INF/services/javax.annotation.processing.Processor": "NotThere\n",
    }
    assert accepted(await evaluated(pipeline, {"language": "java", "files": files})) == [""]


GO = {
    "a module": {
        "go.mod": "module m\n\ngo 1.18\n",
        "main.go": 'package main\n\nimport "m/word"\n\nfunc main() { println(word.Word) }\n',
        "word/word.go": 'package word\n\nconst Word = "m"\n',
    },
    "two files": {
        "a.go": "package main\n\nfunc main() { println(word) }\n",
        "b.go": 'package main\n\nconst word = "b"\n',
    },
    "many goroutines": {
        "main.go": 'package main\n\nimport "sync"\n\nfunc main() {\n\tvar all sync.WaitGroup\n'
        "\tfor i := 0; i < 20000; i++ {\n\t\tall.Add(1)\n\t\tgo all.Done()\n\t}\n\tall.Wait()\n}\n"
    },
}


@pytest.mark.full
@pytest.mark.parametrize("what", GO)
async def test_go(pipeline: Pipeline, what: str) -> None:
    accepted(await evaluated(pipeline, {"language": "go", "files": GO[what]}))


@pytest.mark.full
async def test_go_fetches_nothing(pipeline: Pipeline) -> None:
    files = {
        "go.mod": "module m\n\ngo 1.18\n\nrequire example.com/x v1.0.0\n",
        "main.go": 'package main\n\nimport _ "example.com/x"\n\nfunc main() {}\n',
    }
    result = await evaluated(pipeline, {"language": "go", "files": files})
    assert result.verdict is Verdict.COMPILE_ERROR
    assert "GOPROXY=off" in (result.compile.stderr if result.compile else "")


@pytest.mark.full
async def test_rust_names_its_other_files_and_its_edition(pipeline: Pipeline) -> None:
    files = {
        # `gen` is a word of the language from 2024 on.
        "main.rs": "mod other;\nfn main() { let gen = other::word(); std::thread::spawn(move || println!("
        '"{gen}")).join().unwrap(); }\n',
        "other.rs": 'pub fn word() -> &\'static str { "other" }\n',
    }
    body: dict[str, Any] = {"language": "rust", "files": files}
    assert accepted(await evaluated(pipeline, body)) == ["other\n"]
    result = await evaluated(pipeline, body | {"compile_flags": ["--edition=2024"]})
    assert result.verdict is Verdict.COMPILE_ERROR
