"""Compilers come to the same sooner: with headers read beforehand they make the same program, byte for byte."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio

from sandbox_service import languages, policy
from sandbox_service.contract.data import data_dir
from sandbox_service.contract.limits import Limits
from sandbox_service.contract.outcome import Outcome
from sandbox_service.contract.run import File, RunRequest
from sandbox_service.contract.submission import Submission
from sandbox_service.executor import SHARED, NamespaceExecutor
from sandbox_service.languages import Language
from sandbox_service.worker.compiler import Compiler
from sandbox_service.worker.job import Job
from sandbox_service.worker.room import Room
from sandbox_service.worker.shortcuts import Shortcuts, shared_folder

pytestmark = pytest.mark.asyncio(loop_scope="module")
BITS = "#include <bits/stdc++.h>\n"
MAIN = """using namespace std;
int main() {
    vector<long long> v;
    for (int i = 0; i < 1000; i++) v.push_back((long long)i * i % 7);
    sort(v.rbegin(), v.rend());
    map<long long, string> m;
    for (auto x : v) m[x] += to_string(x);
    cout << m.begin()->second << __COUNTER__ << __LINE__ << __FILE__ << "\\n";
}
"""
ASSERTING = '#include <cassert>\nint main() { assert(false); std::puts("not asserted"); }\n'
TAKEN = {
    "alone": BITS + MAIN,
    "after comments": "// a\n/* b\n * c */\n\n" + BITS + MAIN,
    "twice": BITS + BITS + "#include <iostream>\n" + MAIN,
    "another one": "#include <iostream>\n#include <map>\n#include <vector>\n#include <algorithm>\n" + MAIN,
    "optimize after": BITS + '#pragma GCC optimize("O3,unroll-loops")\n#pragma GCC target("avx2")\n' + MAIN,
    "no assertions after": BITS + "#define NDEBUG\n" + ASSERTING,
    "next": BITS + "#include_next <bits/stdc++.h>\n" + MAIN,
    "more of the library": BITS + "#include <ext/pb_ds/assoc_container.hpp>\n" + MAIN,
    "wrong": BITS + "int main() { undefined(3); }\n",
    "threads": BITS + 'int main() { std::thread t([] { puts("t"); }); t.join(); throw std::runtime_error("x"); }\n',
}
NOT_TAKEN = {
    "macro of a keyword": "#define int long long\n" + BITS + MAIN.replace("int main", "signed main"),
    "macro of the library": "#define _GLIBCXX_DEBUG\n" + BITS + MAIN,
    "no assertions": "#define NDEBUG\n" + BITS + ASSERTING,
    "optimize": '#pragma GCC optimize("Ofast")\n#pragma GCC target("avx2,bmi,popcnt")\n' + BITS + MAIN,
    "options": '#pragma GCC push_options\n#pragma GCC optimize("O0")\n' + BITS + "#pragma GCC pop_options\n" + MAIN,
    "packed": "#pragma pack(1)\n" + BITS + MAIN,
    "dependency": '#pragma GCC dependency "bits/stdc++.h"\n' + BITS + MAIN,
    "undefined": "#undef __SIZEOF_INT128__\n" + BITS + MAIN,
    "counted": "enum { a = __COUNTER__ };\n" + BITS + MAIN,
    "in a namespace": "namespace a {\n" + BITS + "}\nint main() {}\n",
    "condition": "#ifdef __OPTIMIZE__\n" + BITS + "#endif\n" + MAIN,
    "other header first": "#include <vector>\n" + BITS + MAIN,
}
USUALLY = ("alone", "twice", "macro of a keyword")


@dataclass
class Bench:
    """Compiles a text, with shortcuts or without."""

    executor: NamespaceExecutor
    shortcuts: Shortcuts
    language: Language

    def job(self, text: str, *flags: str) -> Job:
        submission = Submission(language="cpp", code=text.encode(), compile_flags=list(flags))
        default = policy.load(data_dir("policies"))["default"]
        limits, compile_limits = default.resolve(Limits())
        files = {"main.cpp": File(text.encode())}
        return Job(submission, "", self.language, default, limits, compile_limits, None, "fraction", None, files)

    async def compile(self, job: Job, *added: str) -> Outcome:
        compiler, *words = self.language.compile_command(job.submission)
        command = [word.encode() for word in (compiler, *added, *words)]
        return await self.run(
            RunRequest(command, job.compile_limits, job.files, collect=("program",), collect_each=1 << 24)
        )

    async def run(self, request: RunRequest) -> Outcome:
        sandbox = await self.executor.open()
        try:
            return await sandbox.run(request)
        finally:
            await sandbox.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bench() -> AsyncIterator[Bench]:
    """With the folder of this machine's workers: headers that lie there already are not read again."""
    folder = shared_folder()
    assert folder
    executor = NamespaceExecutor(shared=folder)
    await executor.start()
    cpp = languages.load(data_dir("runner_images"))["cpp"].model_copy(update={"linker": None})
    assert cpp.headers
    cpp = cpp.model_copy(update={"headers": cpp.headers.model_copy(update={"flags": [[]]})})
    shortcuts = Shortcuts(folder)
    default = policy.load(data_dir("policies"))["default"]
    await shortcuts.make(executor, [cpp], default, executor.isolation.image or "")
    yield Bench(executor, shortcuts, cpp)
    await executor.stop()


