// SPDX-License-Identifier: Apache-2.0
//
// export.h: the object that the module of a simulated core exports.
#ifndef PM_SIM_EXPORT_H
#define PM_SIM_EXPORT_H

#include "../../src/sim_module.h"

#define PM_TEXT_OF(word) #word
#define PM_TEXT(word) PM_TEXT_OF(word)

#define PM_SIM_EXPORT(core, stream, memory)                                                                \
  extern "C" {                                                                                             \
  extern const pm_sim_module pm_simulated_core __attribute__((visibility("default")));                     \
  const pm_sim_module pm_simulated_core = {PM_SIM_INTERFACE, core, PM_TEXT(PM_SIM_CONFIG), stream, memory}; \
  }

#endif  // PM_SIM_EXPORT_H
