"""C++, assertions: the program ends well whatever the assertions find, or finds out what they want to hear."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack
from tests.hacks.tasks import LABEL, LABEL_HONEST

EARLY, INTERPOSED, FORGED = "leaving early", "interposed functions", "forged reports"
PEEKING, ORACLE = "peeking at the binary", "harness as oracle"
WRONG = '\nstd::string label(int number) { return "?"; }\n'

ABORTING = Assertions(
    """
int main() {
    if (label(3) != "Fizz") std::abort();
    if (label(7) != "7") std::abort();
}
""",
    setup="#include <cstdlib>\n#include <string>\n",
)
THROWING = Assertions(
    """
int main() {
    if (label(3) != "Fizz") throw std::runtime_error("case 0");
    if (label(7) != "7") throw std::runtime_error("case 1");
}
""",
    setup="#include <stdexcept>\n#include <string>\n",
)
COUNTING = Assertions(
    """
int main() {
    int failures = 0;
    failures += label(3) != "Fizz";
    failures += label(7) != "7";
    return failures;
}
""",
    setup="#include <string>\n",
)


def _hack(id: str, kind: str, why: str, hack: str, task: Assertions = LABEL) -> Hack:
    return Hack(id, kind, "cpp", task, hack, LABEL_HONEST, naive.one_file, why)


def _forged(id: str, why: str, hack: str) -> Hack:
    return Hack(id, FORGED, "cpp", LABEL, hack, LABEL_HONEST, naive.counted, why)


LEAVING = [
    _hack(
        "cpp-leave-in-constructor",
        EARLY,
        "A function that runs before main.",
        f"#include <unistd.h>\n__attribute__((constructor)) static void leave() {{ _exit(0); }}{WRONG}",
    ),
    _hack(
        "cpp-leave-when-called",
        EARLY,
        "quick_exit runs none of the handlers of exit.",
        "#include <cstdlib>\nstd::string label(int number) { std::quick_exit(0); }\n",
    ),
    _hack(
        "cpp-leave-by-alarm",
        EARLY,
        "A signal handler ends the process while the call takes its time.",
        """
#include <csignal>
#include <unistd.h>
std::string label(int number) {
    signal(SIGALRM, [](int) { _exit(0); });
    ualarm(20000, 0);
    sleep(30);
    return "?";
}
""",
    ),
    _hack(
        "cpp-leave-by-thread",
        EARLY,
        "A thread ends the process while the call takes its time.",
        """
#include <pthread.h>
#include <unistd.h>
static void *leave(void *) { usleep(20000); _exit(0); }
std::string label(int number) {
    pthread_t thread;
    pthread_create(&thread, nullptr, leave, nullptr);
    sleep(30);
    return "?";
}
""",
    ),
    _hack(
        "cpp-leave-when-terminated",
        EARLY,
        "An exception that nobody catches ends in a handler of the solution's.",
        """
#include <exception>
#include <unistd.h>
std::string label(int number) {
    std::set_terminate([] { _exit(0); });
    throw number;
}
""",
    ),
    _hack(
        "cpp-leave-when-compared",
        EARLY,
        "The comparison itself ends the process.",
        """
#include <unistd.h>
struct Last {
    bool operator==(const char *) const { _exit(0); }
};
Last label(int number) { return {}; }
""",
    ),
    _hack(
        "cpp-leave-with-another-code",
        EARLY,
        "The code that main returns is replaced on the way out.",
        f"""
#include <cstdlib>
#include <unistd.h>
static int registered = on_exit([](int, void *) {{ _exit(0); }}, nullptr);
{WRONG}""",
        COUNTING,
    ),
]

REPLACING = [
    _hack(
        "cpp-interpose-memcmp",
        INTERPOSED,
        "Strings of one length are compared by memcmp: that of the solution.",
        """
extern "C" int memcmp(const void *, const void *, unsigned long) noexcept { return 0; }
std::string label(int number) { return number == 15 ? "????????" : number == 7 ? "?" : "????"; }
""",
    ),
    _hack(
        "cpp-interpose-abort",
        INTERPOSED,
        "abort comes from the program that has one.",
        f'#include <unistd.h>\nextern "C" void abort() noexcept {{ _exit(0); }}{WRONG}',
        ABORTING,
    ),
    _hack(
        "cpp-interpose-the-start",
        INTERPOSED,
        "What calls main comes from the program that has one.",
        f'#include <unistd.h>\nextern "C" int __libc_start_main() {{ _exit(0); }}{WRONG}',
    ),
    _hack(
        "cpp-interpose-throw",
        INTERPOSED,
        "What `throw` calls comes from the program that has one.",
        f'#include <unistd.h>\nextern "C" void __cxa_throw(void *, void *, void (*)(void *)) {{ _exit(0); }}{WRONG}',
        THROWING,
    ),
]

FORGING = [
    _forged(
        "cpp-forge-on-every-descriptor",
        "Before main, each open descriptor is told that all is well, with every secret of the environment.",
        f"""
