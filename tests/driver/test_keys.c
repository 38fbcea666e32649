/* SPDX-License-Identifier: Apache-2.0
 *
 * test_keys.c: unit test of sw/src/keys.c alone: which keys are counted, where, and which slot a key is to be
 * loaded into. Prints the number of checks made; a failed check prints its line and ends with status 1.
 */
#include "keys.h"

#include <string.h>

#include "check.h"

static pm_keys keys;

/* FNV-1a as its authors state it, in 64-bit arithmetic. */
static size_t place(const uint8_t *pk) {
  uint64_t hash = 0x811c9dc5;
  for (size_t i = 0; i < PM_WORD_BYTES; i++) {
    hash = ((hash ^ pk[i]) * 0x01000193) & 0xffffffff;
  }
  return (size_t)(hash % 1024);
}

static const uint8_t *key(uint32_t number) {
  static uint8_t pk[8][PM_WORD_BYTES];
  static size_t next;
  uint8_t *made = pk[next++ % 8];
  memset(made, 0, PM_WORD_BYTES);
  memcpy(made + 28, &number, sizeof number);
  return made;
}

static void fresh(size_t slots) {
  memset(&keys, 0, sizeof keys);
  keys.slots = slots;
}

static void note(uint32_t number, int times) {
  for (int i = 0; i < times; i++) {
    pm_keys_note(&keys, key(number));
  }
}

static const pm_seen *seen(uint32_t number) { return &keys.seen[place(key(number))]; }

/* The next key after `number` in the same place. */
static uint32_t neighbour(uint32_t number) {
  uint32_t other = number + 1;
  while (place(key(other)) != place(key(number))) {
    other++;
  }
  return other;
}

/* Of two keys in one place the more frequent one is counted. */
static void test_counts(void) {
  for (uint32_t a = 0; a < 300; a++) {
    fresh(4);
    uint32_t b = neighbour(a);
    note(a, 3);
    CHECK(seen(a)->count == 3 && memcmp(seen(a)->pk, key(a), PM_WORD_BYTES) == 0);
    note(b, 2);
    CHECK(seen(a)->count == 1 && memcmp(seen(a)->pk, key(a), PM_WORD_BYTES) == 0);
    note(b, 1);
    CHECK(seen(a)->count == 0);
    note(b, 2);
    CHECK(seen(b)->count == 2 && memcmp(seen(b)->pk, key(b), PM_WORD_BYTES) == 0);
    size_t total = 0;
    for (size_t i = 0; i < PM_SEEN; i++) {
      total += keys.seen[i].count;
    }
    CHECK(total == 2 && keys.noted == 8);
  }
}

static void test_halving(void) {
  fresh(4);
  note(5, PM_SEEN_HALVED - 2);
  CHECK(seen(5)->count == PM_SEEN_HALVED - 2 && keys.noted == PM_SEEN_HALVED - 2);
  note(5, 1);
  CHECK(seen(5)->count == PM_SEEN_HALVED - 1);
  note(5, 1);
  CHECK(seen(5)->count == (PM_SEEN_HALVED - 1) / 2 + 1 && keys.noted == 0);
  keys.seen[0].count = keys.seen[PM_SEEN - 1].count = 9;
  note(5, PM_SEEN_HALVED);
  CHECK(keys.seen[0].count == 4 && keys.seen[PM_SEEN - 1].count == 4);
}

static void load(int slot, uint32_t number) {
  pm_keys_begin(&keys, slot, key(number), number);
  pm_keys_end(&keys, slot, number, true);
}

static void test_find(void) {
  fresh(3);
  CHECK(pm_keys_find(&keys, key(0)) == -1); /* empty slots hold no key, not that of zeros */
  for (int slot = 0; slot < 3; slot++) {
    pm_keys_begin(&keys, slot, key(10 + (uint32_t)slot), 1);
    CHECK(keys.loads == (size_t)slot + 1 && keys.slot[slot].used && keys.slot[slot].loading);
  }
  for (int slot = 0; slot < 3; slot++) {
    CHECK(pm_keys_find(&keys, key(10 + (uint32_t)slot)) == slot);
  }
  CHECK(pm_keys_find(&keys, key(13)) == -1);
  keys.slots = 2;
  CHECK(pm_keys_find(&keys, key(12)) == -1);
}

