#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bindgen.sh [FILE]: writes pointmill-sys/src/bindings.rs, or FILE, from the C headers. Needs libclang, and bindgen of the
# version below: cargo install --locked bindgen-cli@0.73.2. Where libclang lies in a folder of its own, LIBCLANG_PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/pointmill-sys"
version=0.73.2
found=$(bindgen --version) || { echo "bindgen.sh: cargo install --locked bindgen-cli@$version" >&2; exit 2; }
[ "$found" = "bindgen $version" ] || { echo "bindgen.sh: this is $found, not $version" >&2; exit 2; }
bindgen headers.h --rust-target 1.85 --rust-edition 2021 --no-prepend-enum-name --allowlist-file '.*/sw/include/.*' \
  --raw-line '// SPDX-License-Identifier: Apache-2.0' \
  --raw-line '// Generated from sw/include by bindings/rust/bindgen.sh. Do not edit.' \
  --output "${1:-src/bindings.rs}" -- -I../../../sw/include -isystem "$(gcc -print-file-name=include)"
