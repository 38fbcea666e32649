# SPDX-License-Identifier: Apache-2.0
"""Builds the site of the documents (`make docs`): docs/*.md, README, and the reference of Python, C and Rust.

The documents keep their links as a reader of the repository follows them; here they are copied to build/site/source
and the links that lead out of docs/ are turned to copies. Warnings are errors, and every link of the site is followed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import c_reference
from pointmill.resources import ROOT

BUILD = ROOT / "build" / "site"
SOURCE, SITE = BUILD / "source", BUILD / "html"
PLACES = {"README.md": "index.md", "docs/README.md": "documents.md", "CONTRIBUTING.md": "contributing.md",
          "CHANGELOG.md": "changelog.md", "examples/README.md": "examples.md"}
"""Documents that are elsewhere in the site; those of docs/ are at its root."""
PYTHON = {"pointmill": "pointmill", "keys": "pointmill.keys", "device": "pointmill.device",
          "curve-device": "pointmill.curve_device", "mpu-device": "pointmill.mpu_device", "curves": "pointmill.curves",
          "errors": "pointmill.errors"}
"""Documents of reference/python, and the module of each."""
STYLE = ".md-typeset table:not([class]) code { white-space: nowrap; }\n"
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def place_of(path: Path) -> Path:
    """Where a file of the repository is in the site; other files than documents and figures keep their path below
    sources/, as text."""
    name = path.relative_to(ROOT).as_posix()
    if name in PLACES:
        return Path(PLACES[name])
    if path.is_relative_to(ROOT / "docs"):
        return path.relative_to(ROOT / "docs")
    return Path("sources", f"{name}.txt")


def staged(path: Path) -> None:
    """Copies a document; its links lead to the same files in the site, of which those outside docs/ are copied too."""
    target = place_of(path)

    def turned(found: re.Match[str]) -> str:
        if "://" in found[2] or found[2].startswith("mailto:"):
            return found[0]
        linked = (path.parent / found[2]).resolve()
        place = place_of(linked)
        if place.parts[0] == "sources":
            (SOURCE / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(linked, SOURCE / place)
        return f"{found[1]}{os.path.relpath(place, target.parent)}{found[3]}"

    (SOURCE / target).parent.mkdir(parents=True, exist_ok=True)
    (SOURCE / target).write_text(LINK.sub(turned, path.read_text(encoding="utf-8")), encoding="utf-8")


def stage() -> None:
    """Makes build/site/source."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE, ignore=shutil.ignore_patterns("*.md"))
    (SOURCE / "site.css").write_text(STYLE)
    for path in (*(ROOT / name for name in PLACES), *sorted((ROOT / "docs").glob("*.md"))):
        staged(path)
    for name, module in PYTHON.items():
        path = SOURCE / "reference" / "python" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# `{module}`\n\n::: {module}\n", encoding="utf-8")
    for header in sorted((ROOT / "sw" / "include").glob("*.h")):
        path = SOURCE / "reference" / "c" / f"{header.name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(c_reference.document(header), encoding="utf-8")


class _Document(HTMLParser):
    """Links and anchors of an HTML document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Notes what the tag names."""
        values = {name: value for name, value in attributes if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") != "canonical" and "href" in values:
            self.loaded.append(values["href"])
        elif "src" in values:
            self.loaded.append(values["src"])


def broken(site: Path) -> Iterator[str]:
    """Links of a site that lead nowhere, and files that it would load from elsewhere, as `document: link`."""
    documents = {path: _Document(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, document in documents.items():
        if path.name == "404.html":  # its links start at the root of a server
            continue
        for link in [*document.links, *document.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in document.loaded and parts.scheme != "data":
                    yield f"{path.relative_to(site)}: {link} is loaded from elsewhere"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            known = documents[target].anchors if target in documents else set()
            if not target.is_file() or (parts.fragment and target in documents
                                        and unquote(parts.fragment) not in {*known, "__skip"}):
                yield f"{path.relative_to(site)}: {link} leads nowhere"


def configuration() -> str:
    """mkdocs.yml with the headers in its navigation."""
    headers = ", ".join(f"reference/c/{path.name}" for path in sorted((SOURCE / "reference" / "c").glob("*.md")))
    return (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("C HEADERS", headers)


def rendered(text: str) -> list[str]:
    """Builds a site of this configuration; what MkDocs warns of."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", "-"]
    done = subprocess.run(command, cwd=ROOT, input=text, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return [line for line in done.stdout.splitlines() if not line.startswith("INFO")] if done.returncode else []


def main() -> int:
    """Builds the site; exit code 1 if something is wrong with it."""
    stage()
    if warnings := rendered(configuration()):
        print("\n".join(warnings))
        return 1
    findings = list(broken(SITE))
    for finding in findings:
        print(f"docs: {finding}")
    place = SITE.relative_to(ROOT)
    print(f"docs: {len(findings)} broken links" if findings else
          f"docs: {place}/index.html; its search wants a server: python3 -m http.server --bind 127.0.0.1 -d {place}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
