"""Brings documents from the top of the repository into the site, where their links lead to the site's own pages."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each of `PAGES`."""
    top = Path(config.docs_dir).parent
    for source, target in PAGES.items():
        text = LINK.sub(_moved, (top / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Lead links of pages that stand in the repository to those documents to their pages."""
    return re.sub(r"\]\((?:\.\./)+(SECURITY|CONTRIBUTING|CHANGELOG)\.md", _page, markdown)


def _moved(found: re.Match[str]) -> str:
    target = found[1].removeprefix("docs/")
    return f"]({PAGES.get(target, target)}"


def _page(found: re.Match[str]) -> str:
    up = found[0].count("../") - 1
    return "](" + "../" * up + PAGES[f"{found[1]}.md"]
