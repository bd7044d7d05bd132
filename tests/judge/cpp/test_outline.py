"""The plan of a test text, found without compiling it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_service.judge.cpp import Site, plan, program
from sandbox_service.judge.cpp.tokens import scan


def _plan(code: str) -> list[tuple[int, str, bool]]:
    return [(site.line, site.text, site.certain) for site in plan(code.encode())]


def test_only_assertions_of_the_code_count() -> None:
    code = r"""#define CHECK(x) assert(x)
// assert(1)
/* assert(2) */
const char *a = "assert(3)", *b = R"x(assert(4) )" )x", c = '"';
int main() {
    static_assert(sizeof(int) == 4, ""); x.assert(5); p->assert(6); assert_same(7);
    assert (f("a)", ')') == 1'000);
    assert(g(
        2)); // "
}
"""
    assert _plan(code) == [
        (7, "assert (f(\"a)\", ')') == 1'000)", True),
        (8, "assert(g(\n        2))", True),
    ]


@pytest.mark.parametrize(
    ("body", "certain"),
    [
        ("assert(1);", True),
        ("{ assert(1); }", True),
        ("f(); { { assert(1); } }", True),
        ("if (x) {} assert(1);", True),
        ("for (;;) { f(); } assert(1);", True),
        ("int a[] = {1}; assert(1);", True),
        ("if (x) assert(1);", False),
        ("if (x) { assert(1); }", False),
        ("if (x) {} else assert(1);", False),
        ("for (;;) assert(1);", False),
        ("do assert(1); while (0);", False),
        ("try { assert(1); } catch (...) {}", False),
        ("auto f = [] { assert(1); };", False),
        ("x && (assert(1), true);", False),
        ("switch (x) { case 1: assert(1); }", False),
        ("\n#ifdef X\nassert(1);\n#endif\n", False),
        ("struct S { void f() { assert(1); } };", False),
    ],
)
def test_which_assertions_cannot_be_missed(body: str, certain: bool) -> None:
    assert [site.certain for site in plan(f"int main() {{ {body} }}".encode())] == [certain]


def test_an_assertion_of_a_helper_may_be_missed() -> None:
    assert [site.certain for site in plan(b"void f() { assert(1); } int main(int argc, char **argv) { f(); }")] == [
        False
    ]


def test_no_assertion_is_one_case() -> None:
    assert plan(b"int main() {}") == [Site(1, "int main() {}", certain=True)]


def test_text_is_cut() -> None:
    code = b"int main() { assert(" + b"1 + " * 1000 + b"1); }"
    assert len(plan(code)[0].text) == 200


WORDS = """assert ( ) { } [ ] ; , " ' // /* */ # \\ == != throw return auto = f g main int R"( )" std :: . -> < > catch
    struct using operator #define #if #endif 0x1p-3 1'0 namespace exit abs"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\\\n"])


@given(st.lists(PIECES, max_size=60).map(" ".join) | st.text(max_size=200))
def test_whatever_the_text_is(code: str) -> None:
    raw = code.encode("utf-8", "surrogatepass")
    sites = plan(raw)
    assert 1 <= len(sites) <= 1 + raw.count(b"assert")
    assert all(1 <= site.line <= 1 + raw.count(b"\n") for site in sites)
    made = program(b"int f(int); #define g 1", b"", raw)
    whole = made.files[made.sources[1]].split(b'#line 1 "tests"\n', 1)[1]
    assert whole.count(b"\n") >= raw.count(b"\n")
    assert b"JUDGE" not in whole or b"JUDGE" in raw


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(st.characters(max_codepoint=255), max_size=300))
def test_tokens_are_parts_of_the_text_in_order(text: str) -> None:
    end = 0
    for token in scan(text):
        assert token.start >= end
        assert text[token.start : token.end] == token.text
        end = token.end


@pytest.mark.parametrize(
    "piece", ['"\\\n', "/*", 'R"(', "'", "#\\\n", '#"', "(", "assert(", "throw ", "auto a = f(", "a.b("]
)
def test_the_scan_is_linear(piece: str) -> None:
    """A quadratic one would take hours."""
    assert plan(piece.encode() * 100_000)
