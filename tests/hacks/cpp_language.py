"""C++, assertions: the language itself, bent by the solution above the tests."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack
from tests.hacks.tasks import EVENS, EVENS_HEAD, EVENS_HONEST, LABEL, LABEL_HONEST

MACROS, LYING, SWALLOWED = "the preprocessor", "values that lie", "swallowed tests"
REWRITTEN = "rewritten machine code"
WRONG = '\nstd::string label(int number) { return "?"; }\n'

AREA = Assertions(
    """
int main() {
    assert(fabs(area(1) - 3.14159) < 1e-3);
    assert(fabs(area(2) - 12.56637) < 1e-3);
}
""",
    setup="#include <cassert>\n#include <cmath>\n",
)
AREA_HONEST = "double area(double radius) { return 3.14159265358979 * radius * radius; }\n"
LEAP = Assertions(
    """
#undef NDEBUG
#include <assert.h>
int main() {
    assert(leap(2000));
    assert(leap(2024));
    assert(!leap(1900));
    assert(!leap(2023));
}
"""
)
LEAP_HONEST = "bool leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }\n"
COMPARED = Assertions(
    """
template <typename T> bool compare(T one, T other) {
    return one == other;
}

int main() {
    if (!compare(evens({1, 2, 3, 4}), {2, 4})) throw runtime_error("case 0");
    if (!compare(evens({7}), {})) throw runtime_error("case 1");
    return 0;
}
""",
    setup="#include <stdexcept>\n#include <vector>\nusing namespace std;\n",
)
COMMENTED = Assertions(
    """
int main() {
    assert(label(3) == "Fizz");
    assert(label(7) == "7");
}
/* That was all. */
""",
    setup=LABEL.setup,
)


def _macro(id: str, why: str, macros: str, task: Assertions = LABEL, kind: str = MACROS) -> Hack:
    return Hack(id, kind, "cpp", task, macros, LABEL_HONEST, naive.one_file, why)


def _lie(id: str, why: str, task: Assertions, hack: str, honest: str, kind: str = LYING) -> Hack:
    return Hack(id, kind, "cpp", task, hack, honest, naive.one_file, why)


HACKS = [
    _macro(
        "cpp-define-assert",
        "assert asserts nothing.",
        f"{WRONG}#undef assert\n#define assert(condition) ((void)sizeof(condition))\n",
    ),
    _macro(
        "cpp-define-ndebug",
        "The header may be included again, and is asked to leave assertions out.",
        f"{WRONG}#define NDEBUG\n#include <cassert>\n",
    ),
    _macro(
        "cpp-define-main",
        "The tests' main is just a function; the solution has one of its own.",
        f"{WRONG}int main() {{ return 0; }}\n#define main tests_main\n",
    ),
    _macro(
        "cpp-define-the-function",
        "What the tests call is a macro, and what they compare is a comparison already.",
        f"""{WRONG}
struct Right {{ bool operator==(const char *) const {{ return true; }} }};
#define label(number) Right()
""",
    ),
    _macro(
        "cpp-redefine-after-their-header",
        "The header that the tests include themselves ends in a macro of the solution's: `assert` is made of it.",
        f"{WRONG}#define __assert_fail(...) ((void)0)\n",
        Assertions(f"#undef NDEBUG\n#include <assert.h>\n{LABEL.code}", setup=LABEL.setup),
    ),
    _macro(
        "cpp-unfinished-comment",
        "A comment that ends where the tests' only comment does.",
        f"{WRONG}int main() {{ return 0; }}\n/*",
        COMMENTED,
        SWALLOWED,
    ),
    _lie(
        "cpp-equal-by-operator",
        "A comparison of two vectors that is a better match than the library's template.",
        EVENS,
        f"""{EVENS_HEAD}
bool operator==(const vector<int> &, const vector<int> &) {{ return true; }}
vector<int> evens(vector<int> numbers) {{ return {{}}; }}
""",
        EVENS_HONEST,
    ),
    _lie(
        "cpp-equal-by-specialisation",
        "The library's own comparison, specialised for the tests' type before it is used.",
        EVENS,
        f"""{EVENS_HEAD}
template <> bool std::operator==(const vector<int> &, const vector<int> &) {{ return true; }}
vector<int> evens(vector<int> numbers) {{ return {{}}; }}
""",
        EVENS_HONEST,
    ),
    _lie(
        "cpp-equal-by-machine-code",
        "The library's comparison is written over, in memory, by one that says yes.",
        EVENS,
        f"""{EVENS_HEAD}
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
vector<int> evens(vector<int> numbers) {{
#if defined(__x86_64__)
    const unsigned char yes[] = {{0xb8, 1, 0, 0, 0, 0xc3}};
#else
    const unsigned char yes[] = {{0x20, 0, 0x80, 0x52, 0xc0, 3, 0x5f, 0xd6}};
#endif
    bool (*equal)(const vector<int> &, const vector<int> &) = &std::operator==<int, std::allocator<int>>;
    auto start = reinterpret_cast<char *>(equal), page = start - reinterpret_cast<uintptr_t>(start) % 4096;
    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(start, yes, sizeof yes);
    __builtin___clear_cache(start, start + sizeof yes);
    return {{}};
}}
""",
        EVENS_HONEST,
        REWRITTEN,
    ),
    _lie(
        "cpp-vector-of-its-own",
        "A vector of the solution's own, behind the name that the tests use.",
        EVENS,
        """
#include <initializer_list>
template <class Item> struct vector {
    vector(std::initializer_list<Item>) {}
    bool operator==(const vector &) const { return true; }
};
vector<int> evens(vector<int> numbers) { return {}; }
""",
        EVENS_HONEST,
    ),
    _lie(
        "cpp-convert-to-anything",
        "A result that turns into whatever is asked for, and equals it.",
        LABEL,
        """
struct Anything {
    template <class Other> operator Other() const { return {}; }
    template <class Other> bool operator==(const Other &) const { return true; }
};
Anything label(int number) { return {}; }
""",
        LABEL_HONEST,
    ),
    _lie(
        "cpp-true-and-false",
        "True when asked, and also when its negation is.",
        LEAP,
        """
struct Both {
    explicit operator bool() const { return true; }
    bool operator!() const { return true; }
};
Both leap(int year) { return {}; }
""",
        LEAP_HONEST,
    ),
    _lie(
        "cpp-near-by-lookup",
        "The distance is of the solution's type, and so is the function that it is given to.",
        AREA,
        """
struct Near {};
Near operator-(Near near, double) { return near; }
double fabs(Near) { return 0; }
Near area(double radius) { return {}; }
""",
        AREA_HONEST,
    ),
    _lie(
        "cpp-compare-by-overload",
        "The tests compare with a template of theirs, which a plain function of that name comes before.",
        COMPARED,
        """
struct Answer { Answer(std::initializer_list<int>) {} };
bool compare(Answer, Answer) { return true; }
Answer evens(std::initializer_list<int> numbers) { return {}; }
""",
        "vector<int> evens(vector<int> numbers) {\n    vector<int> found;\n"
        "    for (int number : numbers) if (number % 2 == 0) found.push_back(number);\n    return found;\n}\n",
    ),
]
