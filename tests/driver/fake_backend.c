/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_backend.c: a back-end for tests of the driver alone. It is no Ed25519: a job is "valid" when
 * S < L and the XOR of all bytes of A, R and the message equals the first byte of S. x25519 gives the
 * XOR of k and u, keygen the bytes of d plus 1 as public key, sign these, then R, all bytes the XOR of
 * those of d and the message, then S, the bytes of d backwards. Each job takes `latency` cycles, one after
 * the other; at most `room` bytes are taken between two calls of advance(). A message that starts with one of
 * these words misbehaves; so does a key to be loaded, apart from the words that need a message:
 *   !hang    no result until a soft reset       !dead    no result ever
 *   !late    completed after its successors      !stray   a result of an unknown tag goes first
 *   !both    valid bit and a reason             !rule    another rule is echoed
 *   !long    result of 24 bytes, then nothing   !again   completed twice
 *   !zombie  soft resets are ignored; completed 2,000,000 cycles later
 *   !zero    the all_zero bit is wrong          !short   the payload lacks its last word
 * With the setting x25519=1 it is a core x25519: all other operations are malformed, and registers that it does
 * not have are rejected. With secret=0 operations with a secret are malformed. Signed messages are limited to 4,096
 * bytes. keys=n and batch=n are the fields of CONFIG, at first 0; a key whose last byte is 0xff is no point.
 * Registers from 0x80 on count load_key, verify_cached whose slot holds the key, other verify_cached,
 * verify_batch, and those before which all words of the seed were written and not all are the same.
 * A soft reset within a packet ends its job at once and drops the rest of it, as the core does.
 * IRQ_STATUS reads as the number of soft resets.
 */
#include <stdlib.h>
#include <string.h>

#include "../../sw/src/backend.h"
#include "../../sw/src/regs.h"

enum { MAX_ANSWERS = 1024, MAX_LENGTH = 120, MEMORY = 4096, LATE_CYCLES = 5000, ZOMBIE_CYCLES = 2000000 };

typedef struct answer {
  uint64_t due; /* UINT64_MAX: at a soft reset; UINT64_MAX - 1: never */
  uint8_t bytes[MAX_LENGTH];
  size_t length, given;
  bool zombie;
} answer;

typedef struct fake {
  uint64_t now, busy_until, latency, room, taken, secret, x25519, keys, batch, version;
  uint8_t slots[256][32]; /* prepared keys */
  bool loaded[256];
  uint32_t loads, hits, misses, batched, seeded, seed[PM_SEED_WORDS], seed_written;
  uint8_t *packet;
  size_t length, capacity;
  answer answers[MAX_ANSWERS];
  size_t count;
  bool dropping; /* the rest of the packet: its job is answered */
  uint32_t jobs, valid, errors, resets;
  char config[32];
} fake;

extern const pm_backend pm_backend_fake;

static const uint8_t order_l[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,
                                    0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
                                    [31] = 0x10};

static pm_error fake_open(const char *core, const char *config, void **state) {
  static const char *const keys[] = {"latency", "room", "secret", "x25519", "keys", "batch", "version", NULL};
  static const uint64_t most[] = {1000000, 1 << 20, 1, 1, 8, 8, UINT32_MAX};
  fake *f = calloc(1, sizeof *f);
  if (f == NULL) {
    return PM_ERR_MEMORY;
  }
  f->latency = 100;
  f->room = 4096;
  f->secret = 1;
  f->version = 0x503; /* 0.5.3: of each core more than the driver knows, and so known */
  uint64_t *const values[] = {&f->latency, &f->room, &f->secret, &f->x25519, &f->keys, &f->batch,
                              &f->version};
  (void)core;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) {
    error = pm_config_name(config, "paper", f->config, sizeof f->config);
  }
  for (size_t i = 0; error == PM_OK && keys[i] != NULL; i++) {
    error = pm_config_number(config, keys[i], most[i], values[i]);
  }
  if (error != PM_OK) {
    free(f);
    return error;
  }
  *state = f;
  return PM_OK;
}

static void fake_close(void *state) {
  fake *f = state;
  pm_wipe(f->packet, f->capacity);
  free(f->packet);
  pm_wipe(f, sizeof *f);
  free(f);
}

static bool is_verification(const uint8_t *packet) {
  return packet[1] == PM_OP_VERIFY || packet[1] == PM_OP_VERIFY_CACHED ||
         packet[1] == PM_OP_VERIFY_BATCH;
}

