// SPDX-License-Identifier: Apache-2.0
//
// Jobs through pm_x25519_tile: pm_x25519_engine_bench.h.

#include "Vpm_x25519_tile.h"
#include "pm_x25519_engine_bench.h"

int main(int argc, char** argv) { return pm_x25519_bench::run<Vpm_x25519_tile>(argc, argv); }
