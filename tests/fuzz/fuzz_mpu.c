/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_mpu.c: fuzz target of pm_mpu.h on a core whose registers, memory and pace come from the input.
 *
 * Every call ends; what is out of range is rejected before any access; accesses stay within registers and operand
 * memory, copies within the 22 words of a number.
 */
#include <stdbool.h>

#include "fuzz.h"
#include "pm_mpu.h"
#include "pm_mpu_regs.h"

enum { TIMEOUT = 3000, NUMBERS = 4 };

fuzz_count fuzz_counts[] = {{"opened", 0}, {"runs", 0}, {"timeouts", 0}, {"rejected", 0}, {"transfers", 0}, {NULL, 0}};
enum { OPENED, RUNS, TIMEOUTS, REJECTED, TRANSFERS };

static fuzz_input in;
static unsigned long accesses;
static bool stuck; /* STATUS reads as busy for ever */

static pm_error error_now(void) {
  accesses++;
  return fuzz_byte(&in) < 254 ? PM_OK : PM_ERR_BUS;
}

static pm_error read32(void *state, uint32_t address, uint32_t *value) {
  (void)state;
  EXPECT(address % 4 == 0 && address < sizeof(pm_mpu_regs_t));
  bool name = address == offsetof(pm_mpu_regs_t, NAME);
  *value = name && fuzz_below(&in, 16) != 15 ? PM_MPU_REGS__NAME__VALUE_reset : fuzz_word(&in);
  if (stuck && address == offsetof(pm_mpu_regs_t, STATUS)) {
    *value |= PM_MPU_REGS__STATUS__BUSY_bm;
  }
  return error_now();
}

static pm_error write32(void *state, uint32_t address, uint32_t value) {
  (void)state;
  (void)value;
  EXPECT(address % 4 == 0 && address < sizeof(pm_mpu_regs_t));
  return error_now();
}

static void check_copy(uint32_t address, size_t count) {
  EXPECT(address % PM_MPU_STRIDE == 0 && address / PM_MPU_STRIDE < PM_MPU_ENTRIES && count == PM_MPU_WORDS);
}

static pm_error copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  uint32_t sum = 0;
  (void)state;
  check_copy(address, count);
  for (size_t i = 0; i < count; i++) {
    sum |= words[i]; /* the sanitizer sees what is read */
  }
  (void)sum;
  return error_now();
}

static pm_error copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  (void)state;
  check_copy(address, count);
  fuzz_fill(&in, words, count * sizeof *words);
  return error_now();
}

static pm_error pass(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  (void)state;
  (void)interrupt;
  *spent = in.left == 0 ? cycles : 1 + fuzz_byte(&in) % cycles;
  return error_now();
}

static pm_error dma_address(void *state, void *memory, size_t bytes, uint64_t *address) {
  (void)state;
  (void)memory;
  EXPECT(bytes % PM_MPU_STRIDE == 0 && bytes / PM_MPU_STRIDE <= PM_MPU_ENTRIES);
  *address = fuzz_word(&in);
  *address <<= fuzz_below(&in, 33);
  return error_now();
}

static const pm_mpu_backend with_transfers = {read32, write32, copy_in, copy_out, pass, dma_address};
static const pm_mpu_backend without_transfers = {read32, write32, copy_in, copy_out, pass, NULL};

static void run(const pm_mpu *mpu) {
  uint32_t reason = 0;
  pm_mpu_command command = {.op = fuzz_below(&in, 300)};
  command.src1 = fuzz_below(&in, 20);
  command.src2 = fuzz_below(&in, 20);
  command.dst1 = fuzz_below(&in, 20);
  command.dst2 = fuzz_below(&in, 20);
  command.secret = fuzz_below(&in, 2) != 0;
  bool legal = command.op < 256 && command.src1 < 16 && command.src2 < 16 && command.dst1 < 16 && command.dst2 < 16;
  unsigned long before = accesses;
  pm_error error = pm_mpu_run(mpu, &command, &reason);
  EXPECT((error == PM_ERR_ARGUMENT) == !legal && (legal || accesses == before));
  fuzz_counts[RUNS].count += error == PM_OK;
  fuzz_counts[TIMEOUTS].count += error == PM_ERR_TIMEOUT;
  fuzz_counts[REJECTED].count += !legal;
}

static void move(const pm_mpu *mpu) {
  uint32_t words[PM_MPU_WORDS] = {0};
  uint32_t entry = fuzz_below(&in, 2 * PM_MPU_ENTRIES);
  pm_error error = fuzz_below(&in, 2) != 0 ? pm_mpu_put(mpu, entry, words) : pm_mpu_get(mpu, entry, words);
  EXPECT((error == PM_ERR_ARGUMENT) == (entry >= PM_MPU_ENTRIES));
}

static void transfer(const pm_mpu *mpu) {
  static _Alignas(PM_MPU_STRIDE) uint32_t numbers[NUMBERS][PM_MPU_DMA_WORDS];
  uint32_t reason = 0, entry = fuzz_below(&in, 2 * PM_MPU_ENTRIES), count = fuzz_below(&in, NUMBERS + 1);
  pm_error error = fuzz_below(&in, 2) != 0 ? pm_mpu_dma_load(mpu, entry, count, numbers[0], &reason)
                                           : pm_mpu_dma_store(mpu, entry, count, numbers[0], &reason);
  bool legal = count != 0 && entry + count <= PM_MPU_ENTRIES;
  EXPECT(legal || error == PM_ERR_ARGUMENT);
  EXPECT(!legal || mpu->backend->dma_address != NULL || error == PM_ERR_MODE);
  fuzz_counts[TRANSFERS].count += error == PM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pm_mpu mpu;
  stuck = false;
  in = (fuzz_input){.at = data, .left = size};
  const pm_mpu_backend *backend = fuzz_below(&in, 4) == 0 ? &without_transfers : &with_transfers;
  if (pm_mpu_open(&mpu, backend, &in, TIMEOUT, fuzz_below(&in, 2) != 0) != PM_OK) {
    return 0;
  }
  fuzz_counts[OPENED].count++;
  while (in.left != 0) {
    uint32_t word = 0;
    switch (fuzz_below(&in, 12)) {
      case 0: move(&mpu); break;
      case 1: transfer(&mpu); break;
      case 2: (void)pm_mpu_reset(&mpu); break;
      case 3: (void)pm_mpu_cycles(&mpu, &word); break;
      case 4: (void)pm_mpu_put_infinity(&mpu, fuzz_word(&in)); break;
      case 5: (void)pm_mpu_get_infinity(&mpu, &word); break;
      case 6: stuck = fuzz_below(&in, 8) == 7; break;
      default: run(&mpu); break;
    }
  }
  return 0;
}
