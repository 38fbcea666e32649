# SPDX-License-Identifier: Apache-2.0
"""The log of the service: a JSON object a line, on standard error. Nothing of a job is ever in it."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, TextIO


class Log:
    """Writes events with their fields."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr

    def __call__(self, event: str, **fields: Any) -> None:
        """One line."""
        line = {"time": round(time.time(), 3), "event": event, **fields}
        self._stream.write(json.dumps(line, default=str) + "\n")
        self._stream.flush()