static uint32_t slot_of(const uint8_t *packet) { return packet[2] | (uint32_t)packet[3] << 8; }

/* Whether the operation is built in and the slot legal. */
static bool is_legal(const fake *f) {
  const uint8_t *packet = f->packet;
  uint32_t slot = slot_of(packet);
  if (f->x25519 != 0 && packet[1] != PM_OP_X25519) {
    return false;
  }
  switch (packet[1]) {
    case PM_OP_VERIFY: return slot == 0;
    case PM_OP_VERIFY_BATCH: return f->batch != 0 && slot == 0;
    case PM_OP_VERIFY_CACHED: return f->keys != 0;
    case PM_OP_LOAD_KEY: return f->keys != 0 && slot < 1u << f->keys;
    default: return f->secret != 0 && slot == 0;
  }
}

static uint32_t load_key(fake *f) {
  uint32_t slot = slot_of(f->packet);
  if (f->length != 40 || f->packet[0] != 0) {
    return PM_REASON_MALFORMED_JOB;
  }
  f->loads++;
  f->loaded[slot] = f->packet[39] != 0xff;
  memcpy(f->slots[slot], f->packet + 8, 32);
  return f->loaded[slot] ? PM_REASON_OK : PM_REASON_A_NOT_DECODABLE;
}

/* Counts how a verification is carried out. */
static void count_mode(fake *f) {
  uint32_t slot = slot_of(f->packet);
  if (f->packet[1] == PM_OP_VERIFY_CACHED) {
    bool hit = slot < 256 && f->loaded[slot] && memcmp(f->slots[slot], f->packet + 72, 32) == 0;
    f->hits += hit;
    f->misses += !hit;
  } else if (f->packet[1] == PM_OP_VERIFY_BATCH) {
    bool differ = false;
    for (int i = 1; i < PM_SEED_WORDS; i++) {
      differ = differ || f->seed[i] != f->seed[0];
    }
    f->batched++;
    f->seeded += f->seed_written == 0xff && differ;
  }
}

/* Bytes in front of the message. */
static size_t fixed_bytes(const uint8_t *packet) {
  return packet[1] == PM_OP_X25519 ? 72 : is_verification(packet) ? 104 : 40;
}

static uint32_t judge_secret(const uint8_t *packet, size_t length) {
  size_t fixed = fixed_bytes(packet);
  if (packet[0] != 0 || packet[1] > PM_OP_SIGN || length < fixed ||
      (packet[1] != PM_OP_SIGN && length != fixed)) {
    return PM_REASON_MALFORMED_JOB;
  }
  return length - fixed > MEMORY ? PM_REASON_MESSAGE_TOO_LONG : PM_REASON_OK;
}

static uint32_t judge(fake *f) {
  const uint8_t *packet = f->packet;
  if (!is_legal(f)) {
    return PM_REASON_MALFORMED_JOB;
  }
  if (packet[1] == PM_OP_LOAD_KEY) {
    return load_key(f);
  }
  if (!is_verification(packet)) {
    return judge_secret(packet, f->length);
  }
  if (packet[0] < 1 || packet[0] > 6) {
    return PM_REASON_MALFORMED_JOB;
  }
  count_mode(f);
  for (int i = 31; i >= 0; i--) {
    if (packet[8 + i] != order_l[i]) {
      if (packet[8 + i] > order_l[i]) {
        return PM_REASON_S_OUT_OF_RANGE;
      }
      break;
    }
    if (i == 0) {
      return PM_REASON_S_OUT_OF_RANGE;
    }
  }
  uint8_t sum = 0;
  for (size_t i = 40; i < f->length; i++) {
    sum ^= packet[i];
  }
  return sum == packet[8] ? PM_REASON_OK : PM_REASON_EQUATION_FAILS;
}

static void put_answer(fake *f, const uint8_t *header, uint32_t reason, uint64_t due) {
  answer *a = &f->answers[f->count++];
  memset(a, 0, sizeof *a);
  a->due = due;
  a->length = 16;
  memcpy(a->bytes + 4, header + 4, 4);
  a->bytes[0] = (uint8_t)reason;
  a->bytes[1] = header[0];
  a->bytes[2] = reason == PM_REASON_OK;
  a->bytes[8] = (uint8_t)f->latency;
  a->bytes[9] = (uint8_t)(f->latency >> 8);
}

