// SPDX-License-Identifier: Apache-2.0
//
// Included before verilated code: what runs once, when a simulation begins, is compiled without optimisation. It is
// about a third of the code of a core.
#ifndef PM_COLD_H
#define PM_COLD_H

#include <verilated.h>

#undef VL_ATTR_COLD
#define VL_ATTR_COLD __attribute__((__cold__, __optimize__("O0")))

#endif
