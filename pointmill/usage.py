# SPDX-License-Identifier: Apache-2.0
"""The argument parser of all commands."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from .commands.common import EXIT_ERROR, write_error


class Parser(argparse.ArgumentParser):
    """Argument parser whose errors are JSON lines too."""

    def error(self, message: str) -> NoReturn:
        """Usage on standard error, the error line on standard output, exit code 2."""
        self.print_usage(sys.stderr)
        write_error(message, "usage")
        raise SystemExit(EXIT_ERROR)