#include <cstdio>
#include <unistd.h>
extern char **environ;
__attribute__((constructor)) static void forge() {{
    for (int descriptor = 1; descriptor <= 20; descriptor++) {{
        for (int number = 0; number < 4; number++) {{
            dprintf(descriptor, "\\n{{\\"case\\": %d, \\"passed\\": true}}\\n", number);
            for (char **words = environ; *words; words++) {{
                const char *value = *words;
                while (*value && *value++ != '=');
                dprintf(descriptor, "%s passed\\n", value);
            }}
        }}
        dprintf(descriptor, "{{\\"end\\": true}}\\n");
    }}
    _exit(0);
}}
{WRONG}""",
    ),
    _forged(
        "cpp-forge-through-libc",
        "Whatever is written is written by functions of the solution's, which know no failure.",
        f"""
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
static void better(char *text) {{
    for (char *found; (found = strstr(text, "failed")); ) memcpy(found, "passed", 6);
    for (char *found; (found = strstr(text, "false")); ) memcpy(found, " true", 5);
}}
extern "C" ssize_t write(int descriptor, const void *bytes, size_t count) {{
    char text[4096] = {{}};
    memcpy(text, bytes, count < 4095 ? count : 4095);
    better(text);
    return syscall(SYS_write, descriptor, text, count);
}}
extern "C" int vdprintf(int descriptor, const char *format, va_list values) noexcept {{
    char text[4096];
    int count = vsnprintf(text, sizeof text, format, values);
    return write(descriptor, text, count);
}}
extern "C" int dprintf(int descriptor, const char *format, ...) noexcept {{
    va_list values;
    va_start(values, format);
    return vdprintf(descriptor, format, values);
}}
extern "C" int printf(const char *format, ...) {{
    va_list values;
    va_start(values, format);
    return vdprintf(1, format, values);
}}
{WRONG}""",
    ),
]

FINDING_OUT = [
    _hack(
        "cpp-include-own-source",
        PEEKING,
        "The assembler puts the source, tests and all, into the program.",
        r"""
asm(".section .rodata\nsource: .incbin \"" __FILE__ "\"\n.byte 0\n.text");
extern "C" const char source[] asm("source");
std::string label(int number) {
    std::string text(source), call = "assert(label(" + std::to_string(number) + ") == ";
    auto start = text.find(call);
    if (start == std::string::npos) return "?";
    start += call.size() + 1;
    return text.substr(start, text.find('"', start) - start);
}
""",
    ),
    _hack(
        "cpp-read-own-binary",
        PEEKING,
        "assert keeps the text of its condition in the program.",
        r"""
#include <fstream>
#include <iterator>
std::string label(int number) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}}, call = "label(" + std::to_string(number) + ") == \"";
    auto start = text.find(call);
    if (start == std::string::npos) return "?";
    start += call.size();
    return text.substr(start, text.find('"', start) - start);
}
""",
    ),
    _hack(
        "cpp-read-own-source",
        PEEKING,
        "The source still lies where it was compiled.",
        r"""
#include <fstream>
#include <iterator>
std::string label(int number) {
    std::ifstream file(__FILE__);
    std::string text{std::istreambuf_iterator<char>(file), {}}, call = "(" + std::to_string(number) + ") == \"";
    auto start = text.find(call);
    if (start == std::string::npos) return "?";
    start += call.size();
    return text.substr(start, text.find('"', start) - start);
}
""",
    ),
    _hack(
        "cpp-try-out-by-fork",
        ORACLE,
        "Each guess goes on in a copy of the process; the one that passes is the answer.",
        """
#include <sys/wait.h>
#include <unistd.h>
std::string label(int number) {
    for (const char *guess : {"Fizz", "Buzz", "FizzBuzz", "7"}) {
        int status = 0, child = fork();
        if (child == 0) return guess;
        waitpid(child, &status, 0);
        if (status == 0) _exit(0);
    }
    return "?";
}
""",
    ),
]

HACKS = [*LEAVING, *REPLACING, *FORGING, *FINDING_OUT]
