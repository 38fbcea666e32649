# SPDX-License-Identifier: Apache-2.0
"""Runs tests, each time in a process that has loaded the packages of tests already, with the number of a change in
PM_MUTANT.

`python -m pointmill.measure.mutation.server MODULE ...` loads these modules, then reads requests and writes results,
lines of JSON: {"number": 3, "tests": ["dv/lib/prim/test_pm_fifo.py"], "seconds": 60} gives {"code": 1, "seconds": 2.5,
"text": "..."}. tests: words of pytest. seconds: of the processor, for each process, and what all took; ten times as
many may pass by the clock. code: of pytest, negative for a signal, null where the time by the clock was over; text: the
end of what it wrote.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

END = 4000  # bytes of the output that are kept
FILE_BYTES = 1 << 28  # of one file that a test may write: a wrong design may print without end
BY_CLOCK = 10  # times as long by the clock as by the processor, on a busy machine
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly")


def _child(number: int, tests: Sequence[str], seconds: int, output: int, folder: str) -> int:
    """Runs the tests in this process; the exit code."""
    import pytest

    os.setsid()
    for stream in (1, 2):
        os.dup2(output, stream)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    os.environ |= {"PM_MUTANT": str(number), "COCOTB_MAX_FAILURES": "1"}
    return int(pytest.main([*OPTIONS, f"--basetemp={folder}/tests", *tests]))


def run(number: int, tests: Sequence[str], seconds: int) -> dict[str, object]:
    """Runs the tests in a process of their own, as long as `seconds`."""
    end, spent = time.monotonic() + BY_CLOCK * seconds, resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "output").open("w+b") as output:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = _child(number, tests, seconds, output.fileno(), folder)
            finally:
                os._exit(code)
        status = None
        while status is None and time.monotonic() < end:
            done, found = os.waitpid(child, os.WNOHANG)
            if done:
                status = found
            else:
                time.sleep(0.02)
        with suppress(ProcessLookupError):  # all that the tests started
            os.killpg(child, signal.SIGKILL)
        if status is None:
            os.waitpid(child, 0)
        output.seek(max(0, output.seek(0, os.SEEK_END) - END))
        text = output.read().decode(errors="replace")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
    return {"code": None if status is None else os.waitstatus_to_exitcode(status), "seconds": round(took, 2),
            "text": text}


def main(modules: Sequence[str]) -> int:
    """Answers requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in modules:
        importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(run(request["number"], request["tests"], request["seconds"])), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
