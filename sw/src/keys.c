/* SPDX-License-Identifier: Apache-2.0
 *
 * keys.c: the table of prepared keys, as keys.h says.
 */
#include "keys.h"

#include <string.h>

static bool same(const uint8_t *a, const uint8_t *b) { return memcmp(a, b, PM_WORD_BYTES) == 0; }

/* The place where a key is counted, alone or in turns with others (FNV-1a). */
static size_t place_of(const uint8_t *pk) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < PM_WORD_BYTES; i++) {
    hash = (hash ^ pk[i]) * 16777619u;
  }
  return hash % PM_SEEN;
}

static uint32_t count_of(const pm_keys *keys, const uint8_t *pk) {
  const pm_seen *seen = &keys->seen[place_of(pk)];
  return seen->count != 0 && same(seen->pk, pk) ? seen->count : 0;
}

void pm_keys_note(pm_keys *keys, const uint8_t *pk) {
  if (++keys->noted == PM_SEEN_HALVED) {
    keys->noted = 0;
    for (size_t i = 0; i < PM_SEEN; i++) {
      keys->seen[i].count /= 2;
    }
  }
  pm_seen *seen = &keys->seen[place_of(pk)];
  if (seen->count == 0) {
    memcpy(seen->pk, pk, PM_WORD_BYTES);
  }
  if (same(seen->pk, pk)) {
    seen->count++;
  } else {
    seen->count--; /* of two keys in one place the more frequent one is counted */
  }
}

int pm_keys_find(const pm_keys *keys, const uint8_t *pk) {
  for (size_t i = 0; i < keys->slots; i++) {
    if (keys->slot[i].used && same(keys->slot[i].pk, pk)) {
      return (int)i;
    }
  }
  return -1;
}

int pm_keys_place(const pm_keys *keys, const uint8_t *pk) {
  int best = -1;
  uint32_t fewest = 0;
  for (size_t i = 0; i < keys->slots && keys->loads < PM_LOADS; i++) {
    const pm_key *slot = &keys->slot[i];
    uint32_t count = slot->used ? count_of(keys, slot->pk) : 0;
    if (!slot->loading && (best < 0 || count < fewest ||
                           (count == fewest && slot->last < keys->slot[best].last))) {
      best = (int)i;
      fewest = count;
    }
  }
  return best >= 0 && count_of(keys, pk) >= fewest + PM_LOAD_PAYS ? best : -1;
}

void pm_keys_begin(pm_keys *keys, int slot, const uint8_t *pk, uint32_t wire_tag) {
  pm_key *key = &keys->slot[slot];
  memcpy(key->pk, pk, PM_WORD_BYTES);
  key->used = true;
  key->loading = true;
  key->wire_tag = wire_tag;
  keys->loads++;
}

void pm_keys_end(pm_keys *keys, int slot, uint32_t wire_tag, bool ok) {
  pm_key *key = &keys->slot[slot];
  keys->loads--;
  if (!key->loading || key->wire_tag != wire_tag) {
    return; /* the slot was forgotten, and perhaps given away again */
  }
  key->loading = false;
  if (!ok) {
    key->used = false;
    keys->seen[place_of(key->pk)].count = 0; /* not at once again */
  }
}

void pm_keys_use(pm_keys *keys, int slot) { keys->slot[slot].last = ++keys->clock; }

void pm_keys_forget(pm_keys *keys) {
  for (size_t i = 0; i < keys->slots; i++) {
    keys->slot[i].used = false;
    keys->slot[i].loading = false;
    keys->slot[i].last = 0;
  }
}