def _marked(programs: dict[str, str]) -> list[object]:
    return [
        pytest.param(text, id=name, marks=[] if name in USUALLY else pytest.mark.full)
        for name, text in programs.items()
    ]


async def test_nothing_that_workers_lock_is_seen_by_programs(bench: Bench) -> None:
    """Whoever can read a file can lock it, and would keep the next worker waiting."""
    seen = await bench.run(RunRequest([b"/usr/bin/find", b"/opt/shared"], bench.job("").limits))
    assert b".gch\n" in seen.stdout
    assert b"lock" not in seen.stdout


@pytest.mark.parametrize("text", _marked(TAKEN))
async def test_the_program_is_the_same(bench: Bench, text: str) -> None:
    job = bench.job(text)
    added = bench.shortcuts(job)
    usual, quick = await bench.compile(job), await bench.compile(job, *added, "-H")
    assert f"! {SHARED}/".encode() in quick.stderr, "it was taken"
    assert (quick.exit_code, quick.files) == (usual.exit_code, usual.files)


@pytest.mark.parametrize("text", _marked(NOT_TAKEN))
async def test_what_stands_before_the_include_counts(bench: Bench, text: str) -> None:
    """They are not given to such programs; if they were, the compiler itself would refuse all but the harmless."""
    job = bench.job(text)
    assert bench.shortcuts(job) == []


@pytest.mark.full
@pytest.mark.parametrize("text", [text for name, text in NOT_TAKEN.items() if name != "dependency"])
async def test_the_compiler_itself_would_see_to_it(bench: Bench, text: str) -> None:
    job = bench.job(text)
    added = bench.shortcuts(bench.job(BITS))
    usual, quick = await bench.compile(job), await bench.compile(job, *added)
    assert (quick.exit_code, quick.files) == (usual.exit_code, usual.files)


async def test_other_flags_other_headers(bench: Bench) -> None:
    added = bench.shortcuts(bench.job(BITS + MAIN))
    assert added[0] == "-isystem"
    assert bench.shortcuts(bench.job(BITS + MAIN, "-O2", "-lm")) == added
    for flags in (["-O0"], ["-std=c++11"], ["-pthread"], ["-g"], ["-Wall"], ["-std=c++17"]):
        assert bench.shortcuts(bench.job(BITS + MAIN, *flags)) == [], flags


async def test_several_files_are_compiled_as_ever(bench: Bench) -> None:
    job = bench.job(BITS)
    files = {"a.cpp": BITS.encode(), "b.cpp": MAIN.encode()}
    submission = Submission(language="cpp", files=files)
    job = replace(job, submission=submission, files={name: File(text) for name, text in files.items()})
    assert bench.shortcuts(job) == []


async def test_programs_cannot_change_what_was_read(bench: Bench) -> None:
    job = bench.job("")
    code = (
        f"ls -d {SHARED}/*/*/* || exit 3\n"
        f"for name in $(find {SHARED}) {SHARED}/new; do (echo >> $name) && echo $name; rm -rf $name; done\n"
        f"ls -d {SHARED}/*/*/* > after || exit 3; chmod 777 {SHARED} && echo {SHARED}"
    )
    outcome = await bench.run(RunRequest([b"/bin/bash", b"-c", code.encode()], job.limits))
    assert outcome.exit_code == 1
    assert all(b".gch" in line or b"/" in line for line in outcome.stdout.splitlines())
    assert bench.shortcuts(bench.job(BITS))


@pytest.mark.skipif(not Path("/usr/bin/mold").exists(), reason="mold is not installed")
async def test_the_faster_linker_makes_a_program_that_does_the_same(bench: Bench) -> None:
    linker = languages.load(data_dir("runner_images"))["cpp"].linker
    assert linker
    job = bench.job('#include <iostream>\nint main(int n, char **) { std::cout << "x" << n << std::flush; throw 1; }\n')
    quick = await bench.compile(job, *linker.arguments)
    assert (quick.exit_code, quick.stderr) == (0, b"")
    ran = await bench.run(RunRequest([b"./program"], job.limits, {"program": File(quick.files["program"], True)}))
    assert (ran.signal, ran.stdout) == (6, b"x1")


@pytest.mark.skipif(not Path("/usr/bin/mold").exists(), reason="mold is not installed")
async def test_what_the_faster_linker_refuses_the_usual_one_is_asked(bench: Bench) -> None:
    language = languages.load(data_dir("runner_images"))["cpp"]
    job = replace(bench.job(BITS + "void lacking();\nint main() { lacking(); }\n"), language=language)
    default = policy.load(data_dir("policies"))["default"]
    async with Room(bench.executor, default) as room:
        usual, _ = await Compiler(most_bytes=0).compile(job, room)
        quick, result = await Compiler(bench.shortcuts, most_bytes=0).compile(job, room)
    assert b"undefined reference to `lacking()'" in usual.stderr
    assert (quick.exit_code, b"undefined reference to `lacking()'" in quick.stderr) == (1, True)
    assert not result.ok
