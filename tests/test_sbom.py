# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials (`make sbom`): every locked package, with the hashes of its files, always alike."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.utils import canonicalize_name

from lock_requirements import locked
from pointmill.resources import ROOT


def written(path: Path) -> dict:
    """The bill, by the program of `make sbom`."""
    subprocess.run([sys.executable, ROOT / "scripts/sbom.py", path], check=True, timeout=120)
    return json.loads(path.read_text())


def hashes(component: dict) -> set[str]:
    """Of the files of a package."""
    return {one["content"] for reference in component["externalReferences"] for one in reference.get("hashes", ())}


@pytest.mark.long
def test_bill_is_valid(tmp_path: Path) -> None:
    """By the schema of its version."""
    bill = written(tmp_path / "bill.json")
    assert bill["specVersion"] == "1.6"
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(json.dumps(bill)) is None
    assert validator.validate_str(json.dumps({**bill, "components": 1})) is not None


def test_every_package_is_in_the_bill(tmp_path: Path) -> None:
    bill = written(tmp_path / "one.json")
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "pointmill")
    listed = {canonicalize_name(one["name"]): one for one in bill["components"]}
    assert all(one["purl"].startswith("pkg:pypi/") for one in listed.values())
    wanted = {canonicalize_name(name): entry for level in locked().values() for name, entry in level.items()}
    assert len(wanted) > 150
    for name, entry in wanted.items():
        assert f"=={listed[name]['version']} " in entry
        assert hashes(listed[name]) == set(re.findall("sha256:([0-9a-f]{64})", entry))
    written(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
