"""The Piston package `codeforces`, which open-r1 judges with: a program, an input, and the output that it should give.

The original compares inside the sandbox, beside the program; here the expected output never enters it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.result import CaseResult, Result
from sandbox_service.contract.verdict import Verdict
from sandbox_service.gateway.compat import piston_answer
from sandbox_service.gateway.compat.ask import Body
from sandbox_service.gateway.compat.limits import times
from sandbox_service.gateway.compat.piston_answer import Stage
from sandbox_service.gateway.compat.piston_runtimes import Runtime

if TYPE_CHECKING:
    from sandbox_service.gateway.compat.piston import File

INPUT, OUTPUT, CHECKER, CONFIG = "input.txt", "correct_output.txt", "checker.py", "grader_config"
TIMED_OUT, OUT_OF_MEMORY = 124, 134
MIB = 1024 * 1024
# "yes" and "no" count in any case: a comparison of the original that tasks rely on, and that no mode of ours has.
ANY_CASE = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
COMPARE_ANY_CASE = """
import re, sys
def words(path):
    text = open(path, encoding="utf-8", errors="replace").read()
    return re.sub(r"\\b(yes|no)\\b", lambda found: found[0].upper(), text, flags=re.IGNORECASE).split()
sys.exit(words(sys.argv[2]) != words(sys.argv[3]))
"""
# Such a checker takes input, expected, output, and prints 1 or 100; ours takes input, output, expected, and exits.
RUN_CHECKER = """
import subprocess, sys
source = {source!r}
given, output, expected = sys.argv[1:]
with open("original.py", "w", encoding="utf-8", errors="surrogatepass") as file:
    file.write(source)
done = subprocess.run([sys.executable, "original.py", given, expected, output], capture_output=True, text=True)
if done.returncode:
    sys.exit(3)
sys.exit("".join(done.stdout.split()) not in ("1", "100"))
"""


@dataclass(frozen=True, slots=True)
class Package:
    """A request to the package: its files by name, and which of them is the program."""

    files: dict[str, File]
    main: str

    def submission(self, runtime: Runtime, compile_seconds: float) -> Body:
        """What is to be judged.

        Raises:
            ProblemError: 400, the task cannot be translated.
        """
        others = {INPUT, OUTPUT, CHECKER, CONFIG, self.main}
        if extra := self.files.keys() - others:
            raise ProblemError(400, "not_offered", f"{min(extra)} is no file of the package codeforces", field="files")
        if self._setting("INPUT_MODE") == "file":
            raise ProblemError(400, "not_offered", "INPUT_MODE=file is not offered: use stdio", field="files")
        limits: Body = {"compile": times(compile_seconds)}
        if seconds := self._setting("TIME_LIMIT"):
            limits |= times(float(seconds))
        if size := self._setting("MEMORY_LIMIT"):
            limits |= {"memory_bytes": int(float(size) * MIB)}
        return {
            "language": runtime.id,
            "compile_flags": runtime.flags,
            "code": self.files[self.main].data(),
            "task": self._task(),
            "limits": limits,
        }

    def stages(self, result: Result) -> dict[str, Stage]:
        """The answer: `stdout` is 1 or 0, or what the program printed where nothing was expected.

        Raises:
            ProblemError: 500, we failed.
        """
        piston_answer.finished(result)
        # The original has a stage of compiling for every language.
        compiled = piston_answer.stage("", "", 0) if result.compile is None else piston_answer.compiling(result.compile)
        if result.verdict == Verdict.COMPILE_ERROR:
            return {"compile": compiled, "run": compiled}
        return {"compile": compiled, "run": self._run(result.cases[0])}

    def _run(self, case: CaseResult) -> Stage:
        how = "checker" if CHECKER in self.files else "diff"
        match case.verdict:
            case Verdict.ACCEPTED if OUTPUT not in self.files:
                return piston_answer.stage(case.stdout, case.stderr, 0)
            case Verdict.ACCEPTED:
                return piston_answer.stage("1\n", f"Output is correct ({how})\n", 0)
            case Verdict.WRONG_ANSWER:
                return piston_answer.stage("0\n", f"Output isn't correct ({how})\n", 0)
            case Verdict.TIME_LIMIT_EXCEEDED:
                text = f"Time limit exceeded ({self._setting('TIME_LIMIT')}s)\n"
                return piston_answer.stage("0\n", text, TIMED_OUT)
            case Verdict.MEMORY_LIMIT_EXCEEDED:
                text = f"Memory limit exceeded ({self._setting('MEMORY_LIMIT')}MB)\n"
                return piston_answer.stage("0\n", text, OUT_OF_MEMORY)
        code = case.exit_code or 128 + (case.signal or 0)
        return piston_answer.stage("0\n", f"{case.stderr}Runtime error with exit code {code}\n", code)

    def _task(self) -> Body:
        stdin = self._data(INPUT) or ""
        if OUTPUT not in self.files:
            return {"type": "run", "stdin": stdin}
        cases = [{"stdin": stdin, "expected": self._data(OUTPUT)}]
        return {"type": "stdio", "cases": cases, "compare": self._compare()}

    def _compare(self) -> Body:
        if CHECKER in self.files:
            code = RUN_CHECKER.format(source=self.files[CHECKER].content)
        elif ANY_CASE.search(self.files[OUTPUT].content):
            code = COMPARE_ANY_CASE
        else:
            return {"mode": "tokens"}
        return {"mode": "checker", "language": "python", "code": code}

    def _data(self, name: str) -> Any:
        return self.files[name].data() if name in self.files else None

    def _setting(self, name: str) -> str | None:
        """A line `NAME=value` of the settings; `None` where there is none, or no number where one is needed."""
        content = self.files[CONFIG].content if CONFIG in self.files else ""
        found = re.search(rf"^{name}=(.*)$", content, re.MULTILINE)
        value = found[1].strip() if found else ""
        if value in ("", "None"):
            return None
        if name != "INPUT_MODE" and not re.fullmatch(r"\d+(\.\d+)?", value):
            raise ProblemError(400, "invalid_field", f"{CONFIG}: {name} is no number", field="files")
        return value
