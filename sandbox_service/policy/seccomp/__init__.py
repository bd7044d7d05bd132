"""Which system calls a program may make: one readable source, compiled for the kernel and for container runtimes."""

from sandbox_service.policy.seccomp.bpf import compile_bpf, default_bpf
from sandbox_service.policy.seccomp.calls import MACHINES
from sandbox_service.policy.seccomp.oci import oci_profile
from sandbox_service.policy.seccomp.source import Profile, load_profile

__all__ = ["MACHINES", "Profile", "compile_bpf", "default_bpf", "load_profile", "oci_profile"]
