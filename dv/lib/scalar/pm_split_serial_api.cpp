// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_split_serial: jobs one after the other, their lists.

#include "Vpm_split_serial.h"
#include "pm_tb_scalar_jobs.h"

extern "C" int pm_split_serial_run(const uint32_t* jobs, int count, uint64_t stall_seed, int64_t clear_after,
                       uint32_t* out, int* entries, int64_t* ends) {
  return pm_tb::run_scalar_jobs<Vpm_split_serial>(jobs, count, stall_seed, clear_after, out, entries, ends);
}
