# SPDX-License-Identifier: Apache-2.0
"""The connection to a Ray cluster, or to Ray on this machine. A checkout sends its own sources along, so that all nodes
run the same."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..resources import IN_CHECKOUT, ROOT

EXCLUDED = ("build", ".venv", ".git", "docs", "__pycache__", "*.egg-info")
"""What nodes do not need of the project's folder."""

SECONDS = 10  # in which whoever listens at an address must have answered
MEMORY = 256 << 20
"""Bytes of the object store of this machine, where there is no cluster."""


SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_raylet_start_wait_time_s": "60",
            "RAY_agent_register_timeout_ms": "300000"}
"""Of Ray, by its environment, where nothing else is said: no reports, and time to start on a busy machine."""
STARTS = 3
"""Attempts to start Ray on this machine: a node of Ray gives up if its agent, a large Python program, is not there in
half a minute."""


class ClusterError(RuntimeError):
    """There is no cluster at the address, or the work on it failed."""


@contextmanager
def connected(address: str | None, processors: int | None = None) -> Iterator[Any]:
    """Ray, connected to the cluster at `address` ("auto", host:port or ray://host:port), or started on this machine
    with so many processors if that is None. `ClusterError` if there is none, or for an error of Ray behind it."""
    import ray

    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is None:
            _start(ray, num_cpus=processors, include_dashboard=False, object_store_memory=MEMORY, **quiet)
        else:
            _knock(address)
            environment = {"working_dir": str(ROOT), "excludes": list(EXCLUDED)} if IN_CHECKOUT else {}
            ray.init(address, runtime_env=environment, **quiet)
    except ClusterError:
        raise
    except Exception as error:  # Ray raises this class itself where a node does not start
        raise ClusterError(f"no cluster at {address or 'this machine'}: {error}") from error
    try:
        yield ray
    except ray.exceptions.RayError as error:  # its text has the traces of all processes that it went through
        last = str(error).strip().rpartition("\n")[2]
        raise ClusterError(f"the work failed {f'at {address}' if address else 'on this machine'}: {last}") from error
    finally:
        ray.shutdown()


def _start(ray: Any, **options: Any) -> None:
    """Starts Ray on this machine."""
    for attempt in range(1, STARTS + 1):
        try:
            ray.init("local", **options)
            return
        except Exception:  # the class that Ray raises where a node does not start
            ray.shutdown()
            if attempt == STARTS:
                raise


def _knock(address: str) -> None:
    """`ClusterError` if nobody listens at an address; Ray itself would try for many minutes."""
    if not (parts := re.fullmatch(r"(?:ray://)?\[?([\w.:-]+?)\]?:(\d+)", address)):
        return
    try:
        socket.create_connection((parts[1], int(parts[2])), SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no cluster at {address}: {error}") from error