/* Appends the payload of a secret operation to an answer. */
static void put_payload(const fake *f, answer *a) {
  const uint8_t *packet = f->packet;
  uint8_t *word = a->bytes + a->length, any = 0, sum = 0;
  for (size_t i = 8; i < f->length; i++) {
    sum ^= packet[i];
  }
  for (int i = 0; i < 32; i++) {
    uint8_t of_d = packet[8 + i];
    word[i] = packet[1] == PM_OP_X25519 ? of_d ^ packet[40 + i] : (uint8_t)(of_d + 1);
    any |= word[i];
    word[32 + i] = sum;
    word[95 - i] = of_d;
  }
  if (packet[1] == PM_OP_X25519 && any == 0) {
    a->bytes[2] |= 2;
  }
  a->length += packet[1] == PM_OP_SIGN ? 96 : 32;
}

static int starts(const fake *f, const char *word) {
  size_t at = f->packet[1] == PM_OP_LOAD_KEY ? 8 : fixed_bytes(f->packet);
  return f->length >= at + strlen(word) && memcmp(f->packet + at, word, strlen(word)) == 0;
}

static void run_job(fake *f) {
  uint32_t reason = judge(f);
  f->busy_until = (f->busy_until > f->now ? f->busy_until : f->now) + f->latency;
  f->jobs++;
  f->valid += reason == PM_REASON_OK;
  f->errors += reason == PM_REASON_MALFORMED_JOB;
  uint64_t due = f->busy_until;
  if (starts(f, "!hang")) {
    due = UINT64_MAX;
  } else if (starts(f, "!dead")) {
    due = UINT64_MAX - 1;
  } else if (starts(f, "!late")) {
    due += LATE_CYCLES;
  } else if (starts(f, "!stray")) {
    static const uint8_t unknown[8] = {0, 0, 0, 0, 0x07, 0xff, 0xee, 0xdd};
    put_answer(f, unknown, PM_REASON_OK, due);
  }
  if (starts(f, "!zombie")) {
    due += ZOMBIE_CYCLES;
  }
  put_answer(f, f->packet, reason, due);
  answer *a = &f->answers[f->count - 1];
  a->zombie = starts(f, "!zombie");
  if (reason == PM_REASON_OK && !is_verification(f->packet) && f->packet[1] != PM_OP_LOAD_KEY) {
    put_payload(f, a);
  }
  if (starts(f, "!both")) {
    a->bytes[2] = 1;
    a->bytes[0] = PM_REASON_EQUATION_FAILS;
  } else if (starts(f, "!rule")) {
    a->bytes[1] ^= 7;
  } else if (starts(f, "!long")) {
    a->length = 24;
  } else if (starts(f, "!again")) {
    put_answer(f, f->packet, reason, due);
  } else if (starts(f, "!zero")) {
    a->bytes[2] ^= 2;
  } else if (starts(f, "!short")) {
    a->length -= 32;
  }
}

static pm_error fake_send(void *state, const uint8_t *bytes, size_t length, bool last,
                          size_t *taken) {
  fake *f = state;
  size_t n = f->room - f->taken < length ? (f->room - f->taken) / 8 * 8 : length;
  if (f->count + 2 > MAX_ANSWERS) {
    n = 0;
  }
  if (f->length + n > f->capacity) {
    size_t capacity = 2 * (f->length + n);
    uint8_t *more = realloc(f->packet, capacity);
    if (more == NULL) {
      return PM_ERR_MEMORY;
    }
    f->packet = more;
    f->capacity = capacity;
  }
  if (n != 0) {
    memcpy(f->packet + f->length, bytes, n);
  }
  f->length += n;
  f->taken += n;
  *taken = n;
  if (last && n == length) {
    if (!f->dropping) {
      run_job(f);
    }
    f->dropping = false;
    f->length = 0;
  }
  return PM_OK;
}

static pm_error fake_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length,
                          bool *last) {
  fake *f = state;
  *length = 0;
  for (size_t i = 0; i < f->count; i++) {
    answer *a = &f->answers[i];
    if (a->due > f->now) {
      continue;
    }
    size_t n = a->length - a->given < capacity ? a->length - a->given : capacity;
    memcpy(bytes, a->bytes + a->given, n);
    a->given += n;
    *length = n;
    *last = a->given == a->length;
    if (*last) {
      memmove(a, a + 1, (f->count - i - 1) * sizeof *a);
      f->count--;
    }
    return PM_OK;
  }
  return PM_OK;
}

