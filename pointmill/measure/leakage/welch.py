# SPDX-License-Identifier: Apache-2.0
"""Welch's t between two sets of traces, cycle by cycle (Goodwill et al. 2011, "A testing methodology for side-channel
resistance validation")."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

THRESHOLD = 4.5
"""|t| above it is taken for a difference."""


def t_values(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """t in each cycle of two matrices of traces, a row each. Where neither set varies it is 0 for equal means, and
    infinite for others; `ValueError` for fewer than two traces, or other lengths."""
    import numpy as np

    if min(len(first), len(second)) < 2 or first.shape[1] != second.shape[1]:
        raise ValueError("two traces of each kind at least, all as long as each other")
    difference = first.mean(axis=0) - second.mean(axis=0)
    spread = np.sqrt(first.var(axis=0, ddof=1) / len(first) + second.var(axis=0, ddof=1) / len(second))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = difference / spread
    return np.where(difference == 0, 0.0, found)
