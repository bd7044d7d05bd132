"""Who asks: keys, their tenants and scopes."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from sandbox_service.contract.base import Model
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.reward import NAME
from sandbox_service.contract.submission import DOMAIN

Scope = Literal["submit", "read", "admin"]
DEFAULT_TENANT = "default"
Weight = Annotated[float, Field(ge=0.01, le=100)]


class Key(Model):
    """One entry of the keys file; the key itself is not kept, only the SHA-256 of it in hex.

    The weights are the tenant's, whichever of its keys names them.
    """

    tenant: Annotated[str, Field(pattern=NAME)]
    key_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    scopes: Annotated[list[Scope], Field(min_length=1)]
    weight: Weight | None = None
    domain_weights: dict[Annotated[str, Field(pattern=DOMAIN)], Weight] | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the workers a tenant gets while others wait too, and its domains of that; 1 is usual."""

    weight: float = 1.0
    domain_weights: Mapping[str, float] = field(default_factory=dict)


class Keys:
    """All keys of an installation. With `None`, everyone is the default tenant with all scopes.

    Raises:
        ValueError: the weights of a tenant's keys differ.
    """

    def __init__(self, keys: list[Key] | None) -> None:
        self._keys = keys
        self._shares = {key.tenant: _share(key.tenant, keys or []) for key in keys or []}

    def tenant(self, authorization: str | None, scope: Scope, *, alone: bool = False) -> str:
        """The tenant that a request belongs to.

        Args:
            authorization: the request's header of that name.
            scope: what the request needs.
            alone: the key must have no other scope.

        Raises:
            ProblemError: 401 without a known key, 403 if the key lacks the scope or has too many.
        """
        if self._keys is None:
            return DEFAULT_TENANT
        key = self._find(authorization or "")
        if key is None:
            detail, headers = "give a key: Authorization: Bearer KEY", {"WWW-Authenticate": "Bearer"}
            raise ProblemError(401, "unauthorized", detail, field="Authorization", headers=headers)
        if scope not in key.scopes:
            raise ProblemError(403, "missing_scope", f"this key lacks the scope {scope}", field="Authorization")
        if alone and set(key.scopes) != {scope}:
            detail = f"a key in a path must have the scope {scope} alone: paths are written into logs"
            raise ProblemError(403, "too_many_scopes", detail, field="key")
        return key.tenant

    def share(self, tenant: str) -> Share:
        """The share of a tenant."""
        return self._shares.get(tenant, Share())

    def _find(self, authorization: str) -> Key | None:
        """Compares with every key, so that the time taken tells nothing."""
        scheme, _, secret = authorization.partition(" ")
        digest = hashlib.sha256(secret.strip().encode("utf-8", "surrogateescape")).hexdigest()
        found = [key for key in self._keys or [] if hmac.compare_digest(key.key_sha256, digest)]
        return found[0] if found and scheme.lower() == "bearer" else None


def _share(tenant: str, keys: list[Key]) -> Share:
    own = [key for key in keys if key.tenant == tenant]
    weights = [key.weight for key in own if key.weight is not None]
    domains = [key.domain_weights for key in own if key.domain_weights is not None]
    for found in (weights, domains):
        if any(one != found[0] for one in found):
            raise ValueError(f"the keys of tenant {tenant} name different weights")
    return Share(weights[0] if weights else 1.0, domains[0] if domains else {})


def load(path: Path | None) -> Keys:
    """Read a keys file.

    Raises:
        ValueError: it is no valid keys file, or names a key twice.
        OSError: it cannot be read.
    """
    if path is None:
        return Keys(None)
    try:
        keys = TypeAdapter(list[Key]).validate_python(yaml.safe_load(path.read_bytes()))
    except (ValidationError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None
    if len({key.key_sha256 for key in keys}) < len(keys):
        raise ValueError(f"{path}: a key stands twice")
    try:
        return Keys(keys)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