static pm_error fake_reg_read(void *state, uint32_t address, uint32_t *value) {
  fake *f = state;
  switch (address) {
    case PM_REG_NAME: *value = f->x25519 != 0 ? PM_NAME_X25519 : PM_NAME_EDVERIFY; return PM_OK;
    case PM_REG_VERSION: *value = (uint32_t)f->version; return PM_OK;
    case PM_REG_CONFIG: *value = 1 | (uint32_t)(f->secret << 18 | f->keys << 24 | f->batch << 28); return PM_OK;
    case PM_REG_IRQ_STATUS: *value = f->resets; return PM_OK;
    case PM_REG_JOBS: *value = f->jobs; return PM_OK;
    case PM_REG_VALID: *value = f->valid; return PM_OK;
    case PM_REG_ERRORS: *value = f->errors; return PM_OK;
    case PM_REG_CYCLES:
      *value = (uint32_t)f->now;
      return PM_OK;
    case PM_REG_CYCLES + 4: *value = (uint32_t)(f->now >> 32); return PM_OK;
    case PM_REG_BUSY: *value = 5; return PM_OK;
    case PM_REG_BUSY + 4: *value = 6; return PM_OK;
    case PM_REG_MULS:
    case PM_REG_MULS + 4: *value = 7; return f->x25519 != 0 ? PM_ERR_BUS : PM_OK;
    case 0x80: *value = f->loads; return PM_OK;
    case 0x84: *value = f->hits; return PM_OK;
    case 0x88: *value = f->misses; return PM_OK;
    case 0x8c: *value = f->batched; return PM_OK;
    case 0x90: *value = f->seeded; return PM_OK;
    default: return PM_ERR_BUS;
  }
}

static pm_error fake_reg_write(void *state, uint32_t address, uint32_t value) {
  fake *f = state;
  if (address == PM_REG_CTRL && value == PM_CTRL_SOFT_RESET) {
    f->resets++;
    if (f->length >= 8 && !f->dropping && !starts(f, "!zombie")) {
      for (int i = 0; i < (starts(f, "!again") ? 2 : 1); i++) {
        put_answer(f, f->packet, PM_REASON_ABORTED, f->now + 1);
      }
      f->dropping = true;
    }
    for (size_t i = 0; i < f->count; i++) {
      answer *a = &f->answers[i];
      if (a->due > f->now && a->due != UINT64_MAX - 1 && !a->zombie) {
        a->due = f->now + 1;
        a->bytes[0] = PM_REASON_ABORTED;
        a->bytes[2] = 0;
        a->length = a->length > 24 ? 16 : a->length;
      }
    }
    f->busy_until = f->now;
    return PM_OK;
  }
  if (f->x25519 == 0 && address >= PM_REG_SEED && address < PM_REG_SEED + 4 * PM_SEED_WORDS) {
    f->seed[(address - PM_REG_SEED) / 4] = value;
    f->seed_written |= 1u << (address - PM_REG_SEED) / 4;
    return PM_OK;
  }
  if (address == PM_REG_COUNT_CLEAR) {
    f->jobs = f->valid = f->errors = 0;
    return PM_OK;
  }
  return PM_ERR_BUS;
}

static pm_error fake_advance(void *state, uint64_t cycles, uint64_t *spent) {
  fake *f = state;
  uint64_t until = f->now + cycles;
  for (size_t i = 0; i < f->count; i++) {
    uint64_t due = f->answers[i].due;
    if (due > f->now && due < until) {
      until = due;
    }
  }
  if (f->taken >= f->room && cycles != 0) { /* room appears in the next cycle */
    until = f->now + 1;
  }
  f->taken = 0;
  *spent = until - f->now;
  f->now = until;
  return PM_OK;
}

static uint64_t fake_elapsed(void *state) { return ((fake *)state)->now; }

static const char *fake_configuration(void *state) { return ((fake *)state)->config; }

const pm_backend pm_backend_fake = {
    .name = "fake",
    .open = fake_open,
    .close = fake_close,
    .send = fake_send,
    .recv = fake_recv,
    .reg_read = fake_reg_read,
    .reg_write = fake_reg_write,
    .advance = fake_advance,
    .elapsed = fake_elapsed,
    .configuration = fake_configuration,
};
