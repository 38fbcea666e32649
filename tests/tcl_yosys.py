# SPDX-License-Identifier: Apache-2.0
"""Yosys for scripts in Tcl: that of WebAssembly has no Tcl, so tclsh works them off and tells the commands.

Command line: that of Edalize, ``yosys -l LOG -p 'tcl FILE'``.
"""

from __future__ import annotations

import subprocess
import sys

from pointmill.measure.synthesis.yosys import yosys_command

COMMANDS = """
proc yosys args {}
proc unknown args { puts [join $args] }
proc read_slang args { puts "read_slang -j 1 [join $args]" } ;# it has no threads either
"""


def main() -> int:
    """Exit code of Yosys."""
    option, log, run, command = sys.argv[1:]
    assert (option, run, command[:4]) == ("-l", "-p", "tcl "), sys.argv
    told = subprocess.run(["tclsh"], input=f"{COMMANDS}source {command[4:]}\n", text=True, check=True,
                          stdout=subprocess.PIPE)
    return subprocess.run([*yosys_command(), "-q", "-l", log, "-p", "; ".join(told.stdout.splitlines())],
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
