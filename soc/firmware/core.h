/* SPDX-License-Identifier: Apache-2.0
 *
 * core.h: the core of the simulated system, and what the host wants to have done with it.
 */
#ifndef CORE_H
#define CORE_H

#include "mp.h"
#include "pm_mpu.h"
#include "soc.h"

/* soc_mpu, whose accesses count as phase bus, those of STATUS and waiting as phase wait. */
extern const pm_mpu_backend core_backend;

/* The same for programs that transfer operands: until the end of a transfer is known everything counts as phase bus. */
const pm_mpu_backend *core_dma_backend(void);

/* What the host puts at soc_input. */
typedef struct core_input {
  uint32_t methods;          /* bit i: enum core_method i */
  uint32_t length;           /* n of pm_joye() */
  uint32_t count;            /* inverses of the software-only product */
  pm_mp p, a, b, k, x, y;    /* as they are, not in the domain */
  pm_mp inverses[];          /* in the domain */
} core_input;

#define CORE_INPUT ((const core_input *)soc_input)

/* Ways to multiply a point. */
typedef enum core_method {
  METHOD_SOFTWARE,     /* no core, inverses from the table */
  METHOD_PRODUCTS,     /* mont_mul alone, inverses from the table */
  METHOD_POINTS,       /* affine_add and affine_dq */
  METHOD_JOYE,         /* ecmul_joye */
  METHOD_LADDER,       /* ecmul */
  METHOD_JOYE_DMA,     /* ecmul_joye, the core fetches its operands */
  METHOD_LADDER_DMA,   /* ecmul likewise */
  METHODS
} core_method;

/* The modulus of the input, after core_prepare(). */
extern pm_modulus core_modulus;
void core_prepare(void);

/* Prints a number, highest word first. */
void core_print(const pm_mp *number);

/* Ends the simulation with a sentence unless `right`. */
void core_check(bool right, const char *what);

/* Opens the core, which waits by interrupt or not, by one of the two back-ends, and loads the curve. */
void core_open(pm_mpu *mpu, bool interrupt);
void core_open_by(pm_mpu *mpu, const pm_mpu_backend *backend, bool interrupt);

/* Does one operation, which has to end with this reason. */
void core_run(const pm_mpu *mpu, pm_mpu_command command, uint32_t reason);

/* The self-test: every operation, its cycles printed; refusals; errors on the bus; a reset in the middle. */
void selftest(void);

/* One multiplication by `method`, printed with its cycles; those with transfers. */
void bench(core_method method);
void bench_dma(core_method method);

#endif /* CORE_H */
