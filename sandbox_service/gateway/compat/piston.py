"""Piston: `/api/v2/execute` and `/api/v2/runtimes`, as open-r1 and others ask."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, Field

from sandbox_service.contract.base import from_bytes
from sandbox_service.contract.problem import ProblemError
from sandbox_service.gateway.compat import codeforces, piston_answer
from sandbox_service.gateway.compat.ask import Asker, Body
from sandbox_service.gateway.compat.limits import memory, times
from sandbox_service.gateway.compat.piston_runtimes import Runtime, runtimes
from sandbox_service.gateway.compat.route import Routes, Text, checked, json, refuse_dangerous

MARGIN_SECONDS = 8.0
Milliseconds = Annotated[float, Field(gt=0)]


class File(BaseModel):
    """One file; `encoding` is `utf8`, `base64` or `hex`, anything else counts as `utf8`."""

    content: Text
    name: str | None = None
    encoding: str | None = None

    def data(self) -> Any:
        """The content as `Bytes` of the contract.

        Raises:
            ProblemError: 400, it is no hexadecimal text.
        """
        if self.encoding == "base64":
            return {"base64": "".join(self.content.split())}
        if self.encoding != "hex":
            return self.content
        try:
            return from_bytes(bytes.fromhex(self.content))
        except ValueError:
            raise ProblemError(400, "invalid_field", "files: content is no hexadecimal text", field="files") from None


class Execute(BaseModel):
    """The body of `/execute`: milliseconds, bytes. `None`, 0 or less stand for what is usual."""

    language: str
    version: str
    files: Annotated[list[File], Field(min_length=1)]
    stdin: Text | None = None
    args: list[Text] | None = None
    run_timeout: float | None = None
    compile_timeout: float | None = None
    run_cpu_time: float | None = None
    compile_cpu_time: float | None = None
    run_memory_limit: int | None = None
    compile_memory_limit: int | None = None

    @property
    def run_seconds(self) -> float:
        """How long it may run."""
        return (self.run_timeout or 3_000) / 1000

    @property
    def compile_seconds(self) -> float:
        """How long it may be compiled."""
        return (self.compile_timeout or 10_000) / 1000

    @property
    def named(self) -> dict[str, File]:
        """The files by their names."""
        return {file.name or f"file{number}.code": file for number, file in enumerate(self.files)}

    @property
    def main(self) -> str:
        """The file that is run.

        Raises:
            ProblemError: 400, none is text.
        """
        for name, file in self.named.items():
            if file.encoding not in ("base64", "hex"):
                return name
        raise ProblemError(400, "invalid_field", "files must include at least one utf8 encoded file", field="files")


def add(routes: Routes) -> None:
    """Add the routes."""
    routes.add("POST", "/api/v2/execute", execute, _refused)
    routes.add("GET", "/api/v2/runtimes", list_runtimes, _refused)


async def execute(asker: Asker, content: Any) -> Response:
    """Run a program once, or judge it as the package `codeforces` does."""
    refuse_dangerous(content)
    asked = checked(Execute, content)
    runtime = await _runtime(asked, asker)
    package = codeforces.Package(asked.named, asked.main) if runtime.judges else None
    body = _submission(asked, runtime, asker) if package is None else package.submission(runtime, asked.compile_seconds)
    (result,) = await asker.results([body], asked.compile_seconds + asked.run_seconds + MARGIN_SECONDS)
    stages = piston_answer.stages(result) if package is None else package.stages(result)
    return json({**stages, "language": runtime.language, "version": runtime.version})


async def _runtime(asked: Execute, asker: Asker) -> Runtime:
    for runtime in await runtimes(asker.gateway):
        if runtime.answers_to(asked.language, asked.version):
            return runtime
    detail = f"{asked.language}-{asked.version} runtime is unknown"
    raise ProblemError(400, "unknown_runtime", detail, field="language")


async def list_runtimes(asker: Asker, _content: Any) -> Response:
    """What can be run."""
    return json([runtime.view() for runtime in await runtimes(asker.gateway)])


def _submission(asked: Execute, runtime: Runtime, asker: Asker) -> Body:
    stdin = asked.stdin or ""
    run = times(asked.run_seconds)
    if asked.run_cpu_time:
        run["cpu_seconds"] = min(run["cpu_seconds"], asked.run_cpu_time / 1000)
    return {
        "language": runtime.id,
        "compile_flags": runtime.flags,
        "files": {name: file.data() for name, file in asked.named.items()},
        "entrypoint": asked.main,
        # As the original does, which makes the last line whole.
        "task": {"type": "run", "stdin": stdin if stdin.endswith("\n") else stdin + "\n", "args": asked.args or []},
        "limits": {**run, **memory(asked.run_memory_limit or 0, asker), "compile": times(asked.compile_seconds)},
    }


def _refused(error: ProblemError) -> Response:
    """Refusals are `message` alone. What may succeed later is no 400: its clients ask again."""
    return json({"message": error.detail}, error.status, error.headers)
