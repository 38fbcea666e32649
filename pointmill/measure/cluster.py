# SPDX-License-Identifier: Apache-2.0
"""Tasks on a Ray cluster, which gives the outcomes back: nodes share no file system. What ran on a node that is lost
runs again on another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pointmill.fleet.cluster import ClusterError, connected
from pointmill.measure.task import Outcome, Task, perform

__all__ = ["ClusterError", "execute"]


def _on_node(task: Task) -> Outcome:
    """Carries a task out where it is called."""
    import ray

    return perform(task, ray.get_runtime_context().get_node_id())


def execute(tasks: Sequence[Task], address: str, retries: int) -> Iterator[tuple[Task, Outcome]]:
    """The tasks with their outcomes, as they end, as many at a time as the cluster at `address` ("auto", host:port
    or ray://host:port) has processors. retries: for each task, how many nodes or processes it may lose.
    `ClusterError` if there is no cluster."""
    with connected(address) as ray:
        remote = ray.remote(_on_node).options(num_cpus=1, max_retries=retries)
        waiting = {remote.remote(task): task for task in tasks}
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(done), _outcome(ray, done)


def _outcome(ray: Any, done: Any) -> Outcome:
    """What a finished task gave, or why it gave nothing."""
    try:
        return ray.get(done)
    except ray.exceptions.RayError as error:
        return Outcome((), 0, "", "", f"{type(error).__name__}: {error}")
