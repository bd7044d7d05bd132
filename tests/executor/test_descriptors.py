"""Who bears programs holds no more after many of them than after one."""

from __future__ import annotations

from pathlib import Path

from tests.executor.place import Place


def held(pid: int) -> int:
    """Descriptors of a process and of all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return len([*Path(f"/proc/{pid}/fd").iterdir()]) + sum(held(int(child)) for child in children)


async def test_no_descriptor_stays(place: Place) -> None:
    counts = []
    for _ in range(3):
        for code in ("print(1)", "raise SystemExit(3)"):
            await place.python(code)
            await place.bash("exit 4")
        counts.append(held(place.sandbox._process.pid))
    assert counts[-1] <= counts[0]
