/* SPDX-License-Identifier: Apache-2.0
 *
 * test_mpu.c: pm_mpu.h on a back-end that is late, never ends or rejects.
 */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "../../sw/include/pm_mpu_mmio.h"
#include "../../sw/include/pm_mpu_regs.h"
#include "../../sw/include/pm_mpu_uio.h"
#include "check.h"
#include "mpu_fake.h"

enum { TIMEOUT = 2000, BUSY_LONG = 1900, BUSY_TOO_LONG = 4000 };

static mpu_fake fake;

static pm_mpu opened(bool interrupt) {
  pm_mpu mpu;
  mpu_fake_init(&fake);
  CHECK(pm_mpu_open(&mpu, &mpu_fake_backend, &fake, TIMEOUT, interrupt) == PM_OK);
  CHECK(fake.resets == 1 && fake.left == 0 && fake.commands == 0);
  CHECK(fake.irq_enable == (interrupt ? 5 : 0));
  return mpu;
}

static void test_opening(void) {
  pm_mpu mpu;
  mpu_fake_init(&fake);
  CHECK(pm_mpu_open(NULL, &mpu_fake_backend, &fake, TIMEOUT, false) == PM_ERR_ARGUMENT);
  CHECK(pm_mpu_open(&mpu, NULL, &fake, TIMEOUT, false) == PM_ERR_ARGUMENT);
  CHECK(pm_mpu_open(&mpu, &mpu_fake_backend, &fake, 0, false) == PM_ERR_ARGUMENT);
  CHECK(fake.accesses == 0);
  fake.name++;
  CHECK(pm_mpu_open(&mpu, &mpu_fake_backend, &fake, TIMEOUT, false) == PM_ERR_DEVICE);
  CHECK(fake.accesses == 1 && fake.resets == 0);
  mpu_fake_init(&fake);
  fake.reset_work = UINT64_MAX;
  CHECK(pm_mpu_open(&mpu, &mpu_fake_backend, &fake, TIMEOUT, false) == PM_ERR_TIMEOUT);
}

static void test_memory(void) {
  pm_mpu mpu = opened(false);
  pm_mp number, other;
  for (uint32_t entry = 0; entry < PM_MPU_ENTRIES; entry++) {
    for (uint32_t i = 0; i < PM_MPU_WORDS; i++) {
      number.word[i] = 1000 * entry + i;
    }
    CHECK(pm_mpu_put(&mpu, entry, number.word) == PM_OK);
  }
  for (uint32_t entry = 0; entry < PM_MPU_ENTRIES; entry++) {
    CHECK(pm_mpu_get(&mpu, entry, other.word) == PM_OK);
    CHECK(other.word[0] == 1000 * entry && other.word[PM_MPU_WORDS - 1] == 1000 * entry + 21);
  }
  CHECK(memcmp(&number, &other, sizeof number) == 0);
  CHECK(pm_mpu_put(&mpu, PM_MPU_ENTRIES, number.word) == PM_ERR_ARGUMENT);
  CHECK(pm_mpu_get(&mpu, PM_MPU_ENTRIES, number.word) == PM_ERR_ARGUMENT);
  CHECK(fake.words_in == PM_MPU_ENTRIES * PM_MPU_WORDS && fake.words_out == fake.words_in);
  uint32_t flags = 0, cycles = 0;
  CHECK(pm_mpu_put_infinity(&mpu, 21) == PM_OK && pm_mpu_get_infinity(&mpu, &flags) == PM_OK);
  CHECK(pm_mpu_put_scalar_bits(&mpu, 257) == PM_OK && fake.scalar_bits == 257);
  CHECK(flags == 21 && pm_mpu_cycles(&mpu, &cycles) == PM_OK && cycles == 77);
}

