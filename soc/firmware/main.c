/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: self-test of the core, then the multiplications that the host asks for.
 */
#include "core.h"

int main(void) {
  core_prepare();
  selftest();
  for (uint32_t method = 0; method < METHODS; method++) {
    if ((CORE_INPUT->methods >> method & 1) != 0) {
      (method < METHOD_JOYE_DMA ? bench : bench_dma)((core_method)method);
    }
  }
  return 0;
}
