# SPDX-License-Identifier: Apache-2.0
"""What the commands write, and how the program ends: JSON lines and tables on standard output, progress on
standard error, and an exit code that tells of lost output and of signals.

| end | exit code | standard error |
|---|---|---|
| standard output cannot be written (full disk, closed) | 2 | says why |
| the reader of standard output went away | 141 | nothing |
| SIGINT, SIGHUP, SIGTERM | 130, 129, 143 | nothing |
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

EXIT_OUTPUT = 2
"""Standard output or standard error could not be written."""
EXIT_PIPE = 128 + signal.SIGPIPE
"""The reader of the output went away."""

SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
"""They end a command in order, with exit code 128 + number."""


class OutputError(Exception):
    """A standard stream could not be written. No OSError, since commands take those for errors of their input."""


class Stopped(KeyboardInterrupt):
    """One of SIGNALS arrived."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def write_json(record: dict[str, Any]) -> None:
    """One JSON line on standard output; plain ASCII, so that any encoding can carry it."""
    sys.stdout.write(json.dumps(record) + "\n")


def write_error(text: str, kind: str) -> None:
    """The error line of a command: a JSON line that also says `valid` false."""
    write_json({"valid": False, "reason": kind, "error": text})
    sys.stdout.flush()


def output() -> Console:
    """Console for people on standard output."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def messages() -> Console:
    """Console on standard error."""
    return Console(stderr=True, highlight=False)


# ---- progress


def _progress(*columns: ProgressColumn) -> Progress:
    """A display on standard error that leaves both streams alone: rich would send what is written to standard
    output meanwhile to the console of the display."""
    return Progress(SpinnerColumn(), TextColumn("{task.description}"), *columns, console=messages(), transient=True,
                    redirect_stdout=False, redirect_stderr=False)


@contextmanager
def progress_bar(text: str, total: int | None, lines: bool = False) -> Iterator[Any]:
    """A bar on standard error, on a terminal only; yields a function that advances it by n. lines: results are
    written meanwhile, so that there is no bar if these go to a terminal too."""
    if not sys.stderr.isatty() or (lines and sys.stdout.isatty()):
        yield lambda n=1: None
        return
    with _progress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
                   TimeElapsedColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task(text, total=total, rate="")

        def advance(n: int = 1) -> None:
            progress.advance(task, n)
            speed = progress.tasks[0].speed
            if speed:
                progress.update(task, rate=f"{speed:.1f}/s")

        yield advance


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """A text with a spinner on standard error, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    with _progress() as progress:
        progress.add_task(text, total=None)
        yield


# ---- streams and signals of the process


class _Raw(io.FileIO):
    """A standard stream by its descriptor. The first failure is kept in `failure` and raised as `OutputError`; what
    is written afterwards is dropped, so that nothing fails again while the program ends."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.failure: OSError | None = None

    def write(self, data: Any) -> int | None:  # type: ignore[override]  # of a stream that takes any buffer
        """Writes bytes; how many."""
        if self.failure is not None:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self.failure = error
            raise OutputError(error.strerror) from error


def _stream(descriptor: int, old: TextIO | None) -> tuple[_Raw, io.TextIOWrapper]:
    """What takes the place of a standard stream, `old`, or None if it was closed."""
    raw = _Raw(descriptor)
    return raw, io.TextIOWrapper(io.BufferedWriter(raw), encoding=old.encoding if old else "utf-8",
                                 errors="backslashreplace", line_buffering=raw.isatty() or descriptor == 2)


def _occupy_closed() -> None:
    """Opens descriptors 0 to 2 that are closed, lest a file get one of them. Writing to standard output fails then,
    as it must; what would go to standard error is dropped."""
    for descriptor, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    """Handler of the first of SIGNALS; another one ends the process at once."""
    for other in SIGNALS:
        signal.signal(other, signal.SIG_DFL)
    raise Stopped(number)


def _take_signals() -> None:
    """Lets SIGNALS raise `Stopped`, those apart that the process was told to ignore."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


def run_program(command: Callable[[], int]) -> int:
    """Runs a command as this process: its exit code, or that of its end (see above). What was written before the
    end is out afterwards, or the exit code says that it is not."""
    _occupy_closed()
    (out, sys.stdout), (err, sys.stderr) = _stream(1, sys.stdout), _stream(2, sys.stderr)
    stopped = 0
    code: Any = EXIT_OUTPUT
    try:
        _take_signals()
        code = command()
    except SystemExit as ended:
        code = ended.code or 0
    except OutputError:
        pass
    except Stopped as signalled:
        stopped = 128 + signalled.number
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OutputError:
            pass
        except Stopped as signalled:
            stopped = 128 + signalled.number
    if out.failure is not None and not isinstance(out.failure, BrokenPipeError):
        with suppress(OutputError):
            sys.stderr.write(f"pointmill: standard output: {out.failure.strerror}\n")
    if stopped:
        return stopped
    failures = [raw.failure for raw in (out, err) if raw.failure is not None]
    if not failures:
        return code
    return EXIT_PIPE if all(isinstance(failure, BrokenPipeError) for failure in failures) else EXIT_OUTPUT
