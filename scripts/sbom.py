# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials (`make sbom`), build/sbom.json or the file that is named, in CycloneDX: the
Python packages that are installed, with versions and licences, and the hashes that the set-up demands of their files.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.utils import canonicalize_name

from pointmill.resources import ROOT

OPTIONS = ("--pyproject", "pyproject.toml", "--output-reproducible", "--no-validate", "--output-format", "JSON",
           "--output-file")


def bill(kind: str, source: str) -> dict:
    """The bill that cyclonedx-py makes of an environment or of requirements."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bill.json"
        subprocess.run([Path(sys.executable).with_name("cyclonedx-py"), kind, *OPTIONS, path, source], cwd=ROOT,
                       check=True, capture_output=True)
        return json.loads(path.read_text())


def identity(component: dict) -> tuple[str, str]:
    """Name, which packages and locks write in different ways, and version."""
    return canonicalize_name(component["name"]), component["version"]


def main() -> None:
    """Writes it."""
    target = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build/sbom.json"
    demanded = bill("requirements", "requirements/dev.lock")
    files = {identity(one): one["externalReferences"] for one in demanded["components"]}
    found = bill("environment", sys.executable)
    for one in found["components"]:
        one["externalReferences"] = [*one.get("externalReferences", ()), *files.get(identity(one), ())]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
