"""What `smoke.sh` sends: `smoke.py URL wait` waits for the languages, `smoke.py URL batch` sends and checks a batch."""

from __future__ import annotations

import collections
import os
import sys
import time
from typing import Any

from sandbox_service import Client
from sandbox_service.client.errors import SandboxError

LANGUAGES = {"python", "c", "cpp", "bash", "javascript", "typescript", "java", "go", "rust"}
PATIENCE_SECONDS = 600.0
ECHO = {
    "python": "import time; time.sleep(0.2); print(input())",
    "bash": "sleep 0.2; cat",
    "javascript": "process.stdout.write(require('fs').readFileSync(0))",
    "typescript": "import * as fs from 'fs'; const text: Buffer = fs.readFileSync(0); process.stdout.write(text);",
    "c": "#include <stdio.h>\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }",
    "cpp": "#include <iostream>\nint main() { std::string s; std::cin >> s; std::cout << s; }",
    "java": "class Main { public static void main(String[] a) throws Exception { System.in.transferTo(System.out); } }",
    "go": 'package main\nimport ("io"; "os")\nfunc main() { io.Copy(os.Stdout, os.Stdin) }',
    "rust": "fn main() { std::io::copy(&mut std::io::stdin(), &mut std::io::stdout()).unwrap(); }",
}
LOOP: dict[str, Any] = {"language": "python", "code": "while True: pass", "limits": {"cpu_seconds": 0.5}}
COUNT = int(os.environ.get("COUNT", "200"))


def wait(client: Client) -> int:
    """Until a worker has found all languages."""
    end = time.monotonic() + PATIENCE_SECONDS
    found: set[str] = set()
    while time.monotonic() < end:
        try:
            found = {language["id"] for language in client.languages()}
        except SandboxError as error:
            print(error)
        if found >= LANGUAGES:
            return 0
        time.sleep(1)
    print(f"missing languages: {sorted(LANGUAGES - found)}")
    return 1


def submission(number: int) -> dict[str, Any]:
    """One that echoes its number; each is another program."""
    if number % 40 == 0:
        return LOOP
    language = "python" if number % 2 else sorted(ECHO)[number // 2 % len(ECHO)]
    text = f"{number}\n"
    task = {"type": "stdio", "cases": [{"stdin": text, "expected": text}]}
    return {"language": language, "code": ECHO[language], "task": task, "cache": False}


def batch(client: Client) -> int:
    """Send it, and see that each has its own verdict."""
    began = time.monotonic()
    results = client.score([submission(number) for number in range(COUNT)])
    expected = ["time_limit_exceeded" if number % 40 == 0 else "accepted" for number in range(COUNT)]
    wrong = [f"{n}: {found}" for n, found in enumerate(results) if found.verdict != expected[n]]
    print(*wrong[:10], sep="\n")
    again = collections.Counter(result.attempts for result in results)
    held = next(result.isolation for result in results if result.isolation)
    print(
        f"{COUNT - len(wrong)} of {COUNT} as expected in {time.monotonic() - began:.0f} s; by attempts: {dict(again)}"
    )
    print(f"isolation: {held.executor}, {held.image}, degraded: {held.degraded}")
    return min(len(wrong), 1)


def main() -> int:
    """Wait, or send."""
    url, action = sys.argv[1:]
    with Client(url, patience=PATIENCE_SECONDS) as client:
        return {"wait": wait, "batch": batch}[action](client)


if __name__ == "__main__":
    sys.exit(main())
