"""The SDK: `Client`, `AsyncClient` and what they raise. Needs httpx, pydantic and the contract alone."""

from sandbox_service.client._async_client import AsyncClient
from sandbox_service.client._client import Client
from sandbox_service.client.errors import NotFound, RequestProblem, SandboxError, Unavailable, UnexpectedAnswer

__all__ = ["AsyncClient", "Client", "NotFound", "RequestProblem", "SandboxError", "Unavailable", "UnexpectedAnswer"]
