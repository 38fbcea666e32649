#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh PREFIX [CORE-CONFIGURATION...]: builds libpointmill by CMake and installs it below PREFIX, or below
# $DESTDIR/PREFIX for a package, with the modules of these simulated cores, which level `run` of the set-up builds.
# BUILD: folder of the build (default: build/cmake/install). PYTHON builds the modules (default: that of .venv).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=$1
shift
build=${BUILD:-build/cmake/install}
command -v cmake >/dev/null || { echo 'install: cmake is missing: apt-get install cmake' >&2; exit 1; }

modules=
if [ $# -ne 0 ]; then
  modules=$("${PYTHON:-.venv/bin/python}" - "$@" <<'PY'
import sys
from pointmill import library, simbuild
from pointmill.cores import CORES

known = {f"{core}-{config}": (core, config) for core, entry in CORES.items() for config in entry.parameters}
if unknown := [name for name in sys.argv[1:] if name not in known]:
    sys.exit(f"install: no simulated core {unknown[0]}; there are {', '.join(known)}")
try:
    print(";".join(str(library.module(*known[name])) for name in sys.argv[1:]))
except simbuild.BuildError as error:
    sys.exit(f"install: {error}")
PY
  )
fi
cmake -S sw -B "$build" -DCMAKE_INSTALL_PREFIX="$prefix" -DPOINTMILL_MODULES="$modules" >/dev/null
# An earlier run that was killed may have left half an object file, which the second build does not take for a whole one.
cmake --build "$build" >/dev/null || cmake --build "$build" --clean-first >/dev/null
cmake --install "$build" | sed -n 's|^-- Installing: ||p'
