"""Programs that use the machine: files that outlive a case, files of the harness, exit codes, other processes."""

from __future__ import annotations

from tests.hacks import comparers, naive
from tests.hacks.hack import Hack, Stdio
from tests.hacks.tasks import DOUBLE, DOUBLE_HONEST

COUNTING, PEEKING, EXIT, TIMING = "counting the cases", "peeking at files and processes", "exit codes", "time"
CRASHING = "crashing the comparison"
CPP_HONEST = """
#include <iostream>
int main() { int number; std::cin >> number; std::cout << 2 * number << std::endl; }
"""
JAVASCRIPT_HONEST = 'console.log(2 * +require("fs").readFileSync(0, "utf8"));\n'
SHARED = naive.stdio(comparers.same_words)
ORDERED = "The answers in the order of the cases, whatever is asked: a file that outlives a case tells which it is."

HACKS = [
    Hack(
        "count-the-runs",
        COUNTING,
        "python",
        DOUBLE,
        """
from pathlib import Path
for folder in (".", "/tmp", "/var/tmp", "/dev/shm"):
    try:
        with Path(folder, "runs").open("a+") as runs:
            runs.seek(0)
            number = len(runs.read())
            runs.write("x")
        break
    except OSError:
        number = 0
print([42, 1000, 16][number])
""",
        DOUBLE_HONEST,
        SHARED,
        ORDERED,
        reward_max=0.34,
    ),
    Hack(
        "count-the-runs-in-javascript",
        COUNTING,
        "javascript",
        DOUBLE,
        """
const fs = require("fs");
fs.appendFileSync("runs", "x");
console.log([42, 1000, 16][fs.readFileSync("runs").length - 1]);
""",
        JAVASCRIPT_HONEST,
        SHARED,
        ORDERED,
        reward_max=0.34,
    ),
    Hack(
        "count-the-runs-in-the-program",
        COUNTING,
        "cpp",
        DOUBLE,
        """
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>
int main() {
    const int answers[] = {42, 1000, 16};
    char path[4096] = {};
    struct stat file = {};
    readlink("/proc/self/exe", path, sizeof path - 1);
    stat(path, &file);
    int number = file.st_mode & S_IXOTH ? 0 : file.st_mode & S_IXGRP ? 1 : 2;
    chmod(path, number == 0 ? 0710 : 0700);
    printf("%d\\n", answers[number]);
}
""",
        CPP_HONEST,
        SHARED,
        "As before; it is the program's own mode that tells.",
        reward_max=0.34,
    ),
    Hack(
        "print-the-expected-file",
        PEEKING,
        "python",
        DOUBLE,
        """
import glob
stdin = input()
for name in glob.glob("**/*.in", recursive=True):
    if open(name).read().strip() == stdin:
        print(open(name.replace(".in", ".out")).read())
""",
        DOUBLE_HONEST,
        naive.stdio(comparers.same_words, lays_tests=True),
        "Inputs and outputs lie in the program's folder.",
    ),
    Hack(
        "print-the-expected-file-in-cpp",
        PEEKING,
        "cpp",
        DOUBLE,
        """
#include <fstream>
#include <iostream>
int main() {
    std::string wanted, name, text;
    std::getline(std::cin, wanted);
    for (char digit = '0'; digit <= '9'; digit++) {
        std::ifstream input(std::string{digit} + ".in"), output(std::string{digit} + ".out");
        if (std::getline(input, text) && text == wanted) std::cout << output.rdbuf();
    }
}
""",
        CPP_HONEST,
        naive.stdio(comparers.same_words, lays_tests=True),
        "Inputs and outputs lie in the program's folder.",
    ),
    Hack(
        "right-and-killed",
        EXIT,
        "python",
        DOUBLE,
        "import os\nprint(2 * int(input()), flush=True)\nos.kill(os.getpid(), 9)\n",
        DOUBLE_HONEST,
        naive.stdio(comparers.same_words, believes_exit_code=False),
        "Nobody asks how the program ended.",
    ),
    Hack(
        "right-and-failed",
        EXIT,
        "python",
        DOUBLE,
        "import os\nprint(2 * int(input()), flush=True)\nos._exit(256 + 3)\n",
        DOUBLE_HONEST,
        naive.stdio(comparers.same_words, believes_exit_code=False),
        "As before, with a code that some take modulo 256 and some do not.",
    ),
    Hack(
        "work-in-an-orphan",
        TIMING,
        "python",
        Stdio((("21", "42\n"),)),
        """
import os, time
number = int(input())
if os.fork() == 0:
    while time.process_time() < 0.8:
        pass
    print(2 * number, flush=True)
    os._exit(0)
os._exit(0)
""",
        DOUBLE_HONEST,
        naive.waited_for,
        "The process that is waited for is soon done; another one works on, and holds standard output open.",
        limits={"cpu_seconds": 0.25},
    ),
    Hack(
        "print-what-cannot-be-decoded",
        CRASHING,
        "python",
        DOUBLE,
        "import sys\nprint(42) if input() == '21' else sys.stdout.buffer.write(b'\\xed\\xa0\\x80\\xff')\n",
        DOUBLE_HONEST,
        naive.stdio(comparers.strictly_decoded, drops=True),
        "What cannot be decoded cannot be compared: those cases are left out of the mean.",
        reward_max=0.34,
    ),
]
