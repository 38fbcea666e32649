# SPDX-License-Identifier: Apache-2.0
"""Calls: what one operation asks of a core, as data that may go to another process; and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .. import curve_plans
from ..client import Progress
from ..curve_device import CurveResult
from ..device import Job, Result, SecretJob


@dataclass(frozen=True)
class CurveCall:
    """A function of `curve_plans` by its name, and its arguments."""

    plan: str
    arguments: tuple[Any, ...] = field(repr=False)

    def made(self) -> curve_plans.Plan:
        """The plan; `InputError` for arguments of which none can be made."""
        made: curve_plans.Plan = getattr(curve_plans, self.plan)(*self.arguments)
        return made


Call = Job | SecretJob | CurveCall | curve_plans.Plan
Outcome = Result | CurveResult

__all__ = ["Call", "CurveCall", "Outcome", "Progress"]
