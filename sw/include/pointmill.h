/* SPDX-License-Identifier: Apache-2.0
 *
 * pointmill.h: public interface of libpointmill, the driver of the Pointmill cores.
 *
 * A pm_device is one opened core, `edverify` or `x25519`, behind one back-end ("sim": the verilated core in this
 * process; "uio": registers and an AXI DMA under Linux UIO; "uart": a serial line; "litepcie": a PCIe card). Jobs go in
 * with pm_submit() or pm_submit_secret() and come back, one result for each, from pm_poll() or pm_wait();
 * pm_verify_batch() and pm_secret_batch() do the whole loop for an array. Guide: docs/driver.md.
 *
 * Rules that hold for every function:
 *   - Nothing here is global; two devices are independent. One device must be used by one thread
 *     at a time.
 *   - A malformed argument gives an error and changes nothing. Output arguments are written only
 *     as stated.
 *   - Every submitted job ends with exactly one result, also after a time-out or a soft reset.
 *   - `valid` is 1 only if the core said so, without a reason, for the rule that was asked for.
 *   - Copies of secret operands and of payloads are overwritten in the library as soon as they are
 *     handed on; those of the caller are the caller's.
 *   - Time-outs are counted in clock cycles of the device, which uio converts with the clock rate of the
 *     configuration ("mhz=").
 */
#ifndef POINTMILL_H
#define POINTMILL_H

#include <stddef.h>
#include <stdint.h>

#include "pm_rules.h" /* enum pm_rule, enum pm_reason: generated from hw/edverify/core.yaml */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the library exports what the public headers declare, and nothing else */

/* The declarations between the two marks are also read by the Python client: plain C, no macros. */
/* [declarations] */

/* What a call came to. pm_strerror() gives the sentence; docs/driver.md says what to do. */
typedef enum pm_error {
  PM_OK = 0,
  PM_ERR_ARGUMENT = 1,  /* a pointer is null or a value is outside its range */
  PM_ERR_BACKEND = 2,   /* no back-end of that name in this library */
  PM_ERR_CONFIG = 3,    /* the configuration string is malformed or not built in */
  PM_ERR_MEMORY = 4,    /* out of memory */
  PM_ERR_IO = 5,        /* the operating system refused (device file, mapping) */
  PM_ERR_DEVICE = 6,    /* no Pointmill core of a known kind answers there */
  PM_ERR_ADDRESS = 7,   /* register address not a multiple of 4 or outside the map */
  PM_ERR_BUS = 8,       /* the core answered a register access with SLVERR, or not at all */
  PM_ERR_FULL = 9,      /* the queue is full: take results first */
  PM_ERR_AGAIN = 10,    /* no result ready yet; jobs are outstanding */
  PM_ERR_IDLE = 11,     /* no result ready and no job outstanding */
  PM_ERR_TIMEOUT = 12,  /* the time given ran out */
  PM_ERR_PROTOCOL = 13, /* an answer contradicts itself or its job; the job counts as aborted */
  PM_ERR_CANCELLED = 14, /* the progress function asked to stop */
  PM_ERR_MODE = 15      /* this core has no such mode */
} pm_error;

/* How verifications are carried out. Verdicts and reasons are the same in all modes. */
typedef enum pm_mode {
  PM_MODE_SINGLE = 0, /* each by itself */
  PM_MODE_BATCH = 1,  /* together, under cofactored rules; results come in bunches */
  PM_MODE_CACHED = 2  /* keys that come often are prepared in the core (CONFIG.keys) */
} pm_mode;

/* One opened device. */
typedef struct pm_device pm_device;

/* One signature to verify. The bytes are copied by pm_submit(). */
typedef struct pm_job {
  uint64_t tag;       /* any number of the caller's, echoed in the result */
  uint32_t rule;      /* enum pm_rule; illegal numbers up to 255 are refused by the core itself */
  const uint8_t *pk;  /* public key as on the wire, 32 bytes */
  size_t pk_len;
  const uint8_t *sig; /* signature R, S as on the wire, 64 bytes */
  size_t sig_len;
  const uint8_t *msg; /* message; may be null if msg_len is 0 */
  size_t msg_len;     /* at most pm_max_message() */
} pm_job;

