"""The `sandbox-fusion` client: synchronous, concurrent, asynchronous; running and judging."""

import asyncio
import base64
import json
import sys

from sandbox_fusion import (
    RunCodeRequest,
    SubmitRequest,
    SummaryMapping,
    TestConfig,
    run_code,
    run_code_async,
    run_concurrent,
    set_endpoint,
    submit,
    summary_run_code_result,
)

set_endpoint(sys.argv[1])


def show(value):
    print(json.dumps(value))


def run(code, language="python", **more):
    return run_code(RunCodeRequest(code=code, language=language, **more), max_attempts=1)


for request in ({"code": "print(123)"}, {"code": "while 1: pass", "run_timeout": 0.2}, {"code": "exit(3)"}):
    result = run(**request)
    show([result.status.value, result.run_result.status.value, result.run_result.stdout])
files = run("open('a.txt', 'w').write('out')", fetch_files=["a.txt"]).files
show({name: base64.b64decode(text).decode() for name, text in files.items()})
mapping = SummaryMapping(Success="ok", Failed="wrong", CompileFailed="compiles not")
programs = [("1", "python"), ("exit(1)", "python"), ("int main() { x }", "cpp")]
results = run_concurrent(run, args=[list(program) for program in programs])
show([summary_run_code_result(result, mapping) for result in results])
for last in ("4", "5"):
    cases = [
        {"input": {"stdin": "1"}, "output": {"stdout": "2"}},
        {"input": {"stdin": "2"}, "output": {"stdout": last}},
    ]
    config = TestConfig(dataset_type="CommonOJDataset", language="python", provided_data={"id": 1, "test": cases})
    completion = "```python\nprint(2 * int(input()))\n```"
    found = submit(SubmitRequest(dataset="any", id=1, completion=completion, config=config), max_attempts=1)
    show([found.accepted, [test.passed for test in found.tests]])


async def many():
    request = RunCodeRequest(code="print('asynchronous')", language="python")
    results = await asyncio.gather(*(run_code_async(request) for _ in range(8)))
    return [result.run_result.stdout for result in results]


show(asyncio.run(many()))
