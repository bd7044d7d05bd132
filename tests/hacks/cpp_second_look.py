"""C++, assertions: hacks made for judges that have already thought of those of `cpp_language` and `cpp_process`.

Comparisons by value, macros taken back, reports with secrets: what is left are other operators, the namespace of the
library, the assembler, and, in the end, that the solution can read and write whatever the judge can in that process.
"""

from __future__ import annotations

import platform

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack
from tests.hacks.tasks import EVENS, EVENS_HONEST, LABEL, LABEL_HONEST

LYING, LIBRARY, REWRITTEN = "values that lie", "additions to the library", "rewritten machine code"
PEEKING, FORGED = "peeking at the binary", "forged reports"

BOUNDS = Assertions(
    """
int main() {
    assert(area(1) > 3.14 && area(1) < 3.15);
    assert(area(2) > 12.56);
    assert(area(2) < 12.57);
}
""",
    setup="#include <cassert>\n",
)
BOUNDS_HONEST = "double area(double radius) { return 3.14159265358979 * radius * radius; }\n"
LEAP = Assertions(
    "int main() {\n    assert(leap(2000) && leap(2024));\n    assert(leap(1996) && !leap(1900));\n}\n",
    setup="#include <cassert>\n",
)
LEAP_HONEST = "bool leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }\n"
BITS = Assertions(
    "int main() {\n    assert(bits(5) == 2);\n    assert(bits(255) == 8);\n    assert(bits(0) == 0);\n}\n",
    setup="#include <cassert>\n",
)
BITS_HONEST = "int bits(unsigned number) { return number ? number % 2 + bits(number / 2) : 0; }\n"
PARTS = Assertions(
    """
int main() {
    assert(label(15).find("Buzz") != std::string::npos);
    assert(label(9).find("Fizz") != std::string::npos);
    assert(!label(7).empty());
}
""",
    setup=LABEL.setup,
)


def _hack(id: str, kind: str, why: str, task: Assertions, hack: str, honest: str, *, unstoppable: bool = False) -> Hack:
    return Hack(id, kind, "cpp", task, hack, honest, naive.one_file, why, unstoppable=unstoppable)


HACKS = [
    _hack(
        "cpp-within-bounds",
        LYING,
        "Greater than anything, and less than anything.",
        BOUNDS,
        """
struct Any {};
bool operator<(Any, double) { return true; }
bool operator>(Any, double) { return true; }
Any area(double radius) { return {}; }
""",
        BOUNDS_HONEST,
    ),
    _hack(
        "cpp-logical-operators",
        LYING,
        "`&&` and `!` are operators as others are.",
        LEAP,
        """
struct Any {};
Any operator!(Any any) { return any; }
bool operator&&(Any, Any) { return true; }
Any leap(int year) { return {}; }
""",
        LEAP_HONEST,
    ),
    _hack(
        "cpp-methods-of-its-own",
        LYING,
        "Not a string, but it has the methods that the tests call.",
        PARTS,
        """
struct Text {
    unsigned long find(const char *) const { return 0; }
    bool empty() const { return false; }
};
Text label(int number) { return {}; }
""",
        LABEL_HONEST,
    ),
    _hack(
        "cpp-class-for-function",
        LYING,
        "The function is a class, and so one that the tests name: each call makes an object that equals anything.",
        BITS,
        """
struct bits {
    bits(unsigned number) {}
    bool operator==(int) const { return true; }
};
""",
        BITS_HONEST,
    ),
    _hack(
        "cpp-class-in-std",
        LIBRARY,
        "A class of the solution's own, in the library's namespace.",
        LABEL,
        """
namespace std {
struct anything {
    bool operator==(const char *) const { return true; }
};
}
std::anything label(int number) { return {}; }
""",
        LABEL_HONEST,
    ),
    _hack(
        "cpp-vector-of-integers",
        LIBRARY,
        "The library's vector, specialised for the tests' type: it forgets what it is made of.",
        EVENS,
        """
#include <vector>
#include <initializer_list>
template <> struct std::vector<int> {
    using value_type = int;
    vector() {}
    vector(std::initializer_list<int>) {}
    unsigned long size() const { return 0; }
    const int *begin() const { return nullptr; }
    const int *end() const { return nullptr; }
};
using namespace std;
bool operator==(const vector<int> &, const vector<int> &) { return true; }
vector<int> evens(vector<int> numbers) { return {}; }
""",
        EVENS_HONEST,
    ),
]

