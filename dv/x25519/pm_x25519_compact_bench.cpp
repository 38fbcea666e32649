// SPDX-License-Identifier: Apache-2.0
//
// Jobs through pm_x25519_compact_engine: pm_x25519_engine_bench.h.

#include "Vpm_x25519_compact_engine.h"
#include "pm_x25519_engine_bench.h"

int main(int argc, char** argv) { return pm_x25519_bench::run<Vpm_x25519_compact_engine>(argc, argv); }
