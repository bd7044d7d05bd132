"""Six programs of each language: those that any installation of it must tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sandbox_service.contract.verdict import Verdict

MIB = 1 << 20
KINDS = {
    "hello": Verdict.ACCEPTED,
    "echo": Verdict.ACCEPTED,
    "broken": Verdict.COMPILE_ERROR,
    "failing": Verdict.RUNTIME_ERROR,
    "endless": Verdict.TIME_LIMIT_EXCEEDED,
    "greedy": Verdict.MEMORY_LIMIT_EXCEEDED,
}
INPUT = "one two\nthree\n"
LIMITS: dict[str, dict[str, Any]] = {"endless": {"cpu_seconds": 0.5}, "greedy": {"memory_bytes": 128 * MIB}}


@dataclass(frozen=True, slots=True)
class Programs:
    """Texts by what comes of them.

    Attributes:
        hello: prints `hello`.
        echo: prints its standard input.
        broken: does not compile, or fails at once where there is no compiler.
        failing: ends with another exit code than 0, after `hello`.
        endless: uses CPU time for ever.
        greedy: writes to more and more memory.
    """

    hello: str
    echo: str
    broken: str
    failing: str
    endless: str
    greedy: str

    def body(self, language: str, kind: str) -> dict[str, Any]:
        """The submission of one of them."""
        expected = INPUT if kind == "echo" else "hello\n"
        task = {"type": "stdio", "compare": {"mode": "exact"}, "cases": [{"stdin": INPUT, "expected": expected}]}
        return {"language": language, "code": getattr(self, kind), "task": task, "limits": LIMITS.get(kind, {})}


def verdict(kind: str, *, compiled: bool) -> Verdict:
    """What must come of a kind of program."""
    return Verdict.RUNTIME_ERROR if kind == "broken" and not compiled else KINDS[kind]


C = Programs(
    hello='#include <stdio.h>\nint main(void) { puts("hello"); }\n',
    echo="#include <stdio.h>\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }\n",
    broken="int main(void) { return x; }\n",
    failing='#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n',
    endless="int main(void) { for (volatile int i = 0;; i++) {} }\n",
    greedy="#include <stdlib.h>\n#include <string.h>\n"
    "int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n",
)
JAVASCRIPT = Programs(
    hello='console.log("hello");\n',
    echo='process.stdout.write(require("fs").readFileSync(0));\n',
    broken="let x = ;\n",
    failing='console.log("hello"); throw new Error("no");\n',
    endless="for (;;) {}\n",
    greedy="const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));\n",
)
PROGRAMS = {
    "python": Programs(
        hello='print("hello")\n',
        echo='import sys\nprint(sys.stdin.read(), end="")\n',
        broken="x = =\n",
        failing='print("hello")\n1 / 0\n',
        endless="while True: pass\n",
        greedy='kept = []\nwhile True: kept.append(b"x" * (1 << 20))\n',
    ),
    "c": C,
    "cpp": C,
    "bash": Programs(
        hello="echo hello\n",
        echo="cat\n",
        broken="if then\n",
        failing="echo hello\nexit 3\n",
        endless="while :; do :; done\n",
        greedy="x=x; while :; do x=$x$x; done\n",
    ),
    "javascript": JAVASCRIPT,
    "typescript": Programs(
        hello='enum Word { Hello = "hello" }\nconst word: Word = Word.Hello;\nconsole.log(word);\n',
        echo='import * as fs from "fs";\nif (require.main === module) process.stdout.write(fs.readFileSync(0));\n',
        broken="const x: number = ;\n",
        failing=JAVASCRIPT.failing,
        endless=JAVASCRIPT.endless,
        greedy="const kept: Buffer[] = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));\n",
    ),
    "java": Programs(
        hello='class Greeting { public static void main(String[] a) { System.out.println("hello"); } }\n',
        echo="public class Echo {\n"
        "    public static void main(String[] a) throws Exception { System.in.transferTo(System.out); }\n}\n",
        broken="public class Main { int x = y; }\n",
        failing='public class Main { public static void main(String[] a) { System.out.println("hello"); int[] x = {}; '
        "x[0]++; } }\n",
        endless="public class Main { static int i; public static void main(String[] a) { for (;;) i++; } }\n",
        greedy="import java.util.*;\npublic class Main { public static void main(String[] a) { "
        "List<int[]> kept = new ArrayList<>(); for (;;) kept.add(new int[1 << 16]); } }\n",
    ),
    "go": Programs(
        hello='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n',
        echo='package main\n\nimport (\n\t"io"\n\t"os"\n)\n\nfunc main() { io.Copy(os.Stdout, os.Stdin) }\n',
        broken="package main\n\nfunc main() { x := 1 }\n",
        failing='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello"); panic("no") }\n',
        endless="package main\n\nvar i int\n\nfunc main() {\n\tfor {\n\t\ti++\n\t}\n}\n",
        greedy="package main\n\nvar kept [][]byte\n\nfunc main() {\n\tfor {\n\t\tpiece := make([]byte, 1<<20)\n"
        "\t\tfor i := range piece {\n\t\t\tpiece[i] = 1\n\t\t}\n\t\tkept = append(kept, piece)\n\t}\n}\n",
    ),
    "rust": Programs(
        hello='fn main() { println!("hello"); }\n',
        echo="use std::io;\nfn main() { io::copy(&mut io::stdin(), &mut io::stdout()).unwrap(); }\n",
        broken='fn main() { let x: i32 = "x"; }\n',
        failing='fn main() { println!("hello"); let x: Vec<i32> = vec![]; println!("{}", x[0]); }\n',
        endless="fn main() { let mut i = 0u64; loop { i = std::hint::black_box(i + 1); } }\n",
        greedy="fn main() { let mut kept = vec![]; "
        "loop { kept.push(vec![1u8; 1 << 20]); std::hint::black_box(&kept); } }\n",
    ),
}
