# SPDX-License-Identifier: Apache-2.0
"""Reads YAML files, by libyaml where the package has it: several are read whenever a core is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """The data of a file; `yaml.YAMLError` for one that is no YAML."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
