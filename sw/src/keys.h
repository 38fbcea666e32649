/* SPDX-License-Identifier: Apache-2.0
 *
 * keys.h: which public keys the core has prepared, and which of them should be (mode `cached`).
 *
 * Keys are counted as they come, in a batch up to PM_LOOK_AHEAD jobs before their own turn. A key is loaded in
 * place of one that was asked for at least PM_LOAD_PAYS times less; of several such ones, in place of that
 * which was not used for the longest time. Counts are halved every PM_SEEN_HALVED keys, so that what was
 * asked for long ago gives way. All of this is about time alone: a job carries its key in any case, and the
 * core decides it rightly whatever its slots hold.
 */
#ifndef PM_KEYS_H
#define PM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

enum {
  PM_MAX_KEYS = 256,    /* slots that are used at most, whatever the core has */
  PM_LOADS = 8,         /* loads under way at most */
  PM_LOAD_PAYS = 8,     /* a load takes the core some 3,000 cycles, a prepared verification saves it more
                         * than 1,000, and the jobs behind a load may have to wait for it */
  PM_SEEN = 1024,       /* keys counted at most */
  PM_SEEN_HALVED = 4096,
  PM_LOOK_AHEAD = 1024
};

typedef struct pm_key {
  uint8_t pk[PM_WORD_BYTES];
  bool used;         /* has a key, or will have it when its load is answered */
  bool loading;
  uint32_t wire_tag; /* of that load */
  uint64_t last;     /* when it was last used */
} pm_key;

/* A counted key; count 0: none. */
typedef struct pm_seen {
  uint8_t pk[PM_WORD_BYTES];
  uint32_t count;
} pm_seen;

typedef struct pm_keys {
  size_t slots; /* of the core; 0: it has no key memory */
  pm_key slot[PM_MAX_KEYS];
  pm_seen seen[PM_SEEN];
  uint32_t noted; /* keys since counts were halved */
  uint64_t clock;
  size_t loads;   /* under way */
} pm_keys;

/* Counts a key that a job has or will have. */
void pm_keys_note(pm_keys *keys, const uint8_t *pk);

/* The slot that has this key, or -1. */
int pm_keys_find(const pm_keys *keys, const uint8_t *pk);

/* The slot in which this key should be loaded now, or -1 if that does not pay. */
int pm_keys_place(const pm_keys *keys, const uint8_t *pk);

/* A load of this key into a slot was submitted, with this tag. */
void pm_keys_begin(pm_keys *keys, int slot, const uint8_t *pk, uint32_t wire_tag);

/* The load with this tag was answered. */
void pm_keys_end(pm_keys *keys, int slot, uint32_t wire_tag, bool ok);

/* The slot is used by a job. */
void pm_keys_use(pm_keys *keys, int slot);

/* Nothing is known of any slot any more. */
void pm_keys_forget(pm_keys *keys);

#endif /* PM_KEYS_H */
