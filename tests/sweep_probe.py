# SPDX-License-Identifier: Apache-2.0
"""A subject of sweeps for the tests: cycles of the ladder of X25519 by what a product and a sum take, and figures that
cost nothing. Tasks say in files of a folder that they begin, and can be held there, fail, or lose their process."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import uuid
from pathlib import Path

from pointmill.measure.inputs import Inputs
from pointmill.measure.task import Figure, Measure, Params
from pointmill.simbuild import ROOT

PARAMETERS = {
    "mul": "cycles of a product",
    "sum": "cycles of a sum",
    "folder": "where each task leaves a file when it starts",
    "input": "a file on which figures depend, relative to the root",
    "free": "tasks of a node that need not wait for the file `release` in the folder",
    "dies": "the value of mul whose process kills itself",
    "times": "how often each point of it does",
}  # fmt: skip
SECONDS = 120  # longest time for which a task waits


def length(mul: int, sums: int) -> int:
    """Cycles of a step of the ladder."""
    from pointmill.ucode.assembler import assemble
    from pointmill.ucode.machine import Machine
    from pointmill.ucode.scheduler import Scheduler

    machine = Machine("x25519", "tile")
    machine.latency = {**machine.latency, "mul": mul, "sum": sums}
    return Scheduler(machine, assemble(machine, "tile")).run()["ladder_step"].length


def node() -> str:
    """The node of the cluster on which this runs; "" without a cluster."""
    if "ray" not in sys.modules:
        return ""
    import ray

    return ray.get_runtime_context().get_node_id()


def starts(folder: Path) -> list[dict]:
    """What tasks left when they began."""
    return [json.loads(path.read_text()) for path in folder.glob("started-*.json")]


def begin(params: Params) -> None:
    """Leaves a file, dies if it must, and waits if it must."""
    folder = Path(str(params["folder"]))
    entry = {"mul": params["mul"], "sum": params["sum"], "node": node(), "pid": os.getpid()}
    path = folder / f"started-{uuid.uuid4()}.json"
    partial = path.with_suffix(".tmp")
    partial.write_text(json.dumps(entry))
    partial.rename(path)
    begun = [other for other in starts(folder) if other["node"] == entry["node"]]
    same = [other for other in begun if other["mul"] == params["mul"] and other["sum"] == params["sum"]]
    if params["mul"] == params.get("dies") and len(same) <= int(params["times"]):
        os.kill(os.getpid(), signal.SIGKILL)
    end = time.monotonic() + SECONDS
    while len(begun) > int(params.get("free", 1000)) and not (folder / "release").exists():
        if time.monotonic() > end:
            raise TimeoutError("nobody released the task")
        time.sleep(0.05)


def cycles(params: Params) -> list[Figure]:
    """A real measure, of a fraction of a second."""
    begin(params)
    return [Figure("cycles", length(int(params["mul"]), int(params["sum"])), "cycles")]


def resources(mul: int, sums: int) -> int:
    """Some number."""
    return 1000 // sums + mul


def area(params: Params) -> list[Figure]:
    """A measure that costs nothing."""
    begin(params)
    return [Figure("lut", resources(int(params["mul"]), int(params["sum"])), "LUT")]


def clock(params: Params) -> list[Figure]:
    """A measure that some points do not have."""
    begin(params)
    if params["mul"] == 9:
        raise ValueError("nine cycles are too many")
    return [Figure("mhz", 200 - int(params["mul"]), "MHz")]


def inputs(params: Params) -> Inputs:
    """The file that the parameters name, if any."""
    return Inputs((), [ROOT / str(params["input"])] if "input" in params else [])


MEASURES = {"cycles": Measure(cycles, inputs, ("ortools",)), "area": Measure(area, inputs),
            "clock": Measure(clock, inputs)}  # fmt: skip
