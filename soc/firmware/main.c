/* SPDX-License-Identifier: Apache-2.0 */
#include "soc.h"

int main(void) {
  uint64_t before = soc_cycles();
  soc_print("hello\n");
  uint64_t cycles = soc_cycles() - before;
  soc_print("cycles %U errors %u\n", &cycles, soc_errors());
  return 0;
}
