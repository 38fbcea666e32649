# SPDX-License-Identifier: Apache-2.0
"""Tasks on a Ray cluster. The driver sends its own sources along, so that all nodes measure the same, and gets the
outcomes back: nodes share no file system. What ran on a node that is lost runs again on another one."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator, Sequence
from typing import Any

from pointmill.measure.task import Outcome, Task, perform
from pointmill.simbuild import ROOT

EXCLUDED = ("build", ".venv", ".git", "docs", "__pycache__", "*.egg-info")
"""What nodes do not need of the project's folder."""

SECONDS = 10  # in which whoever listens at an address must have answered


class ClusterError(RuntimeError):
    """There is no Ray, or no cluster at the address."""


def _on_node(task: Task) -> Outcome:
    """Carries a task out where it is called."""
    import ray

    return perform(task, ray.get_runtime_context().get_node_id())


def execute(tasks: Sequence[Task], address: str, retries: int) -> Iterator[tuple[Task, Outcome]]:
    """The tasks with their outcomes, as they end, as many at a time as the cluster at `address` ("auto", host:port
    or ray://host:port) has processors. retries: for each task, how many nodes or processes it may lose.
    `ClusterError` if there is no cluster."""
    try:
        import ray
    except ImportError as error:
        raise ClusterError("Ray is not installed: run `make setup`") from error
    _knock(address)
    environment = {"working_dir": str(ROOT), "excludes": list(EXCLUDED)}
    try:
        ray.init(address, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, ImportError) as error:
        raise ClusterError(f"no cluster at {address}: {error}") from error
    try:
        remote = ray.remote(_on_node).options(num_cpus=1, max_retries=retries)
        waiting = {remote.remote(task): task for task in tasks}
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(done), _outcome(ray, done)
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """`ClusterError` if nobody listens at an address; Ray itself would try for many minutes."""
    if not (parts := re.fullmatch(r"(?:ray://)?\[?([\w.:-]+?)\]?:(\d+)", address)):
        return
    try:
        socket.create_connection((parts[1], int(parts[2])), SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no cluster at {address}: {error}") from error


def _outcome(ray: Any, done: Any) -> Outcome:
    """What a finished task gave, or why it gave nothing."""
    try:
        return ray.get(done)
    except ray.exceptions.RayError as error:
        return Outcome((), 0, "", "", f"{type(error).__name__}: {error}")
