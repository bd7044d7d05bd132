"""Plans of containers, and what runtimes are told of them: no root and no container is needed to look at them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sandbox_service.executor.container.docker import docker_body
from sandbox_service.executor.container.oci import oci_config
from sandbox_service.executor.container.plan import CAPABILITIES, container_plan
from sandbox_service.policy.seccomp import oci_profile
from tests.executor.filters import profile

PLAN = container_plan("name", Path("/box"), {"owner": "me"}, gvisor=False)


def test_docker() -> None:
    body = docker_body(PLAN, "image", "runc")
    host = body["HostConfig"]
    assert (host["NetworkMode"], body["NetworkDisabled"], host["IpcMode"]) == ("none", True, "private")
    assert host["ReadonlyRootfs"] is True
    assert host["Privileged"] is False
    assert (host["CapDrop"], set(host["CapAdd"])) == (["ALL"], set(CAPABILITIES))
    assert "no-new-privileges:true" in host["SecurityOpt"]
    assert any(option.startswith("seccomp={") for option in host["SecurityOpt"])
    assert {mount["Target"] for mount in host["Mounts"]} == {"/work", "/tmp", "/dev/shm"}
    assert host["Memory"] == host["MemorySwap"] == PLAN.memory_bytes
    assert host["PidsLimit"] == PLAN.processes
    assert host["LogConfig"] == {"Type": "none", "Config": {}}
    assert {"/sys", "/proc/kcore", "/proc/keys"} <= set(host["MaskedPaths"])
    assert body["Labels"] == {"owner": "me"}
    json.dumps(body)


def test_oci() -> None:
    config = oci_config(PLAN, Path("/root"), user_namespace=True)
    process, linux = config["process"], config["linux"]
    assert config["root"] == {"path": "/root", "readonly": True}
    assert process["noNewPrivileges"] is True
    assert all(set(held) == {f"CAP_{name}" for name in CAPABILITIES} for held in process["capabilities"].values())
    kinds = {entry["type"] for entry in linux["namespaces"]}
    assert kinds == {"pid", "network", "ipc", "uts", "mount", "cgroup", "user"}
    assert not any("path" in entry for entry in linux["namespaces"])
    assert linux["uidMappings"][0]["hostID"] > 1 << 30
    assert "/sys" not in {mount["destination"] for mount in config["mounts"]}
    assert linux["resources"]["devices"] == [{"allow": False, "access": "rwm"}]
    json.dumps(config)


def test_gvisor_gets_room_for_itself() -> None:
    gvisor = container_plan("name", Path("/box"), {}, gvisor=True)
    assert gvisor.memory_bytes > PLAN.memory_bytes
    assert gvisor.processes > PLAN.processes


def answers(rules: list[dict[str, Any]], call: str) -> set[str]:
    return {rule["action"] for rule in rules if call in rule["names"]}


def test_the_outer_filter_is_the_default_but_for_what_init_needs() -> None:
    """Init loads the filter of each run, and is to hear of what only attacks try."""
    usual = oci_profile(profile("default"))["syscalls"]
    ours = dict(PLAN.seccomp)["syscalls"]
    calls = {name for rule in [*usual, *ours] for name in rule["names"]}
    different = {call for call in calls if answers(usual, call) != answers(ours, call)}
    deadly = {call for call in calls if answers(usual, call) == {"SCMP_ACT_KILL_PROCESS"}}
    assert "mount" in deadly
    assert different == deadly | {"seccomp"}
    assert answers(ours, "unshare") == {"SCMP_ACT_ERRNO"}
