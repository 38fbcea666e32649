/* SPDX-License-Identifier: Apache-2.0
 *
 * backends.c: the table of back-ends that this library was built with.
 *   PM_WITH_SIM        the sources of sw/backends/sim are linked in, which load simulated cores (Linux)
 *   PM_WITH_UIO        the sources of sw/backends/uio are linked in (Linux)
 *   PM_WITH_UART       the sources of sw/backends/uart are linked in (Linux)
 *   PM_WITH_LITEPCIE   the sources of sw/backends/litepcie are linked in (Linux)
 *   PM_EXTRA_BACKEND   symbol of one more pm_backend
 */
#include <string.h>

#include "backend.h"

#ifdef PM_WITH_SIM
extern const pm_backend pm_backend_sim;
#endif
#ifdef PM_WITH_UIO
extern const pm_backend pm_backend_uio;
#endif
#ifdef PM_WITH_UART
extern const pm_backend pm_backend_uart;
#endif
#ifdef PM_WITH_LITEPCIE
extern const pm_backend pm_backend_litepcie;
#endif
#ifdef PM_EXTRA_BACKEND
extern const pm_backend PM_EXTRA_BACKEND;
#endif

static const pm_backend *const table[] = {
#ifdef PM_WITH_SIM
    &pm_backend_sim,
#endif
#ifdef PM_WITH_UIO
    &pm_backend_uio,
#endif
#ifdef PM_WITH_UART
    &pm_backend_uart,
#endif
#ifdef PM_WITH_LITEPCIE
    &pm_backend_litepcie,
#endif
#ifdef PM_EXTRA_BACKEND
    &PM_EXTRA_BACKEND,
#endif
    NULL,
};

const char *pm_backend_name(size_t index) {
  size_t count = sizeof table / sizeof table[0] - 1;
  return index < count ? table[index]->name : NULL;
}

pm_error pm_backend_find(const char *name, const pm_backend **backend) {
  pm_open_begin();
  for (size_t i = 0; name != NULL && table[i] != NULL; i++) {
    if (strcmp(table[i]->name, name) == 0) {
      *backend = table[i];
      return PM_OK;
    }
  }
  return name == NULL ? PM_ERR_ARGUMENT : PM_ERR_BACKEND;
}
