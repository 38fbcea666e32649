# SPDX-License-Identifier: Apache-2.0
"""What goes wrong: one class for each kind of failure, all below `PointmillError`."""

from __future__ import annotations


class PointmillError(Exception):
    """Any failure that this package reports."""


class InputError(PointmillError, ValueError):
    """An argument that no device can be given: an unknown name, a wrong length or type, a number out of range."""


class BuildError(PointmillError, RuntimeError):
    """A tool is missing, or rejected its input; the message carries the tool's own output."""


class NotIncludedError(BuildError):
    """The installed package has no simulated core of this configuration; the message says how to get one."""


class LibraryError(PointmillError, OSError):
    """A shared library that cannot be loaded, or is not the one that is wanted."""


class UnsupportedError(PointmillError):
    """The core, or the configuration that is open, has no such operation."""


class RejectedError(PointmillError):
    """The core gave a reason in place of a result. reason: its name; cycles: clock cycles of the job."""

    def __init__(self, reason: str, text: str, cycles: int = 0) -> None:
        super().__init__(f"{reason}: {text}")
        self.reason = reason
        self.cycles = cycles

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, str(self).removeprefix(f"{self.reason}: "), self.cycles)


class PoolError(PointmillError):
    """A pool cannot give a result: its worker processes end again and again, or it is closed."""


class CancelledError(PointmillError):
    """The work was cancelled before its result."""