/* One job with a secret operand. The bytes are copied by pm_submit_secret(). */
typedef struct pm_secret_job {
  uint64_t tag;          /* any number of the caller's, echoed in the result */
  uint32_t op;           /* enum pm_op: PM_OP_X25519, PM_OP_KEYGEN or PM_OP_SIGN */
  const uint8_t *secret; /* x25519: scalar k, which the core clamps; otherwise the seed d; 32 bytes */
  size_t secret_len;
  const uint8_t *u;      /* x25519: u-coordinate, 32 bytes; otherwise without length */
  size_t u_len;
  const uint8_t *msg;    /* sign: message; otherwise without length */
  size_t msg_len;        /* at most pm_max_message(), and what the core has memory for */
} pm_secret_job;

/* One result. */
typedef struct pm_result {
  uint64_t tag;        /* of the job */
  uint32_t op;         /* of the job: enum pm_op */
  uint32_t rule;       /* of the job; 0 for operations without rules */
  uint32_t reason;     /* enum pm_reason; 0 if and only if valid */
  uint32_t cycles;     /* header accepted to verdict, in cycles; 0 if the driver answered by itself */
  uint32_t length;     /* bytes of payload; 0 unless valid */
  uint8_t valid;       /* 1 or 0 */
  uint8_t all_zero;    /* x25519: the payload is zero, as from a point of small order */
  uint8_t payload[96]; /* x25519: u-coordinate, 32; keygen: public key, 32; sign: public key, R, S */
} pm_result;

/* What is behind a device. */
typedef struct pm_device_info {
  char backend[16];        /* "sim", "uio", "uart", "litepcie" */
  char config[32];         /* named configuration that was opened; "" if UIO was opened without a name */
  char name[5];            /* NAME register as text */
  uint32_t version;        /* VERSION register */
  uint32_t config_word;    /* CONFIG register */
  uint64_t elapsed_cycles; /* device clock since pm_open(): estimated by uio, otherwise exact */
  uint64_t stray_answers;  /* answers that belonged to no outstanding job and were dropped */
} pm_device_info;

/* The counters of the core since reset or the last COUNT_CLEAR. */
typedef struct pm_counter_values {
  uint64_t jobs;   /* jobs answered */
  uint64_t valid;  /* of these, valid ones */
  uint64_t errors; /* of these, malformed or aborted ones */
  uint64_t cycles; /* clock cycles */
  uint64_t busy;   /* cycles with a job in the core */
  uint64_t muls;   /* products started in the multiplier; 0 of `x25519` */
} pm_counter_values;

/* Called by a batch after each result: done of total. Nonzero stops the batch. */
typedef int (*pm_progress_fn)(void *context, size_t done, size_t total);

/* The sentence for an error; never null, also for numbers that are no error. */
const char *pm_strerror(pm_error error);

/* What exactly was wrong when this thread last opened a device: the setting, the file. "" if that went well or if
 * pm_strerror() says all there is; valid until this thread opens another. */
const char *pm_open_detail(void);

/* Name of back-end number `index` of this library, or null past the last. */
const char *pm_backend_name(size_t index);

/* Longest message a job may have, in bytes. */
size_t pm_max_message(void);

/* Most jobs that may be outstanding (submitted and result not taken) on one device. */
size_t pm_queue_depth(void);

/* Opens a device, resets it, checks its NAME and, if it has batches, writes its SEED registers with
 * randomness of the operating system (IO: there is none). `config` is a configuration name, then optional
 * settings "key=value" separated by commas (docs/driver.md). Without a name, null or "" for instance, a simulated
 * core opens as the configuration that it was built for. On success
 * *out is the device; on failure null. */
pm_error pm_open(const char *backend, const char *config, pm_device **out);

/* Closes and frees. Outstanding jobs are dropped. A null device is allowed. */
void pm_close(pm_device *dev);

/* Sets the mode of the verifications submitted from now on; at first PM_MODE_SINGLE. Any number of modes may
 * be under way together. The driver keeps the table of prepared keys; their loading takes no place in the
 * queue and gives no result. MODE: the core was built without it (CONFIG.keys or CONFIG.batch is 0).
 * ARGUMENT: no such mode. */
pm_error pm_set_mode(pm_device *dev, pm_mode mode);

/* Queues one job; does not wait. A job with a key not of 32 bytes, a signature not of 64, a rule
 * above 255 or a message that is too long is accepted too: its result is malformed_job.
 * ARGUMENT: null device, job, or null bytes with a length. FULL: queue full. MEMORY. */
pm_error pm_submit(pm_device *dev, const pm_job *job);

