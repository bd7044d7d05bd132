"""Who asks: keys, their tenants and scopes."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from sandbox_service.contract.base import Model
from sandbox_service.contract.problem import ProblemError
from sandbox_service.contract.submission import NAME

Scope = Literal["submit", "read", "admin"]
DEFAULT_TENANT = "default"


class Key(Model):
    """One entry of the keys file; the key itself is not kept, only the SHA-256 of it in hex."""

    tenant: Annotated[str, Field(pattern=NAME)]
    key_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    scopes: Annotated[list[Scope], Field(min_length=1)]


class Keys:
    """All keys of an installation. With `None`, everyone is the default tenant with all scopes."""

    def __init__(self, keys: list[Key] | None) -> None:
        self._keys = keys

    def tenant(self, authorization: str | None, scope: Scope) -> str:
        """The tenant that a request belongs to.

        Args:
            authorization: the request's header of that name.
            scope: what the request needs.

        Raises:
            ProblemError: 401 without a known key, 403 if the key lacks the scope.
        """
        if self._keys is None:
            return DEFAULT_TENANT
        key = self._find(authorization or "")
        if key is None:
            detail, headers = "give a key: Authorization: Bearer KEY", {"WWW-Authenticate": "Bearer"}
            raise ProblemError(401, "unauthorized", detail, field="Authorization", headers=headers)
        if scope not in key.scopes:
            raise ProblemError(403, "missing_scope", f"this key lacks the scope {scope}", field="Authorization")
        return key.tenant

    def _find(self, authorization: str) -> Key | None:
        """Compares with every key, so that the time taken tells nothing."""
        scheme, _, secret = authorization.partition(" ")
        digest = hashlib.sha256(secret.strip().encode("utf-8", "surrogateescape")).hexdigest()
        found = [key for key in self._keys or [] if hmac.compare_digest(key.key_sha256, digest)]
        return found[0] if found and scheme.lower() == "bearer" else None


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
    return Keys(keys)
