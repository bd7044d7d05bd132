"""Sandboxes that container runtimes make: Docker, and runtimes of the OCI specification directly."""

from sandbox_service.executor.container.docker import DockerRuntime
from sandbox_service.executor.container.executor import ContainerExecutor
from sandbox_service.executor.container.oci import OciRuntime

__all__ = ["ContainerExecutor", "DockerRuntime", "OciRuntime"]
