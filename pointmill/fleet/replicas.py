# SPDX-License-Identifier: Apache-2.0
"""Devices of the service as replicas of Ray Serve: `pointmill serve --ray` (docs/serve.md). Ray starts as many as the
load asks for, on any node, and others in place of those that end."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import Any

from ..api.calls import Call, Outcome
from ..api.engine import open_engine
from ..api.process import Died
from ..errors import CancelledError, PointmillError
from ..serve.device_loop import Opener
from ..serve.probe import check, check_opened
from .cluster import ClusterError, connected

SCALING: dict[str, Any] = {"target_ongoing_requests": 1, "metrics_interval_s": 1.0,
                           "look_back_period_s": 4.0, "upscale_delay_s": 2.0, "downscale_delay_s": 60.0}
"""Of Ray Serve: a replica for each group under way or waiting, in the mean of some seconds."""
ROUTING: dict[str, Any] = {"initial_backoff_s": 0.004, "max_backoff_s": 0.02}
"""Of Ray Serve: how soon a group that waits asks again for a replica that is free."""
SETTINGS = {"RAY_SERVE_HANDLE_AUTOSCALING_METRIC_PUSH_INTERVAL_S": "1",
            "RAY_SERVE_REPLICA_AUTOSCALING_METRIC_PUSH_INTERVAL_S": "1", "RAY_worker_niceness": "0"}
"""Of Ray, by its environment: how often Serve learns what waits, every ten seconds unless told otherwise; and that
replicas of this machine have the priority of the service, not the lowest."""


class Device:
    """A replica: an opened core, which has given known answers. It ends with its device: a process that answers only
    that its device has failed would draw all jobs to it."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        """arguments: of `open_engine`."""
        self._engine = open_engine(*arguments)
        self._thread = ThreadPoolExecutor(1)
        check_opened(arguments[0], self._engine.run)

    def modes(self) -> tuple[str, ...]:
        """As `Engine.modes`."""
        return self._engine.modes

    def _work(self, calls: Sequence[Call], mode: str | None, stop: Event) -> list[Outcome]:
        def progress(done: int, total: int) -> None:
            if stop.is_set():
                raise CancelledError("the work was cancelled")

        try:
            if mode is not None:
                self._engine.set_mode(mode)
            outcomes = self._engine.run(calls, progress)
            check(calls, outcomes)
            return outcomes
        except CancelledError:
            raise
        except PointmillError as error:
            sys.stderr.write(f"the device failed: {error}\n")
            sys.stderr.flush()
            os._exit(1)

    async def run(self, calls: Sequence[Call], mode: str | None) -> list[Outcome]:
        """Outcomes in the order of the calls. One that is cancelled ends when the device is free again."""
        stop = Event()
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._work, calls, mode, stop)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()
            with suppress(CancelledError):
                await work
            raise


class Remote:
    """Any replica of a core, as a device of the service sees it: takes one group at a time."""

    pid = None

    def __init__(self, handle: Any) -> None:
        """handle: of the deployment. `Died` if there is no replica."""
        self._handle = handle
        self._lock = Lock()
        self._closed = False
        self._cancelled = -1
        self._under_way: tuple[int, Any] | None = None
        self.modes: tuple[str, ...] = self._result(-2, lambda: handle.modes.remote())

    def _result(self, number: int, ask: Callable[[], Any]) -> Any:
        """What a replica answers; `Died` if it ends before."""
        from ray.exceptions import RayError
        from ray.serve.exceptions import RayServeException

        with self._lock:
            if self._closed:
                raise Died
            if self._cancelled == number:
                raise CancelledError("the work was cancelled")
            response = ask()
            self._under_way = number, response
        try:
            return response.result()
        except PointmillError:
            raise
        except (RayError, RayServeException):
            if self._cancelled == number and not self._closed:
                raise CancelledError("the work was cancelled") from None
            raise Died from None
        finally:
            with self._lock:
                self._under_way = None

    def run(self, number: int, calls: Sequence[Call], *, mode: str | None = None) -> list[Outcome]:
        """Outcomes of calls; `Died` if the replica ends before they are there."""
        outcomes: list[Outcome] = self._result(number, lambda: self._handle.run.remote(calls, mode))
        return outcomes

    def cancel(self, number: int) -> None:
        """Stops the run of this number."""
        with self._lock:
            self._cancelled = number
            if self._under_way is not None and self._under_way[0] == number:
                self._under_way[1].cancel()

    def close(self) -> None:
        """What runs ends with `Died`; the replicas stay."""
        with self._lock:
            self._closed = True
            if self._under_way is not None:
                self._under_way[1].cancel()


@contextmanager
def deployed(devices: Sequence[tuple[Any, ...]], least: int, address: str | None
             ) -> Iterator[tuple[Opener, Callable[[], dict[str, int]]]]:
    """Replicas on the cluster at `address`, or on this machine if that is None: an opener of devices for a `Plan`, and
    what gives the number of replicas by core. They end with the context; those of a program that was killed on a
    cluster are taken over by the next one.

    devices: arguments of `open_engine` of each that there may be at most, the same for all of a core. least: of a core
    that there are at any time. `ClusterError` if there is no cluster, or a device does not open there.
    """
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    counts = Counter(arguments[0] for arguments in devices)
    with connected(address, len(devices)) as ray:
        from ray import serve
        from ray.serve.config import AutoscalingConfig, RequestRouterConfig
        from ray.serve.schema import LoggingConfig, ReplicaState

        logging.getLogger("ray.serve").setLevel(logging.ERROR)
        quiet = LoggingConfig(log_level="ERROR", enable_access_log=False)
        serve.start(proxy_location="Disabled", logging_config=quiet)
        handles: dict[str, Any] = {}

        def replicas() -> dict[str, int]:
            try:
                applications = serve.status().applications
            except (ray.exceptions.RayError, serve.exceptions.RayServeException):
                return {}  # the cluster is gone, or not there for a while
            return {core: applications[_name(core)].deployments[core].replica_states.get(ReplicaState.RUNNING, 0)
                    for core in handles if _name(core) in applications}

        try:
            for arguments in dict.fromkeys(devices):
                core = arguments[0]
                scaling = AutoscalingConfig(min_replicas=min(least, counts[core]), max_replicas=counts[core], **SCALING)
                deployment = serve.deployment(
                    name=core, autoscaling_config=scaling, max_ongoing_requests=1, ray_actor_options={"num_cpus": 1},
                    request_router_config=RequestRouterConfig(**ROUTING), health_check_period_s=2,
                    health_check_timeout_s=30)(Device)
                try:
                    handles[core] = serve.run(deployment.bind(arguments), name=_name(core), route_prefix=None)
                except (RuntimeError, ray.exceptions.RayError) as error:
                    raise ClusterError(f"no {core} was opened on the cluster: {error}") from error
            yield lambda arguments: Remote(handles[arguments[0]]), replicas
        finally:
            for core in counts:
                serve.delete(_name(core))


def _name(core: str) -> str:
    """Of the application on the cluster."""
    return f"pointmill-{core}"
