// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_scalar_unit: one job per call, with a model of the shared
// multiplier (half products of the 129-bit halves of the factors).

#include <deque>

#include "Vpm_scalar_unit.h"
#include "pm_tb_unit.h"

namespace {

using pm_tb::Big;

struct Product {
  int cycles;  // until its half products are there
  Big h, l;
};

constexpr int kGather = 4;  // scalar_op_e

Vpm_scalar_unit* dut = nullptr;
std::deque<Product> products;

// Settles the inputs of this cycle; the outputs can be read after it.
void settle(pm_tb::Random& random, bool calm) {
  for (int i = 0; i < 9; ++i) dut->mul_h_i[i] = dut->mul_l_i[i] = random.next();
  dut->mul_h_i[8] &= 3;
  dut->mul_l_i[8] &= 3;
  dut->mul_part_valid_i = !products.empty() && products.front().cycles == 0;
  if (dut->mul_part_valid_i) {
    pm_tb::put(dut->mul_h_i, products.front().h);
    pm_tb::put(dut->mul_l_i, products.front().l);
  }
  dut->mul_ready_i = calm || random.next() % 4 == 0;
  dut->push_ready_i = calm || random.next() % 3 == 0;
  dut->eval();
}

void tick(int latency) {
  if (dut->mul_part_valid_i) products.pop_front();
  for (Product& product : products) --product.cycles;
  if (dut->mul_valid_o && dut->mul_ready_i) {
    const Big a = pm_tb::get(dut->mul_a_o), b = pm_tb::get(dut->mul_b_o);
    products.push_back({latency - 1, pm_tb::slice(a, 129, 129) * pm_tb::slice(b, 129, 129),
                        pm_tb::slice(a, 0, 129) * pm_tb::slice(b, 0, 129)});
  }
  pm_tb::tick(*dut);
}

void start() {
  dut = pm_tb::started<Vpm_scalar_unit>([](auto* unit) {
    unit->clear_i = unit->valid_i = unit->op_i = unit->mul_part_valid_i = 0;
    unit->mul_ready_i = unit->push_ready_i = 1;
  });
}

}  // namespace

// Runs the job (op; S or a and r, 8 words each; digest, 16 words) on a multiplier that answers
// `latency` cycles after the acceptance and stores the entries, packed, in out, or the 16 words of the
// result. stall_seed 0: requests and entries are taken at once; otherwise at random times.
// clear_at >= 0: clear_i in that cycle (0: the cycle in which the job is offered), and the call returns
// 0 after it. Returns the number of entries (0 for the jobs with a result), negative if the unit
// misbehaves; *cycles: from acceptance to the pulse of its end; *waited: cycles until the job was
// accepted.
extern "C" int pm_scalar_unit_run(int op, const uint32_t* s, const uint32_t* r,
                                  const uint32_t* digest, int latency, uint64_t stall_seed,
                                  int clear_at, uint32_t* out, int max_entries, int* cycles,
                                  int* waited) {
  if (dut == nullptr) start();
  pm_tb::Random random(stall_seed);
  const bool calm = stall_seed == 0;
  dut->op_i = op;
  pm_tb::put(dut->s_i, pm_tb::load(s));
  pm_tb::put(dut->r_i, pm_tb::load(r));
  pm_tb::put(dut->digest_i, pm_tb::load(digest, 16));
  dut->valid_i = 1;
  for (*waited = 0;; ++*waited) {
    settle(random, calm);
    // Nothing is under way.
    if (dut->push_valid_o || dut->done_o || dut->result_valid_o) return -1;
    if (dut->ready_o) break;
    if (*waited > 100) return -2;
    tick(latency);
  }
  int entries = 0;
  bool held = false;
  for (*cycles = 0;; ++*cycles) {
    if (*cycles > 20000) return -3;
    dut->clear_i = *cycles == clear_at;
    settle(random, calm);
    // One job at a time, and a product of zeros behind a result of secrets.
    if (*cycles > 0 && dut->ready_o != (dut->result_valid_o && op == kGather)) return -4;
    if (held && !dut->push_valid_o) return -5;
    if (dut->push_valid_o) {
      if (entries == max_entries) return -6;
      if (held && out[entries] != dut->push_entry_o) return -7;
      out[entries] = dut->push_entry_o;
      held = !dut->push_ready_i;
      entries += dut->push_ready_i;
    }
    const bool done = dut->done_o;
    if (op == 0 || op == 3 || op >= 5 ? dut->result_valid_o : (done || dut->push_valid_o)) return -9;
    if (*cycles > 0 && dut->result_valid_o && *cycles != clear_at) {
      for (int i = 0; i < 16; ++i) out[i] = dut->total_o[i];
      for (int j = 0; j < 7; ++j) {
        if (out[j] != dut->result_o[j]) return -11;
      }
      for (int i = 0; i < 3 || !dut->ready_o; ++i) {  // it is told once, and forgotten
        if (i > 200) return -2;
        tick(latency);
        settle(random, calm);
        if (dut->result_valid_o) return -10;
        for (int j = 0; j < 16; ++j) {
          if (dut->total_o[j] != 0) return -11;
        }
      }
      return 0;
    }
    tick(latency);
    dut->valid_i = 0;
    if (*cycles == clear_at) {
      dut->clear_i = 0;
      return 0;
    }
    if (done) return held ? -8 : entries;
    dut->op_i = random.next() % 6;
    for (int i = 0; i < 8; ++i) dut->s_i[i] = dut->r_i[i] = i < 7 ? random.next() : 0;
    for (int i = 0; i < 16; ++i) dut->digest_i[i] = random.next();
  }
}
