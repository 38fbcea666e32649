# SPDX-License-Identifier: Apache-2.0
"""Makes the C header of the default configurations from hw/<core>/core.yaml."""

from __future__ import annotations

from pathlib import Path

from pointmill.cores import CORES
from pointmill.gen.text import c_header
from pointmill.simbuild import ROOT

HEADER = ROOT / "sw" / "src" / "pm_defaults.h"


def outputs() -> dict[Path, str]:
    """Every file this generator owns, with its text."""
    entries = [f'  X("{name}", "{core.default}")' for name, core in CORES.items()]
    return {HEADER: c_header("PM_DEFAULTS_H", "hw/<core>/core.yaml", [
        "/* X(core, configuration where none is named). */",
        "#define PM_DEFAULT_CONFIGURATIONS(X) \\",
        " \\\n".join(entries),
    ])}  # fmt: skip