/* What is counted for another key in the same place does not pay for this one. */
static void test_other_key(void) {
  fresh(1);
  note(1, 20);
  CHECK(pm_keys_place(&keys, key(1)) == 0 && pm_keys_place(&keys, key(neighbour(1))) == -1);
}

/* A load pays where the key is so much more frequent than the one that gives way. */
static void test_place(void) {
  fresh(3);
  note(1, PM_LOAD_PAYS - 1);
  CHECK(pm_keys_place(&keys, key(1)) == -1);
  note(1, 1);
  CHECK(pm_keys_place(&keys, key(1)) == 0); /* the first of those that are empty */
  load(0, 1);
  note(2, PM_LOAD_PAYS);
  CHECK(pm_keys_place(&keys, key(2)) == 1);
  load(1, 2);
  note(3, PM_LOAD_PAYS);
  CHECK(pm_keys_place(&keys, key(3)) == 2);
  load(2, 3);
  note(2, 1);
  note(4, 2 * PM_LOAD_PAYS - 1);
  CHECK(pm_keys_place(&keys, key(4)) == -1);
  note(4, 1);
  CHECK(pm_keys_place(&keys, key(4)) == 0); /* of those that are as rare the one used longest ago, here the first */
  pm_keys_use(&keys, 0);
  CHECK(pm_keys_place(&keys, key(4)) == 2);
  pm_keys_use(&keys, 2);
  CHECK(pm_keys_place(&keys, key(4)) == 0);
  note(1, 1);
  CHECK(pm_keys_place(&keys, key(4)) == 2);
  pm_keys_begin(&keys, 2, key(5), 7); /* a slot that is being loaded stays */
  CHECK(pm_keys_place(&keys, key(4)) == -1);
  note(4, 1);
  CHECK(pm_keys_place(&keys, key(4)) == 1); /* never used */
  CHECK(keys.clock == 2 && keys.slot[0].last == 1 && keys.slot[2].last == 2);
}

static void test_loads(void) {
  fresh(PM_LOADS + 2);
  note(1, 100);
  for (int slot = 0; slot < PM_LOADS; slot++) {
    CHECK(pm_keys_place(&keys, key(1)) == slot);
    pm_keys_begin(&keys, slot, key(50), (uint32_t)slot);
  }
  CHECK(keys.loads == PM_LOADS && pm_keys_place(&keys, key(1)) == -1);
  pm_keys_end(&keys, 3, 3, true);
  CHECK(keys.loads == PM_LOADS - 1 && !keys.slot[3].loading && keys.slot[3].used);
  CHECK(pm_keys_place(&keys, key(1)) == 3 || pm_keys_place(&keys, key(1)) == PM_LOADS);
}

/* A load that fails is forgotten, with its count; a response to an older one changes only the number of loads. */
static void test_ends(void) {
  fresh(2);
  note(1, 20);
  pm_keys_begin(&keys, 1, key(1), 9);
  pm_keys_end(&keys, 1, 8, false);
  CHECK(keys.loads == 0 && keys.slot[1].loading && keys.slot[1].used && seen(1)->count == 20);
  keys.loads = 1;
  pm_keys_end(&keys, 1, 9, false);
  CHECK(keys.loads == 0 && !keys.slot[1].loading && !keys.slot[1].used && seen(1)->count == 0);
  keys.loads = 1;
  pm_keys_end(&keys, 1, 9, true);
  CHECK(!keys.slot[1].used);
}

static void test_forget(void) {
  fresh(3);
  for (int slot = 0; slot < 3; slot++) {
    pm_keys_begin(&keys, slot, key(1), 1);
    pm_keys_use(&keys, slot);
  }
  pm_keys_forget(&keys);
  for (int slot = 0; slot < 3; slot++) {
    CHECK(!keys.slot[slot].used && !keys.slot[slot].loading && keys.slot[slot].last == 0);
  }
  CHECK(keys.clock == 3 && pm_keys_find(&keys, key(1)) == -1);
}

int main(void) {
  test_counts();
  test_halving();
  test_find();
  test_other_key();
  test_place();
  test_loads();
  test_ends();
  test_forget();
  printf("%lu checks\n", checks);
  return 0;
}
