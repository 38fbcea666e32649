# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials (`make sbom`): every pinned package that is installed, the same each time."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from pointmill.resources import ROOT


def written(path: Path) -> dict:
    """The bill, by the command of the Makefile."""
    command = next(line for line in (ROOT / "Makefile").read_text().splitlines() if "cyclonedx-py environment" in line)
    command = command.split("&& ")[1].replace("build/sbom.json", str(path)).replace("$(PY)", ".venv/bin/python")
    subprocess.run(command.split(), cwd=ROOT, check=True, timeout=120, capture_output=True)
    return json.loads(path.read_text())


def pinned() -> dict[str, str]:
    """The packages that all set-ups have, with their versions."""
    texts = [path.read_text() for path in [*(ROOT / "requirements").glob("*.txt"), ROOT / "constraints.txt"]]
    found = re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)", "\n".join(texts), re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def test_every_package_is_in_the_bill(tmp_path: Path) -> None:
    bill = written(tmp_path / "one.json")
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "pointmill")
    listed = {re.sub(r"[-_.]+", "-", one["name"]).lower(): one["version"] for one in bill["components"]}
    wanted = pinned()
    assert len(wanted) > 150
    assert {name: listed.get(name) for name in wanted} == wanted
    assert all(one["purl"].startswith("pkg:pypi/") for one in bill["components"])
    written(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
