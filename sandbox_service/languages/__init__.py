"""The language registry: one YAML a language; finding a program in a model's answer."""

from sandbox_service.languages.extract import blocks, extract
from sandbox_service.languages.registry import ANSWERS, Language, Languages, load

__all__ = ["ANSWERS", "Language", "Languages", "blocks", "extract", "load"]
