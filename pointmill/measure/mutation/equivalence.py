# SPDX-License-Identifier: Apache-2.0
"""Whether a change changes nothing.

Of a SystemVerilog module Yosys is asked: by induction over its registers, which begin equal, with the default
parameters. A proof that does not end in time says nothing. Of a C file the compiler: it makes the same code of both.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from pointmill.library import compiler
from pointmill.measure.mutation.changes import planted
from pointmill.measure.mutation.plan import Mutant
from pointmill.measure.mutation.tree import FOLDER
from pointmill.measure.synthesis.yosys import yosys_command
from pointmill.simbuild import ROOT, read_filelist

SECONDS = 60
C_INCLUDES = ("sw/include", "sw/src", "sw/backends")
_READ = "read_slang -j 1 --top {top} {files}; proc; flatten; chformal -remove; async2sync; memory_map; opt -full"
_PROOF = ("design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; equiv_make gold gate equiv; "
          "hierarchy -top equiv; opt_clean; equiv_struct; equiv_simple -undef; equiv_induct -undef; "
          "equiv_status -assert")


def _list_of(file: str) -> Path:
    """The file list that a module is in."""
    folder = (ROOT / file).parent
    home = folder.parent if folder.name == "rtl" else folder
    return home / f"{home.name}.f"


def _side(name: str, module: str, text: bytes, others: list[Path], folder: Path) -> str:
    """Commands that read one of both designs, from a file with its text."""
    file = folder / f"{name}.sv"
    file.write_bytes(text)
    names = " ".join(str(path.relative_to(ROOT)) for path in [*others, file])
    return f"{_READ.format(top=module, files=names)}; rename {module} {name}; design -stash {name}"


def proved(mutant: Mutant) -> bool:
    """Whether Yosys proves, within the time, that the change of a SystemVerilog module changes nothing."""
    file, module = ROOT / mutant.file, Path(mutant.file).stem
    folder = FOLDER / "equivalence" / f"{module}-{mutant.number}"
    folder.mkdir(parents=True, exist_ok=True)
    text = file.read_bytes()
    others = [path for path in read_filelist(_list_of(mutant.file)) if path != file]
    script = [_side("gold", module, text, others, folder),
              _side("gate", module, planted(text, mutant.change), others, folder), _PROOF]
    command = [*yosys_command(), "-q", "-p", "; ".join(script)]
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    finally:
        shutil.rmtree(folder)
    return done.returncode == 0


def same_code(mutant: Mutant) -> bool:
    """Whether the C compiler makes the same code of the file with the change."""
    def code(text: bytes) -> bytes:
        folders = (f"-I{ROOT / folder}" for folder in C_INCLUDES)
        command = [compiler(), "-std=c11", "-O2", "-w", *folders, "-S", "-x", "c", "-", "-o", "-"]
        return subprocess.run(command, cwd=ROOT, input=text, check=True, capture_output=True).stdout

    text = (ROOT / mutant.file).read_bytes()
    return code(text) == code(planted(text, mutant.change))
