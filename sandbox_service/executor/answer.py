"""What init tells of a run. Untrusted: what no init says means that the sandbox is lost, and is never an outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from sandbox_service.contract.outcome import LimitName
from sandbox_service.contract.run import ARTIFACT_COUNT, RunRequest
from sandbox_service.executor.wire import Broken

MAX_CUT = 100
MAX_STATUS = 0xFFFF
MAX_SECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Answer:
    """The header of an answer, checked; the blobs of `sizes` follow it.

    Attributes:
        stage: where the program could not be started (`setup`, `exec`), else `None`; then only `text` tells more.
            `lost` is that who bears programs has died, or the program before it was one.
        text: why it could not.
        errno: its number, where it has one.
        status: the program's wait status.
        wall: seconds from its start until nobody of the run was alive.
        tree_cpu: CPU seconds of all processes that were waited for.
        cpu_before: CPU seconds of the sandbox's group when the program started.
        warm: whether it ran in a Python that was there already.
        start: seconds from the request to the start.
        killed_by: the limit that ended the run.
        violation: the number of the system call that ended it.
        stdout, stderr: sizes of what it wrote, up to the limit.
        stdout_cut, stderr_cut: whether it wrote more.
        files: names and sizes of the files that are handed back.
        cut: names of those that are not, for their size or number.
    """

    stage: str | None
    text: str
    errno: int | None
    status: int
    wall: float
    tree_cpu: float
    cpu_before: float
    warm: bool
    start: float
    killed_by: LimitName | None
    violation: int | None
    stdout: int
    stderr: int
    stdout_cut: bool
    stderr_cut: bool
    files: list[tuple[str, int]]
    cut: list[str]

    @property
    def sizes(self) -> list[int]:
        """Sizes of the blobs, in order."""
        return [self.stdout, self.stderr, *(size for _, size in self.files)]


def parse(header: dict[str, Any], request: RunRequest) -> Answer:
    """Check an answer against what was asked for.

    Raises:
        Broken: no init of ours says that.
    """
    get = _Parts(header)
    stage = get.optional("stage", str)
    ran = stage not in ("setup", "lost")
    output = request.limits.output_bytes
    return Answer(
        stage=stage,
        text=get.optional("text", str) or "",
        errno=get("errno", (int, type(None))) if "errno" in header else None,
        status=get("status", int, lambda value: 0 <= value <= MAX_STATUS) if ran else 0,
        wall=get.seconds("wall") if ran else 0.0,
        tree_cpu=get.seconds("tree_cpu") if ran else 0.0,
        cpu_before=get.seconds("cpu_before") if ran else 0.0,
        warm=get("warm", bool),
        start=get.seconds("start"),
        killed_by=get("killed_by", (str, type(None)), lambda value: value is None or value in get_args(LimitName)),
        violation=get("violation", (int, type(None))),
        stdout=get("stdout", int, lambda size: 0 <= size <= output),
        stderr=get("stderr", int, lambda size: 0 <= size <= output),
        stdout_cut=get("stdout_cut", bool),
        stderr_cut=get("stderr_cut", bool),
        files=[(name, size) for name, size in get("files", list, lambda files: _are_files(files, request))],
        cut=get("cut", list, lambda names: len(names) <= MAX_CUT and all(type(name) is str for name in names))
        if ran
        else [],
    )


def lost(text: str) -> Answer:
    """What stands for an answer that did not come."""
    return Answer(
        stage="lost", text=text, errno=None, status=0, wall=0.0, tree_cpu=0.0, cpu_before=0.0, warm=False, start=0.0,
        killed_by=None, violation=None, stdout=0, stderr=0, stdout_cut=False, stderr_cut=False, files=[], cut=[],
    )  # fmt: skip


class _Parts:
    def __init__(self, header: dict[str, Any]) -> None:
        self._header = header

    def __call__(self, name: str, kind: type | tuple[type, ...], holds: Callable[[Any], bool] = lambda _: True) -> Any:
        value = self._header.get(name)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if name not in self._header or type(value) not in kinds or not holds(value):  # a bool is no int here
            raise Broken(f"init sent no valid {name}")
        return value

    def optional(self, name: str, kind: type) -> Any:
        return self(name, kind) if name in self._header else None

    def seconds(self, name: str) -> float:
        return float(self(name, (int, float), lambda value: 0 <= value < MAX_SECONDS))


def _are_files(files: list[Any], request: RunRequest) -> bool:
    if not all(type(file) is list and [type(part) for part in file] == [str, int] for file in files):
        return False
    sizes = [size for _, size in files]
    return (
        len({name for name, _ in files}) == len(files) <= ARTIFACT_COUNT
        and all(0 <= size <= request.collect_each for size in sizes)
        and sum(sizes) <= request.collect_total
    )