static void test_commands(bool interrupt) {
  pm_mpu mpu = opened(interrupt);
  uint32_t reason = 99;
  pm_mpu_command command = {.op = 200, .src1 = 1, .src2 = 2, .dst1 = 3, .dst2 = 4, .secret = true};
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_OK && reason == PM_MPU_REASON_ILLEGAL_COMMAND);
  CHECK(fake.command == (200u | 1u << 8 | 2u << 12 | 3u << 16 | 4u << 20 | 1u << 24));
  command.secret = false;
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_OK);
  CHECK(fake.command == (200u | 1u << 8 | 2u << 12 | 3u << 16 | 4u << 20));
  CHECK((fake.interrupt_waits != 0) == interrupt && (fake.interrupt_waits == fake.waits) == interrupt);
  CHECK(!interrupt || fake.waits == 3); /* a reset and two operations, no asking in between */
  const pm_mpu_command wrong[] = {
      {.op = 256}, {.src1 = 16}, {.src2 = 16}, {.dst1 = 16}, {.dst2 = 16}, {.dst2 = UINT32_MAX}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK(pm_mpu_run(&mpu, &wrong[i], &reason) == PM_ERR_ARGUMENT);
  }
  CHECK(fake.commands == 2);
  fake.work = BUSY_LONG;
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_OK && fake.resets == 1);
  fake.work = BUSY_TOO_LONG;
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_ERR_TIMEOUT && fake.resets == 2);
  CHECK(fake.left == 0);
  fake.work = 1;
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_OK && reason == PM_MPU_REASON_ILLEGAL_COMMAND);
  fake.work = UINT64_MAX;
  fake.reset_work = UINT64_MAX;
  CHECK(pm_mpu_run(&mpu, &command, &reason) == PM_ERR_TIMEOUT && fake.resets == 3);
}

/* Numbers in the program's memory, with something else between them. */
static uint32_t numbers[3][PM_MPU_DMA_WORDS];

static void test_transfers(bool interrupt) {
  pm_mpu mpu = opened(interrupt);
  uint32_t reason = 99;
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t word = 0; word < PM_MPU_DMA_WORDS; word++) {
      numbers[i][word] = 1000 * i + word;
    }
  }
  CHECK(pm_mpu_dma_load(&mpu, 5, 3, numbers[0], &reason) == PM_OK && reason == PM_MPU_REASON_OK);
  CHECK(fake.dma == (5u | 3u << 8) && fake.dma_low == 0x32100080 && fake.dma_high == 0x7654);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(memcmp(fake.entry[5 + i].word, numbers[i], PM_MPU_BITS / 8) == 0);
  }
  CHECK(fake.interrupt_waits == (interrupt ? 1 : 0) && fake.waits > 20); /* the reset; asks again and again */
  memset(numbers, 0xee, sizeof numbers);
  CHECK(pm_mpu_dma_store(&mpu, 6, 2, numbers[1], &reason) == PM_OK && reason == PM_MPU_REASON_OK);
  CHECK(fake.dma == (6u | 2u << 8 | 1u << 16) && fake.transfers == 2 && fake.commands == 0);
  CHECK(numbers[0][0] == 0xeeeeeeee && numbers[1][0] == 1000 && numbers[2][PM_MPU_WORDS - 1] == 2021);
  CHECK(numbers[1][PM_MPU_WORDS] == 0xeeeeeeee && fake.words_in == 0 && fake.words_out == 0);
  fake.bus_address ^= 1u << 20;
  const uint64_t elsewhere = fake.bus_address;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_OK && reason == PM_MPU_REASON_OK);
  CHECK(elsewhere == ((uint64_t)fake.dma_high << 32 | fake.dma_low));
  fake.bus_address = 0x80;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_OK && reason == PM_MPU_REASON_OK);
  CHECK(fake.dma_low == 0x80 && fake.dma_high == 0);
  fake.refuses_transfers = true;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_OK && reason == PM_MPU_REASON_BUS_ERROR);
  /* What cannot be is not tried. */
  unsigned long accesses = fake.accesses;
  const uint32_t wrong[][2] = {{0, 0}, {16, 1}, {15, 2}, {0, 17}, {1, UINT32_MAX}, {UINT32_MAX, 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK(pm_mpu_dma_store(&mpu, wrong[i][0], wrong[i][1], numbers[0], &reason) == PM_ERR_ARGUMENT);
  }
  fake.bus_address += 64;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_ERR_ARGUMENT);
  fake.bus_address -= 64;
  fake.address_error = PM_ERR_IO;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_ERR_IO);
  fake.address_error = PM_OK;
  mpu.backend = &mpu_fake_backend_alone;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_ERR_MODE);
  mpu.backend = &mpu_fake_backend;
  CHECK(fake.accesses == accesses);
  fake.work = BUSY_TOO_LONG;
  CHECK(pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &reason) == PM_ERR_TIMEOUT && fake.resets == 2);
}

