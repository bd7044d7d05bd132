"""What SandboxFusion's public tests of `/run_code` ask, for the languages that every installation has.

Of its tests of Python (7), Bash (6), C++ (6), Node.js (6) and isolation (4); `docs/compat.md` says what differs.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

NAME = "dir1/dir2/dir3/flag"
FLAG = {NAME: base64.b64encode(b"a flag").decode(), "ignored": None}


@dataclass(frozen=True)
class Program:
    name: str
    language: str
    code: str
    status: str = "Success"
    stage_status: str = "Finished"
    stdout: str | None = None
    stderr: str = ""
    stage: str = "run"
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        return {"language": self.language, "code": self.code} | self.more


def late(name: str, language: str, code: str, seconds: float) -> Program:
    return Program(name, language, code, "Failed", "TimeLimitExceeded", more={"run_timeout": seconds})


SERVER = """
import http.server, threading, urllib.request
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"served")
    def log_message(self, *args): pass
server = http.server.HTTPServer(("{host}", 34567), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen("http://{host}:34567", timeout=5).read().decode())
"""
THREADS = """
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
std::mutex lock; std::condition_variable come; std::queue<std::unique_ptr<int>> items;
void produce(int from) {
    for (int i = from; i < from + 3; i++) {
        { std::lock_guard<std::mutex> held(lock); items.push(std::make_unique<int>(i)); }
        come.notify_one();
    }
}
int total = 0;
void consume() {
    for (int i = 0; i < 3; i++) {
        std::unique_lock<std::mutex> held(lock);
        come.wait(held, [] { return !items.empty(); });
        total += *items.front(); items.pop();
    }
}
int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++) { threads.emplace_back(produce, 3 * i); threads.emplace_back(consume); }
    for (auto &thread : threads) thread.join();
    std::cout << total << std::endl;
}
"""
CPP_SLEEP = """
#include <chrono>
#include <thread>
int main() { std::this_thread::sleep_for(std::chrono::seconds(20)); }
"""

PROGRAMS = [
    Program("python prints", "python", "print(123)", stdout="123"),
    late("python is late", "python", "import time; time.sleep(20)", 0.1),
    Program("python asserts", "python", "assert 1 == 2", "Failed", stderr="AssertionError"),
    Program("python does not parse", "python", "int a = 1", "Failed", stderr="SyntaxError: invalid syntax"),
    Program(
        "python reads a file",
        "python",
        f"print(open('{NAME}').read())",
        stdout="a flag",
        more={"files": FLAG},
    ),
    Program("python reads stdin", "python", "print(int(input()))", stdout="65535", more={"stdin": "65535"}),
    Program("bash prints", "bash", 'echo "Hello World"', stdout="Hello World"),
    late("bash is late", "bash", "sleep 20", 0.1),
    Program("bash ends with 1", "bash", "test 1 -eq 2", "Failed"),
    Program("bash does not parse", "bash", "if [", "Failed", stderr="syntax error"),
    Program("bash reads a file", "bash", f"cat {NAME}", stdout="a flag", more={"files": FLAG}),
    Program("bash reads stdin", "bash", "read input\necho $input", stdout="65535", more={"stdin": "65535"}),
    Program("cpp prints", "cpp", '#include <iostream>\nint main() { std::cout << "123" << std::endl; }', stdout="123"),
    late("cpp is late", "cpp", CPP_SLEEP, 0.5),
    Program("cpp asserts", "cpp", "#include <cassert>\nint main() { assert(1 == 2); }", "Failed", stderr="Assertion"),
    Program("cpp does not compile", "cpp", "int main() { object i = ?; }", "Failed", stage="compile"),
    Program(
        "cpp reads stdin",
        "cpp",
        "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n << std::endl; }",
        stdout="65535",
        more={"stdin": "65535"},
    ),
    Program("cpp has threads", "cpp", THREADS, stdout="15"),
    Program("node prints", "nodejs", "console.log(123)", stdout="123"),
    late("node is late", "nodejs", "setTimeout(() => {}, 20_000)", 0.3),
    Program("node asserts", "nodejs", "require('assert').strictEqual(1, 2)", "Failed", stderr="AssertionError"),
    Program("node has console.assert", "nodejs", "console.assert(1 === 2)", stderr="Assertion failed"),
    Program(
        "node reads a file",
        "nodejs",
        f"console.log(require('fs').readFileSync('{NAME}', 'utf8'))",
        stdout="a flag",
        more={"files": FLAG},
    ),
    Program(
        "node reads stdin",
        "nodejs",
        "process.stdin.on('data', text => { console.log(parseInt(text)); process.exit(); })",
        stdout="65535",
        more={"stdin": "65535"},
    ),
    Program("a server on 127.0.0.1", "python", SERVER.format(host="127.0.0.1"), stdout="served"),
    Program("a server on localhost", "python", SERVER.format(host="localhost"), stdout="served"),
]
