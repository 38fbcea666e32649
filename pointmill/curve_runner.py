# SPDX-License-Identifier: Apache-2.0
"""Carries out plans on a core `multicurve` or `mpu`. A curve is loaded when it changes: plans are sent curve by curve,
and results keep their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from .client import DeviceError
from .curve_device import CurveDevice, CurveJob, CurveResult, load_job, takes_comb
from .curve_plans import Plan, in_own_coordinates
from .curves import Curve, MontgomeryCurve, listed
from .mpu_device import MpuDevice

COMB_FROM = 4
"""Secret products of the base point that are worth making a comb, on every curve, even if that is loaded already
without it."""


class Runner:
    """Sends plans to a core and keeps in mind which curve it has, and whether with a comb. failure: that of the device,
    after which all results are `aborted`."""

    def __init__(self, device: CurveDevice | MpuDevice, advance: Callable[[int], None]) -> None:
        """advance: called with the number of results that came, as they come; what it raises stops the batch."""
        self.device = device
        self.advance = advance
        self.loaded: Curve | MontgomeryCurve | None = None
        self.comb = False
        self.has_comb = isinstance(device, CurveDevice) and device.has_comb
        self.failure: DeviceError | None = None

    def results(self, plans: Sequence[Plan | None]) -> list[CurveResult | None]:
        """Results in the order of the plans, None for those without job."""
        results: list[CurveResult | None] = [None] * len(plans)
        chosen = {index: plan for index, plan in enumerate(plans)
                  if plan is not None and plan.job is not None and plan.refused is None}
        jobs = {index: plan.job for index, plan in chosen.items() if plan.job is not None}
        self.advance(len(plans) - len(jobs))
        advance = self.advance
        while jobs:
            again: dict[int, CurveJob] = {}
            for index, answer in self._answers(chosen, jobs, advance):
                results[index] = answer
                if answer.reason == "unusable_nonce" and (others := chosen[index].others):
                    again.update((index, job) for job in islice(others, 1))
            jobs, advance = again, lambda n: None
        return results

    def _answers(self, plans: dict[int, Plan], jobs: dict[int, CurveJob], advance: Callable[[int], None]
                 ) -> Iterator[tuple[int, CurveResult]]:
        """Answers to jobs for plans of these indices, sent curve by curve."""
        groups: dict[Curve | MontgomeryCurve | None, list[int]] = {self.loaded: []}
        for index in jobs:
            groups.setdefault(plans[index].curve, []).append(index)
        batch, places = [], []
        for curve, indices in groups.items():
            comb = self._wants_comb(curve, [jobs[index] for index in indices])
            known = curve == self.loaded and (self.comb or not comb)
            if curve is not None and not known and indices:
                batch.append(load_job(curve, comb))
                places.append(-1)
                self.loaded, self.comb = curve, comb
            elif curve is None and indices and isinstance(self.device, MpuDevice):
                self.loaded = None  # this core has one modulus
            batch += [jobs[index] for index in indices]
            places += indices
        answers = self._batch(batch, advance)
        refused = None
        for place, answer in zip(places, answers, strict=True):
            if place < 0:  # what is wrong with a curve is the answer to all of its plans
                refused = None if answer.reason == "ok" else answer
            else:
                yield place, refused or in_own_coordinates(plans[place].curve, answer)
        if refused is not None:
            self.loaded = None

    def _wants_comb(self, curve: Curve | MontgomeryCurve | None, jobs: list[CurveJob]) -> bool:
        """Whether jobs are worth a comb. It takes the order for what it is said to be: of a listed curve it is."""
        enough = self.has_comb and sum(map(takes_comb, jobs)) >= COMB_FROM
        return enough and curve is not None and listed(curve)

    def _batch(self, jobs: list[CurveJob], advance: Callable[[int], None]) -> list[CurveResult]:
        """Answers to the jobs, `aborted` once the device has failed."""
        if self.failure is not None:
            return [CurveResult(None, "aborted") for _ in jobs]
        try:
            return self.device.batch(jobs, lambda done, total: advance(jobs[done - 1].op != "load_curve"))
        except DeviceError as error:
            if error.results is None:
                raise
            self.failure = error
            return error.results
