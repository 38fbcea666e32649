/* SPDX-License-Identifier: Apache-2.0
 *
 * load.h: finding and loading the module of a simulated core.
 */
#ifndef PM_SIM_LOAD_H
#define PM_SIM_LOAD_H

#include "../../src/sim_module.h"

/* Loads the module that a configuration string names, "[core-]configuration,key=value,...", with the core named by
 * `core` and its default configuration where the string names none. Settings:
 *   module=<file>   this file; the string need not name a configuration then, and the core may be any
 *   modules=<dir>   the folder of the modules; else $PM_SIM_PATH, the folder of this library, PM_MODULE_DIR
 * Modules stay loaded. CONFIG: no such module, or the file is none; pm_open_detail() says more. */
pm_error pm_sim_load(const char *core, const char *config, const pm_sim_module **module);

#endif /* PM_SIM_LOAD_H */