/* As pm_submit(), for an operation with a secret operand. malformed_job is the result of a wrong
 * length and of an op that is none of the three, and of every job on a core that is built without
 * these operations (CONFIG.secret_ops); `x25519` has the one of its name alone. */
pm_error pm_submit_secret(pm_device *dev, const pm_secret_job *job);

/* Takes a result if one is ready (any order; see tag). In the simulator every call that finds none
 * lets the clock run 256 cycles. AGAIN, IDLE; PROTOCOL: *result is filled, reason aborted. */
pm_error pm_poll(pm_device *dev, pm_result *result);

/* As pm_poll(), but lets the device work for up to `timeout_cycles` until there is a result.
 * TIMEOUT: none came; the jobs stay outstanding. IDLE, PROTOCOL as above. */
pm_error pm_wait(pm_device *dev, uint64_t timeout_cycles, pm_result *result);

/* Verifies n jobs and writes n results in the order of the jobs, always, whatever is returned:
 * OK: every job was answered by the core, or is a malformed one. TIMEOUT, PROTOCOL, CANCELLED,
 * BUS, IO, MEMORY: jobs without an answer have reason aborted, and the core was soft-reset, so
 * that the device is usable again. Only ARGUMENT (null pointer, or jobs or results outstanding
 * from pm_submit) leaves `results` alone. */
pm_error pm_verify_batch(pm_device *dev, const pm_job *jobs, size_t n, pm_result *results);

/* As pm_verify_batch(), for operations with a secret operand, in any mixture. */
pm_error pm_secret_batch(pm_device *dev, const pm_secret_job *jobs, size_t n, pm_result *results);

/* Cycles without any progress (no byte taken, no result) after which a batch gives up.
 * At first 4,000,000, as several batches of signatures that end together may take a million.
 * ARGUMENT: 0. */
pm_error pm_set_batch_timeout(pm_device *dev, uint64_t cycles);

/* Progress function of batches; null removes it. */
pm_error pm_set_progress(pm_device *dev, pm_progress_fn function, void *context);

/* Number of jobs submitted whose result was not yet taken. */
pm_error pm_outstanding(pm_device *dev, size_t *count);

/* Ends every outstanding job: those in the core are answered by it, those still in the driver by
 * the driver, with reason aborted. A job that had its verdict before, or that was in a FIFO on its
 * way to the core, keeps its verdict. The results are to be taken as usual; the next job is a
 * normal one. */
pm_error pm_soft_reset(pm_device *dev);

/* Lets the device run for `cycles` cycles, moving data in both directions, and takes no result. */
pm_error pm_run(pm_device *dev, uint64_t cycles);

/* Device clock cycles since pm_open(), as in pm_device_info, without any register access. Like the
 * register accesses it may be called from a progress function. */
pm_error pm_elapsed(pm_device *dev, uint64_t *cycles);

/* Identity and state of the device; reads NAME, VERSION and CONFIG. */
pm_error pm_info(pm_device *dev, pm_device_info *info);

/* Reads all counters; the 64-bit ones are consistent in themselves. */
pm_error pm_counters(pm_device *dev, pm_counter_values *values);

/* Sets the counters to zero. BUS: a job is under way (the core refuses then). */
pm_error pm_clear_counters(pm_device *dev);

/* One register access (32 bits). ADDRESS: not a multiple of 4 or above 0xfc. BUS: the core answered
 * SLVERR. Jobs go on meanwhile. */
pm_error pm_read_reg(pm_device *dev, uint32_t address, uint32_t *value);
pm_error pm_write_reg(pm_device *dev, uint32_t address, uint32_t value);

enum {
  PM_IDENTITY_WORDS = 21, /* of the ROM, as far as they are used */
  PM_IDENTITY_REVISION = 40,
  PM_IDENTITY_BOARD = 16,
  PM_IDENTITY_CONFIGURATION = 32
};

/* What a bitstream says of itself; texts end with 0. */
typedef struct pm_identity {
  uint32_t clock_khz;     /* of the core, as placed and routed */
  uint8_t modified;       /* 1: files differed from the revision */
  char revision[40 + 1];  /* git hash of the sources */
  char board[16 + 1];
  char configuration[32 + 1]; /* "edverify-tiles_secret" */
} pm_identity;

/* The identity of the bitstream. ADDRESS: the back-end reaches none. */
pm_error pm_read_identity(pm_device *dev, pm_identity *identity);

/* [end of declarations] */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* POINTMILL_H */
