# SPDX-License-Identifier: Apache-2.0
"""An opened core that carries out calls, whichever of the four it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cores import CORES
from ..curve_device import CurveDevice, CurveResult
from ..curve_plans import Plan
from ..curve_runner import Runner
from ..device import Device, Job, SecretJob, X25519Device
from ..errors import InputError, UnsupportedError
from ..mpu_device import MpuDevice
from .calls import Call, CurveCall, Outcome, Progress

if TYPE_CHECKING:
    from ..functional.device import FunctionalDevice


def _silent(done: int, total: int) -> None:
    """No progress is asked for."""


class Engine(ABC):
    """What `open_engine` gives. One thread at a time."""

    device: Any

    modes: tuple[str, ...] = ()
    """What `set_mode` takes."""

    def set_mode(self, mode: str) -> None:
        """As `Device.set_mode`; `UnsupportedError` of a core without modes."""
        raise UnsupportedError("the core has no modes")

    @abstractmethod
    def run(self, calls: Sequence[Call], progress: Progress = _silent) -> list[Outcome]:
        """Outcomes in the order of the calls. `DeviceError` if the device failed, `InputError` before anything is sent;
        what `progress` raises stops the batch and is raised again. The engine can be used again in all cases."""

    def close(self) -> None:
        """Closes the device."""
        self.device.close()


class JobEngine(Engine):
    """`edverify` and `x25519`."""

    def __init__(self, device: Device | FunctionalDevice) -> None:
        self.device = device
        self.modes = device.info().modes if device.CORE == "edverify" else ()

    def set_mode(self, mode: str) -> None:
        """As `Device.set_mode`."""
        self.device.set_mode(mode)

    def run(self, calls: Sequence[Call], progress: Progress = _silent) -> list[Outcome]:
        """Verifications first, then operations with a secret operand."""
        public = [index for index, call in enumerate(calls) if isinstance(call, Job)]
        secret = [index for index, call in enumerate(calls) if isinstance(call, SecretJob)]
        found: dict[int, Outcome] = {}
        for indices, batch in ((public, self.device.verify_batch), (secret, self.device.secret_batch)):
            if indices:
                before = len(found)
                results = batch([calls[index] for index in indices],
                                progress=lambda done, _, before=before: progress(before + done, len(calls)))
                found.update(zip(indices, results, strict=True))
        return [found[index] for index in range(len(calls))]


class PlanEngine(Engine):
    """`multicurve` and `mpu`."""

    def __init__(self, device: CurveDevice | MpuDevice) -> None:
        self.device = device
        self._runner = Runner(device, lambda n: None)

    def run(self, calls: Sequence[Call], progress: Progress = _silent) -> list[Outcome]:
        """Curve by curve."""
        plans = [call.made() if isinstance(call, CurveCall) else call for call in calls
                 if isinstance(call, CurveCall | Plan)]
        done = 0

        def advance(n: int) -> None:
            nonlocal done
            done += n
            if n:
                progress(done, len(calls))

        runner = self._runner
        runner.advance = advance
        try:
            results = runner.results(plans)
            if runner.failure is not None:
                raise runner.failure
        except BaseException:
            runner.failure = runner.loaded = None  # the batch was stopped: which curve the core has is not known
            raise
        return [result or CurveResult(None, plan.refused or "aborted")
                for result, plan in zip(results, plans, strict=True)]


OPENERS: dict[str, tuple[Callable[..., Any], Callable[[Any], Engine]]] = {
    "edverify": (Device, JobEngine), "x25519": (X25519Device, JobEngine),
    "multicurve": (CurveDevice, PlanEngine), "mpu": (MpuDevice, PlanEngine)}


def _functional(core: str, config: str | None, settings: str) -> Engine:
    """The functional device of a core; `InputError` for one that has none."""
    from ..functional.device import FunctionalDevice

    if core != FunctionalDevice.CORE:
        raise InputError(f"core {core} has no functional device; {FunctionalDevice.CORE} has one")
    return JobEngine(FunctionalDevice(config or CORES[core].default, settings=settings))


def open_engine(core: str, config: str | None, device: str, settings: str, module: Path | None) -> Engine:
    """Opens a core; as `session.open_device`."""
    if core not in OPENERS:
        raise InputError(f"no core {core!r}; there are {', '.join(OPENERS)}")
    if device == "model":
        return _functional(core, config, settings)
    client, engine = OPENERS[core]
    return engine(client(config or CORES[core].default, device, settings, module=module))
