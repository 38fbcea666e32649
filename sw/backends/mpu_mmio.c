/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_mmio.c: back-end of `mpu` for bare metal: loads and stores of 32 bits.
 *
 * The system tells afterwards whether an access was rejected (`errors`): copies ask once, at their end. The core finds
 * memory under the addresses of the program.
 */
#include "pm_mpu_mmio.h"

static pm_error outcome(const pm_mpu_mmio *mmio) {
  return mmio->errors() == 0 ? PM_OK : PM_ERR_BUS;
}

static pm_error mmio_read32(void *state, uint32_t address, uint32_t *value) {
  const pm_mpu_mmio *mmio = state;
  *value = mmio->registers[address / 4];
  return outcome(mmio);
}

static pm_error mmio_write32(void *state, uint32_t address, uint32_t value) {
  const pm_mpu_mmio *mmio = state;
  mmio->registers[address / 4] = value;
  return outcome(mmio);
}

static pm_error mmio_copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  const pm_mpu_mmio *mmio = state;
  volatile uint32_t *to = mmio->memory + address / 4;
  for (size_t i = 0; i < count; i++) {
    to[i] = words[i];
  }
  return outcome(mmio);
}

static pm_error mmio_copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  const pm_mpu_mmio *mmio = state;
  const volatile uint32_t *from = mmio->memory + address / 4;
  for (size_t i = 0; i < count; i++) {
    words[i] = from[i];
  }
  return outcome(mmio);
}

static pm_error mmio_wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  const pm_mpu_mmio *mmio = state;
  uint64_t before = mmio->now();
  (void)cycles;
  if (interrupt && mmio->sleep != NULL) {
    mmio->sleep();
  }
  *spent = mmio->now() - before;
  return PM_OK;
}

static pm_error mmio_dma_address(void *state, void *memory, size_t bytes, uint64_t *address) {
  (void)state;
  (void)bytes;
  *address = (uintptr_t)memory;
  return PM_OK;
}

const pm_mpu_backend pm_mpu_mmio_backend = {.read32 = mmio_read32,
                                            .write32 = mmio_write32,
                                            .copy_in = mmio_copy_in,
                                            .copy_out = mmio_copy_out,
                                            .wait = mmio_wait,
                                            .dma_address = mmio_dma_address};