/* Whichever access is refused, the call says so. */
static void test_refused_accesses(bool interrupt) {
  pm_mpu mpu;
  pm_mp number = {{0}};
  uint32_t value = 0;
  const pm_mpu_command command = {.op = PM_MPU_OP_MONT_MUL};
  unsigned long refused = 0;
  for (unsigned long access = 1;; access++) {
    mpu_fake_init(&fake);
    fake.refuse = access;
    pm_error error = pm_mpu_open(&mpu, &mpu_fake_backend, &fake, TIMEOUT, interrupt);
    unsigned long last = fake.accesses;
    error = error == PM_OK ? pm_mpu_put(&mpu, 0, number.word) : error;
    error = error == PM_OK ? pm_mpu_put_infinity(&mpu, 0) : error;
    error = error == PM_OK ? pm_mpu_run(&mpu, &command, &value) : error;
    error = error == PM_OK ? pm_mpu_get(&mpu, 0, number.word) : error;
    error = error == PM_OK ? pm_mpu_dma_load(&mpu, 0, 1, numbers[0], &value) : error;
    error = error == PM_OK ? pm_mpu_get_infinity(&mpu, &value) : error;
    error = error == PM_OK ? pm_mpu_cycles(&mpu, &value) : error;
    CHECK(last >= 1);
    if (fake.accesses < access) {
      CHECK(error == PM_OK);
      break;
    }
    CHECK(error == PM_ERR_BUS && fake.accesses == access);
    refused++;
  }
  CHECK(refused == (interrupt ? 42 : 91));
}

static uint32_t space[2][1024];
static uint32_t bad_accesses;
static uint64_t ticks;
static unsigned long sleeps;

static uint64_t now(void) { return ticks += 10; }
static uint32_t errors(void) {
  uint32_t count = bad_accesses;
  bad_accesses = 0;
  return count;
}
static void doze(void) { sleeps++; }

static void test_mmio(void) {
  pm_mpu_mmio mmio = {.registers = space[0], .memory = space[1], .now = now, .errors = errors};
  const pm_mpu_backend *backend = &pm_mpu_mmio_backend;
  uint64_t address = 0;
  uint32_t words[3] = {5, 6, 7}, back[3] = {0};
  uint64_t spent = 0;
  CHECK(backend->write32(&mmio, 8, 4) == PM_OK && space[0][2] == 4);
  CHECK(backend->read32(&mmio, 8, back) == PM_OK && back[0] == 4);
  CHECK(backend->copy_in(&mmio, 128, words, 3) == PM_OK && space[1][32] == 5 && space[1][34] == 7);
  CHECK(space[1][35] == 0 && backend->copy_out(&mmio, 128, back, 3) == PM_OK);
  CHECK(memcmp(words, back, sizeof words) == 0);
  CHECK(backend->dma_address(&mmio, words, sizeof words, &address) == PM_OK && address == (uintptr_t)words);
  CHECK(backend->wait(&mmio, true, 100, &spent) == PM_OK && spent == 10);
  mmio.sleep = doze;
  CHECK(backend->wait(&mmio, false, 100, &spent) == PM_OK && sleeps == 0);
  CHECK(backend->wait(&mmio, true, 100, &spent) == PM_OK && sleeps == 1);
  for (int i = 0; i < 4; i++) {
    bad_accesses = 1;
    pm_error error = i == 0   ? backend->read32(&mmio, 8, back)
                     : i == 1 ? backend->write32(&mmio, 8, 4)
                     : i == 2 ? backend->copy_in(&mmio, 128, words, 3)
                              : backend->copy_out(&mmio, 128, back, 3);
    CHECK(error == PM_ERR_BUS && bad_accesses == 0);
  }
}

