"""Environments with real trainers in them, made when a test first asks; they lie outside the repository and stay.

Each has what it needs from the package index alone: versions are those that the tests name.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

from tests import whole

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).with_name("scripts")
INSTALL_SECONDS, RUN_SECONDS = 1800, 900
SDK = ["httpx>=0.28", "pydantic>=2.12", "anyio>=4"]
TORCH = ["torch==2.13.0"]
ENVIRONMENTS: dict[str, list[list[str]]] = {
    "trl": [TORCH, ["trl==1.16.0"]],
    "verl": [TORCH, ["verl==0.9.1"]],
    # Its own requirements cannot be met without a CUDA compiler (flash-attn, deepspeed): its client's alone are.
    "openrlhf": [TORCH, ["--no-deps", "openrlhf==0.11.2"], ["aiohttp", "pylatexenc", "transformers==5.15.0", "sympy"]],
    "verifiers": [["verifiers==0.4.0", "uv"]],
    "verifiers_legacy": [["verifiers==0.1.14"]],
    "skyrl": [["skyrl-gym==0.4.0"]],
    "inspect_ai": [["inspect-ai==0.3.285"]],
    "sandbox_fusion": [["sandbox-fusion==0.3.7"]],
    # Its client of SandboxFusion and its grading need neither transformers nor the training service.
    "tinker_cookbook": [["--no-deps", "tinker-cookbook==0.6.1"], ["aiohttp", "chz"]],
    "open_r1": [["aiohttp", "async-lru", "aiofiles", "pandas"]],
}
"""By name, the arguments of pip, one call after another; torch first, so that it is the one for CPUs where there is."""


def python(name: str) -> Path:
    """The interpreter of an environment, which is made if it is not there."""
    steps = [*ENVIRONMENTS[name], SDK]
    digest = hashlib.sha256(json.dumps(steps).encode()).hexdigest()[:12]
    folder = _cache() / f"{name}-{digest}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may want it
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, steps)
    return folder / "bin" / "python"


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "sandbox-service" / "trainers"


def _make(folder: Path, steps: list[list[str]]) -> None:
    subprocess.run(["/usr/bin/python3", "-m", "venv", folder], check=True, timeout=INSTALL_SECONDS)
    pip = [folder / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    for step in steps:
        done = subprocess.run([*pip, *step], capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
        assert done.returncode == 0, f"{step}: {done.stderr[-2000:]}"
    (folder / "complete").touch()


def start(name: str, script: str | Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start a script of `scripts/`, or any other, in an environment."""
    path = (str(ROOT), str(ROOT / "docs" / "examples"), *filter(None, [environment.pop("PYTHONPATH", "")]))
    quiet = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1", "WANDB_MODE": "disabled"}
    binaries = f"{python(name).parent}:{os.environ['PATH']}"
    return subprocess.Popen(
        [python(name), SCRIPTS / script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=whole.ENVIRONMENT | quiet | {"PYTHONPATH": ":".join(path), "PATH": binaries} | environment,
    )


def run(name: str, script: str | Path, *arguments: str, **environment: str) -> str:
    """Run one to its end; what it printed."""
    process = start(name, script, *arguments, **environment)
    try:
        stdout, stderr = process.communicate(timeout=RUN_SECONDS)
    finally:
        process.kill()
    assert process.returncode == 0, f"{stdout[-2000:]}\n{stderr[-4000:]}"
    return stdout
