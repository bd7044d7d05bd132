"""The language registry: one YAML a language."""

from sandbox_service.languages.registry import Language, Languages, load

__all__ = ["Language", "Languages", "load"]