/* A file of two pages in place of the device. */
static void test_uio(const char *path) {
  pm_mpu_uio uio;
  const pm_mpu_backend *backend = &pm_mpu_uio_backend;
  CHECK(pm_mpu_uio_open(&uio, "no/such/device", 100) == PM_ERR_IO);
  CHECK(pm_mpu_uio_open(&uio, path, 0) == PM_ERR_ARGUMENT);
  CHECK(pm_mpu_uio_open(&uio, path, 100) == PM_OK);
  uint32_t words[3] = {5, 6, 7}, back[3] = {0};
  uint64_t spent = 0;
  CHECK(backend->write32(&uio, PM_MPU_REGS__SCALAR_offset, 4) == PM_OK);
  CHECK(backend->read32(&uio, PM_MPU_REGS__SCALAR_offset, back) == PM_OK && back[0] == 4);
  /* What the core would refuse is not tried. */
  const uint32_t unreadable[] = {PM_MPU_REGS__DMA_CONFIG_offset + 4, 2, 0xfc, 0x100, UINT32_MAX};
  const uint32_t unwritable[] = {PM_MPU_REGS__NAME_offset, PM_MPU_REGS__STATUS_offset, 0x2e, 0xfc, 0x100};
  for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
    CHECK(backend->read32(&uio, unreadable[i], back) == PM_ERR_BUS && back[0] == 4);
  }
  for (size_t i = 0; i < sizeof unwritable / sizeof unwritable[0]; i++) {
    CHECK(backend->write32(&uio, unwritable[i], 5) == PM_ERR_BUS && uio.registers[unwritable[i] / 4] != 5);
  }
  CHECK(backend->dma_address == NULL);
  CHECK(backend->copy_in(&uio, 128, words, 3) == PM_OK);
  CHECK(backend->copy_out(&uio, 128, back, 3) == PM_OK && memcmp(words, back, sizeof words) == 0);
  CHECK(backend->wait(&uio, false, 1, &spent) == PM_OK && spent >= 1);
  spent = 0;
  CHECK(backend->wait(&uio, true, 1000, &spent) == PM_OK && spent >= 1);
  pm_mpu_uio_close(&uio);
}

static void on_signal(int number) { (void)number; }

/* A line on which no interrupt comes: a signal to the program ends the wait, and is no failure. */
static void test_uio_signal(void) {
  const struct sigaction action = {.sa_handler = on_signal};
  const struct itimerval soon = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  int line[2] = {-1, -1};
  uint64_t spent = 0;
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, line) == 0);
  pm_mpu_uio uio = {.file = line[0], .mhz = 1};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0);
  CHECK(pm_mpu_uio_backend.wait(&uio, true, 60000000, &spent) == PM_OK);
  CHECK(spent >= 1 && spent < 60000000);
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  close(line[0]);
  close(line[1]);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  test_opening();
  test_memory();
  test_commands(false);
  test_commands(true);
  test_transfers(false);
  test_transfers(true);
  test_refused_accesses(false);
  test_refused_accesses(true);
  test_mmio();
  test_uio(argv[1]);
  test_uio_signal();
  printf("%lu checks\n", checks);
  return 0;
}
