#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh PREFIX [CORE-CONFIGURATION...]: builds libpointmill by CMake and installs it below PREFIX, or below
# $DESTDIR/PREFIX for a package, with the modules of these simulated cores, which level `run` of the set-up builds.
# PYTHON builds them (default: that of .venv).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=$1
shift
command -v cmake >/dev/null || { echo 'install: cmake is missing: apt-get install cmake' >&2; exit 1; }

modules=()
for name in "$@"; do
  modules+=("$("${PYTHON:-.venv/bin/python}" -c 'import sys
from pointmill import library
print(library.module(*sys.argv[1].split("-", 1)))' "$name")")
done
build=build/cmake/install
cmake -S sw -B $build -DCMAKE_INSTALL_PREFIX="$prefix" -DPOINTMILL_MODULES="$(IFS=';'; echo "${modules[*]}")" >/dev/null
# An earlier run that was killed may have left half an object file, which the second build does not take for a whole one.
cmake --build $build >/dev/null || cmake --build $build --clean-first >/dev/null
cmake --install $build | sed -n "s|^-- Installing: ||p"
