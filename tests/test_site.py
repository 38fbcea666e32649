# SPDX-License-Identifier: Apache-2.0
"""The site of the documents: it builds without a warning, every link leads somewhere, and it has what it should."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import c_reference
import pointmill
import reference_site
from pointmill.resources import ROOT


def test_site_builds() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "reference_site.py"], cwd=ROOT, text=True, check=False,
                          capture_output=True)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    assert done.stdout.startswith("docs: build/site/html/index.html;")
    reference = (reference_site.SITE / "reference/python/pointmill.html").read_text()
    names = set(pointmill.__all__) - {"__version__"}
    assert {name for name in names if f'id="pointmill.{name}"' in reference} == names
    header = (reference_site.SITE / "reference/c/pointmill.h.html").read_text()
    assert all(f'id="{name}"' in header for name in ("pm_open", "pm_verify_batch", "pm_progress_fn", "pm_result"))
    index = json.loads((reference_site.SITE / "search/search_index.json").read_text())
    places = {entry["location"].partition("#")[0] for entry in index["docs"]}
    documents = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")} - {"README.html"}
    assert {*documents, "index.html", "documents.html", "reference/python/keys.html"} <= places


@pytest.mark.parametrize(("text", "finding"), [
    ('<a href="other.html">', "other.html leads nowhere"), ('<a href="#none">', "#none leads nowhere"),
    ('<a href="index.html#here">', None), ('<a href="https://example.org/">', None),
    ('<script src="https://example.org/a.js">', "https://example.org/a.js is loaded from elsewhere"),
    ('<img src="none.svg">', "none.svg leads nowhere"),
    ('<link rel="stylesheet" href="none.css">', "none.css leads nowhere")])
def test_a_wrong_link_is_found(tmp_path: Path, text: str, finding: str | None) -> None:
    (tmp_path / "index.html").write_text(f'<p id="here">{text}</p>')
    assert list(reference_site.broken(tmp_path)) == ([f"index.html: {finding}"] if finding else [])


def test_a_warning_is_an_error(tmp_path: Path) -> None:
    """A link to no document, and one to no heading."""
    (tmp_path / "docs").mkdir()
    text = reference_site.configuration().partition("\nnav:")[0].replace("build/site/source", str(tmp_path / "docs"))
    text = text.replace("build/site/html", str(tmp_path / "html")).replace("extra_css: [site.css]\n", "")
    (tmp_path / "docs" / "index.md").write_text("# Title\n\n[title](#title)\n")
    assert reference_site.rendered(text) == []
    (tmp_path / "docs" / "index.md").write_text("# Title\n\n[there](other.md), [here](#none)\n")
    warnings = "\n".join(reference_site.rendered(text))
    assert "'other.md'" in warnings and "'#none'" in warnings


def test_declarations_of_headers() -> None:
    found = {path.name: [name for name, _, _ in c_reference.blocks(text)]
             for path in sorted((ROOT / "sw" / "include").glob("*.h"))
             if "/* [declarations] */" in (text := path.read_text())}
    assert len(found) >= 5 and all(found.values())
    assert {"pm_error", "pm_open", "pm_verify_batch", "pm_progress_fn"} <= set(found["pointmill.h"])
    with pytest.raises(ValueError, match="what is declared here"):
        list(c_reference.blocks("/* [declarations] */\n;\n/* [end of declarations] */"))
