"""Try unpacked images: `python -m tests.images ROOT...`, each a folder that is named as its image.

Runs the six programs of every language that the image is there for, under the default limits and filter, and its
libraries; prints a line for each and ends with 1 if anything was not as it must be.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from sandbox_service import languages, policy
from sandbox_service.contract import parse
from sandbox_service.contract.data import data_dir
from sandbox_service.executor import NamespaceExecutor
from sandbox_service.worker.pipeline import Pipeline
from sandbox_service.worker.probe import probe
from tests.languages.programs import KINDS, PROGRAMS, verdict

LANGUAGES = languages.load(data_dir("runner_images"))
POLICIES = policy.load(data_dir("policies"))
SMALL = ["bash", "python"]
OFFERED = {
    "base": SMALL,
    "python": SMALL,
    "cpp": [*SMALL, "c", "cpp"],
    "javascript": [*SMALL, "javascript", "typescript"],
    "java": [*SMALL, "java"],
    "go": [*SMALL, "go"],
    "rust": [*SMALL, "rust"],
    "polyglot": list(LANGUAGES),
}
LIBRARIES = "import numpy, pandas, scipy.stats, sympy, pytest\nprint(numpy.arange(4).sum(), sympy.factorint(42))\n"


async def check(root: Path) -> list[str]:
    """What is wrong with an image."""
    executor = NamespaceExecutor(root=root)
    await executor.start()
    try:
        return [fault async for fault in _faults(executor, root.name)]
    finally:
        await executor.stop()


async def _faults(executor: NamespaceExecutor, name: str) -> AsyncIterator[str]:
    found = await probe(executor, LANGUAGES, POLICIES)
    print(f"{name}: {executor.isolation.image}: {', '.join(f'{id} {version}' for id, version in found.items())}")
    # Some have a C compiler besides, which what they are there for is in need of.
    if missing := set(OFFERED[name]) - set(found):
        yield f"{name} does not offer {sorted(missing)}"
    pipeline = Pipeline(executor, POLICIES, LANGUAGES)
    for language in found:
        for kind in KINDS:
            submission = parse.submission(PROGRAMS[language].body(language, kind))
            result = await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)
            compiled, case = result.compile, result.cases[0]
            cost = f"compile {compiled.cpu_seconds or 0:.2f} s, " if compiled else ""
            cost += (
                f"run {case.cpu_seconds or 0:.3f} s, {(case.memory_bytes or 0) >> 20} MiB, {case.processes_peak} tasks"
            )
            print(f"  {language} {kind}: {result.verdict} ({cost})")
            if result.verdict is not verdict(kind, compiled=LANGUAGES[language].compile is not None):
                yield f"{name}: {language} {kind}: {result}"
    if name in ("python", "polyglot"):
        submission = parse.submission({"language": "python", "code": LIBRARIES})
        result = await pipeline.evaluate("sub_x", submission, attempts=1, queued_seconds=0.0)
        print(f"  libraries: {result.verdict}")
        if result.cases[0].stdout != "6 {2: 1, 3: 1, 7: 1}\n":
            yield f"{name}: {result}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.images")
    parser.add_argument("roots", type=Path, nargs="+")
    faults = [fault for root in parser.parse_args().roots for fault in asyncio.run(check(root.resolve()))]
    print(*faults, sep="\n")
    return min(len(faults), 1)


if __name__ == "__main__":
    sys.exit(main())
