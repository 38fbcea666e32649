# SPDX-License-Identifier: Apache-2.0
"""Why a request is turned away. Transports give each cause a status of their own."""

from __future__ import annotations


class TurnedAwayError(Exception):
    """A request of which nothing was accepted. cause: for the metrics. seconds: until it may come again, None where
    that is not said."""

    cause: str
    seconds: float | None = None


class FullError(TurnedAwayError):
    """There is no room; the client has to come again."""

    cause = "full"
    seconds = 1

    def __init__(self) -> None:
        super().__init__("the queue is full")


class RateError(TurnedAwayError):
    """The client asks for more than its rate; seconds: until when there is enough."""

    cause = "rate"

    def __init__(self, seconds: float) -> None:
        super().__init__("the client is over its rate")
        self.seconds = seconds


class DrainingError(TurnedAwayError):
    """The service takes no more jobs, since it is about to end."""

    cause = "draining"

    def __init__(self) -> None:
        super().__init__("the service is about to end")


class UnservedError(TurnedAwayError):
    """No device of the service has the core that a job needs."""

    cause = "unserved"

    def __init__(self, core: str) -> None:
        super().__init__(f"no device has the core {core}")


class RefusedError(TurnedAwayError):
    """A request that is wrong, or of a client that must not ask."""

    def __init__(self, cause: str, text: str) -> None:
        super().__init__(text)
        self.cause = cause
