/* SPDX-License-Identifier: Apache-2.0
 *
 * stub_module.c: a shared object that the loader of simulated cores rejects: of another interface, or (NO_OBJECT) none
 * at all.
 */
#include "../../sw/src/sim_module.h"

#ifndef NO_OBJECT
extern const pm_sim_module pm_simulated_core;
const pm_sim_module pm_simulated_core = {
    .interface = PM_SIM_INTERFACE + 1,
    .core = "edverify",
    .config = "stub",
};
#else
extern const int pm_nothing;
const int pm_nothing = 0;
#endif
