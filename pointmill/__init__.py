# SPDX-License-Identifier: Apache-2.0
"""Pointmill: elliptic-curve cores in SystemVerilog, their driver and an exact simulated device for each.

    import pointmill

    with pointmill.open("edverify") as device:
        verdict = device.verify(public_key, message, signature)

`open` gives a `Session`, `DevicePool` the same operations on several processes. Every failure is a `PointmillError`.
The names below are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api.operations import HasRawBytes, Operations
    from .api.pool import DevicePool
    from .api.results import (
        CurveKey,
        CurveSignature,
        Ed25519Key,
        Ed25519Signature,
        Number,
        Point,
        SharedSecret,
        Verdict,
    )
    from .api.session import Session, open_device as open  # as io.open and gzip.open are named
    from .client import (
        BusError,
        DeviceError,
        DeviceTimeoutError,
        ModeError,
        OpenError,
        ProtocolError,
        QueueError,
    )
    from .curves import Curve
    from .device import Job
    from .errors import (
        BuildError,
        CancelledError,
        InputError,
        LibraryError,
        NotIncludedError,
        PointmillError,
        PoolError,
        RejectedError,
        UnsupportedError,
    )

_PLACES = {
    "api.operations": ("HasRawBytes", "Operations"),
    "api.pool": ("DevicePool",),
    "api.results": ("CurveKey", "CurveSignature", "Ed25519Key", "Ed25519Signature", "Number", "Point", "SharedSecret",
                    "Verdict"),
    "api.session": ("Session", "open"),
    "client": ("BusError", "DeviceError", "DeviceTimeoutError", "ModeError", "OpenError", "ProtocolError",
               "QueueError"),
    "curves": ("Curve",),
    "device": ("Job",),
    "errors": ("BuildError", "CancelledError", "InputError", "LibraryError", "NotIncludedError", "PointmillError",
               "PoolError", "RejectedError", "UnsupportedError"),
}
"""Public names by the module that has them."""
_MODULES = {name: module for module, names in _PLACES.items() for name in names}
__all__ = ["BuildError", "BusError", "CancelledError", "Curve", "CurveKey", "CurveSignature", "DeviceError",
           "DevicePool", "DeviceTimeoutError", "Ed25519Key", "Ed25519Signature", "HasRawBytes", "InputError", "Job",
           "LibraryError", "ModeError", "NotIncludedError", "Number", "OpenError", "Operations", "Point",
           "PointmillError", "PoolError", "ProtocolError", "QueueError", "RejectedError", "Session", "SharedSecret",
           "UnsupportedError", "Verdict", "__version__", "open"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Loads a public name (PEP 562)."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = importlib.import_module(f".{_MODULES[name]}", __name__)
        value = getattr(module, "open_device" if name == "open" else name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
