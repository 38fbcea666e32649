# SPDX-License-Identifier: Apache-2.0
"""Units of hw/lib/scalar in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping

from pointmill import simbuild


def loaded(unit: str, sources: Iterable[str], params: Mapping[str, int] | None = None) -> ctypes.CDLL:
    """Builds the verilated unit with its C functions."""
    return ctypes.CDLL(str(simbuild.build_shared(unit, sources, f"dv/lib/scalar/{unit}_api.cpp", params,
                                                 cflags=("-Idv/common",))))
