"""What is told of each case, by real programs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox_service.judge.cpp import plan, program
from tests.judge.cpp.place import command, judge

INC = "int inc(int x) { return x + 1; }\n"
SOME_WRONG = "int inc(int x) { return x == 2 ? 0 : x + 1; }\n"
THREE = """#include <cassert>
int main() {
    assert(inc(1) == 2);
    assert(inc(2) == 3);
    assert(inc(3) == 4);
}
"""


def test_a_failed_assertion_does_not_stop_the_next() -> None:
    judged = judge(SOME_WRONG, THREE)
    assert judged.passed == [True, False, True]
    assert judged.findings is not None
    wrong = judged.findings[1]
    assert (wrong.verdict, wrong.message) == ("wrong_answer", "the assertion does not hold")
    assert wrong.expected == "assert(inc(2) == 3)"


def test_an_exception_fails_the_rest_and_is_named() -> None:
    solution = '#include <stdexcept>\nint inc(int x) { if (x == 2) throw std::out_of_range("secret"); return x + 1; }\n'
    judged = judge(solution, THREE)
    assert judged.passed == [True, False, False]
    assert [finding.message for finding in judged.findings or []][1:] == ["raised std::out_of_range"] * 2
    assert judged.exit_code == -6


def test_a_signal_fails_the_rest() -> None:
    judged = judge("int inc(int x) { return x == 2 ? *(volatile int*)nullptr : x + 1; }\n", THREE)
    assert judged.passed == [True, False, False]
    assert judged.exit_code == -11
    assert {finding.verdict for finding in (judged.findings or [])[1:]} == {"runtime_error"}


@pytest.mark.parametrize(
    ("tests", "passed"),
    [
        ("int main() { for (int i = 0; i < 3; i++) assert(inc(i) == i + 1); }", [False]),
        ("void check(int i) { assert(inc(i) == i + 1); }\nint main() { check(1); check(2); check(3); }", [False]),
        (
            "int main() { assert(inc(1) == 2); if (inc(1) == 3) { assert(false); } else assert(inc(3) == 4); }",
            [True] * 3,
        ),
        ("int main() { if (inc(1) == 2) return 0; assert(inc(1) == 2); }", [False]),
        ("int main() { assert(inc(1) == 2); if (inc(1) == 2) return 0; assert(inc(3) == 4); }", [True, False]),
        ("int main() { if (inc(1) == 9) assert(inc(3) == 4); }", [False]),
        ("int main() { assert(inc(1) == 2); return inc(1) - 2; }", [True]),
        ("int main() { assert(inc(1) == 2); return 3; }", [False]),
        ("int main() { if (inc(2) != 3) return 1; return 0; }", [False]),
        ("int main() { if (inc(1) != 2) return 1; return 0; }", [True]),
        ("int main() { if (inc(2) != 3) { std::exit(1); } }", [False]),
        ("int main() { assert(inc(1) == 2); exit(0); }", [True]),
        ("int main() { if (inc(2) != 3) abort(); }", [False]),
        ("#define CHECK(x) assert(x)\nint main() { CHECK(inc(2) == 3); assert(inc(1) == 2); }", [False]),
        ("int main() { try { assert((throw 1, true)); } catch (int) {} assert(inc(1) == 2); }", [False, True]),
        ("int main() { try { throw 1; } catch (int) {} assert(inc(1) == 2); }", [True]),
    ],
)
def test_cases_off_the_straight_way(tests: str, passed: list[bool]) -> None:
    judged = judge(SOME_WRONG, f"#include <cassert>\n#include <cstdlib>\n{tests}\n")
    assert judged.passed == passed, judged


def test_setup_comes_before_the_solution_and_flags_count() -> None:
    tests = "#include <cassert>\nint main() { assert(inc(BASE) == BASE + 1); assert(__cplusplus == 202002L); }\n"
    assert judge(
        "int inc(int x) { return x + BASE - 4; }\n", tests, setup="#define BASE 5\n", flags=("-std=c++20",)
    ).accepted


@pytest.mark.parametrize("flags", [("-std=c++11",), ("-std=c++14", "-O0"), ("-std=gnu++20", "-O3"), ("-std=c++23",)])
def test_every_dialect(flags: tuple[str, ...]) -> None:
    solution = (
        '#include <vector>\n#include <string>\nusing namespace std;\nvector<string> words() { return {"a", "b"}; }\n'
    )
    tests = """#include <assert.h>
    bool same(vector<string> a, vector<string> b) { return a == b; }
    constexpr int two() { return 1 == 1 ? 2 : 3; }
    static_assert(two() == 2, "");
    int main() {
        assert((words() == vector<string>{"a", "b"}));
        assert(same(words(), {"a", "b"}) && !same(words(), {"a"}));
        assert(words()[0] == "a" && words().size() != 3);
        auto all = words();
        assert(all.size() == 2 && all.back() == "b");
    }
    """
    judged = judge(solution, tests, flags=flags)
    assert judged.accepted, judged


def test_messages_of_the_compiler_show_the_solution_but_not_the_tests() -> None:
    broken = judge("int inc(int x) { return x + ; }\n", THREE)
    assert broken.findings is None
    assert "main.cpp:1" in broken.message
    assert "return x + ;" in broken.message
    missing = judge("int dec(int x) { return x - 1; }\n", "int main() {\n    assert(inc(41) == 42);\n}\n")
    assert "tests:2" in missing.message
    assert "42" not in missing.message


def test_assertions_beyond_the_most_share_a_case() -> None:
    tests = (
        "#include <cassert>\nint main() {\n" + "".join(f"assert(inc({n}) == {n + 1});\n" for n in range(2100)) + "}\n"
    )
    judged = judge(INC, tests)
    assert len(judged.passed) == 2000
    assert judged.accepted
    late = judge("int inc(int x) { return x == 2050 ? 0 : x + 1; }\n", tests)
    assert late.passed == [True] * 1999 + [False]


def test_a_program_that_nobody_listens_to_runs_as_any_other() -> None:
    made = program(INC.encode(), b"", THREE.encode())
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**made.files, "main.cpp": INC.encode()}.items():
            (Path(folder) / name).write_bytes(content)
        subprocess.run(command(made, "cpp"), cwd=folder, check=True, capture_output=True, timeout=120)
        assert subprocess.run([f"{folder}/program"], timeout=60, stdin=subprocess.DEVNULL).returncode == 0


def test_the_same_texts_make_the_same_program() -> None:
    assert program(b"a", b"b", b"c") == program(b"a", b"b", b"c")
    assert program(b"a", b"b", b"c").files.keys().isdisjoint(program(b"ab", b"", b"c").files.keys())


def test_tests_without_assertions_are_one_case() -> None:
    assert len(plan(b"int main() { return run(); }")) == 1


C_SOLUTION = """
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stdbool.h>
bool even(int n) { return n % 2 == 0; }
char *greet(const char *name) { char *text = malloc(100); sprintf(text, "hi %s", name); return text; }
double half(int n) { return n / 2.0; }
int *none(void) { return NULL; }
"""
C_TESTS = """
#undef NDEBUG
#include <assert.h>
#include <limits.h>
#include <math.h>
static int same(const int *a, const int *b, int n) {
    for (int i = 0; i < n; i++) if (a[i] != b[i]) return 0;
    return 1;
}
int main(void) {
    assert(even(2) == true && even(3) == false);
    assert(strcmp(greet("x"), "hi x") == 0);
    assert(fabs(half(3) - 1.5) < 1e-9);
    assert(none() == NULL);
    assert(same((int[]){1, even(INT_MAX)}, (int[]){1, 0}, 2));
}
"""


def test_c() -> None:
    assert judge(C_SOLUTION, C_TESTS, language="c").accepted
    assert judge(C_SOLUTION, C_TESTS, language="c", flags=("-std=c99", "-O0")).accepted
    wrong = C_SOLUTION.replace("hi %s", "ho %s") + "int strcmp(const char *a, const char *b) { return 0; }\n"
    assert judge(wrong, C_TESTS, language="c").passed == [True, False, True, True, True]
    assert not judge(C_SOLUTION.replace("2 == 0", "2 == 0 || (exit(0), 1)"), C_TESTS, language="c").accepted