ON_THIS_MACHINE = [
    _hack(
        "cpp-assembler-macros",
        REWRITTEN,
        "To the assembler, an instruction may be a macro: calls of what reports a failure come out as nothing.",
        LABEL,
        r"""
asm(".macro call target:vararg\n"
    ".ifnc \\target,__assert_fail@PLT\n.ifnc \\target,__assert_fail\ncallq \\target\n.endif\n.endif\n"
    ".endm");
std::string label(int number) { return "?"; }
""",
        LABEL_HONEST,
    ),
    _hack(
        "cpp-read-the-caller's-code",
        PEEKING,
        "The machine code after the call loads the address of the expected text.",
        LABEL,
        r"""
#include <cstring>
__attribute__((noinline)) std::string label(int number) {
    auto code = static_cast<const unsigned char *>(__builtin_return_address(0));
    for (int at = 0; at < 400; at++, code++) {
        if ((code[0] & 0xfb) != 0x48 || code[1] != 0x8d || (code[2] & 0xc7) != 5) continue; // lea place(%rip), ...
        int distance;
        memcpy(&distance, code + 3, 4);
        const char *text = reinterpret_cast<const char *>(code + 7 + distance);
        unsigned long length = strnlen(text, 20), plain = 0;
        while (plain < length && text[plain] > ' ' && text[plain] < 127) plain++;
        if (plain && plain == length && length < 9) return text;
    }
    return "?";
}
""",
        LABEL_HONEST,
        unstoppable=True,
    ),
    _hack(
        "cpp-gather-the-secrets",
        FORGED,
        "Whatever a judge hides in this process can be found in it: numbers in the caller's code, pages out of reach,"
        " descriptors. Put together, they are reports; and then the process leaves.",
        LABEL,
        r"""
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
using number = unsigned long long;
static number keys[4096], words[4096];
static int key_count, word_count;
static volatile bool leaving = true; // else the compiler sees that nothing comes after, and leaves it out
__attribute__((noinline)) std::string label(int) {
    auto here = static_cast<const unsigned char *>(__builtin_return_address(0));
    unsigned long from, to;
    char rights[5], line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3) continue;
        auto start = reinterpret_cast<unsigned char *>(from), end = reinterpret_cast<unsigned char *>(to);
        if (start <= here && here < end) // mov $key, ...
            for (auto code = start; code < end - 10; code++)
                if ((code[0] & 0xfe) == 0x48 && (code[1] & 0xf8) == 0xb8 && key_count < 4096)
                    memcpy(&keys[key_count++], code + 2, 8);
        if (!strchr(line, '/') && !strncmp(rights, "---", 3) && to - from <= 65536 && !mprotect(start, to - from, 1))
            for (auto word = start; word < end && word_count < 4096; word += 8)
                if (*reinterpret_cast<number *>(word)) words[word_count++] = *reinterpret_cast<number *>(word);
    }
    for (int descriptor = 3; descriptor < 256; descriptor++)
        if (!dprintf(descriptor, "%s", "")) // it is open
            for (int word = 0; word < word_count; word++)
                for (int key = 0; key < key_count; key++)
                    dprintf(descriptor, "\n%016llx\n", words[word] ^ keys[key]);
    if (leaving) _exit(0);
    return "?";
}
""",
        LABEL_HONEST,
        unstoppable=True,
    ),
]

if platform.machine() == "x86_64":
    HACKS += ON_THIS_MACHINE
