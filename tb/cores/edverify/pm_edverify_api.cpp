// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated core PM_TB_TOP (pm_edverify, pm_x25519, which has the same packets) for the
// benches: a queue of beats on the job stream, a list of results, AXI4-Lite transfers, reset. Both streams move in every clock cycle, whichever call
// runs the clock. What the interface finds wrong (protocol, failed assertions) is counted.

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#define PM_TEXT_OF(word) #word
#define PM_TEXT(word) PM_TEXT_OF(word)
#define PM_CLASS_OF(top) V##top
#define PM_CLASS(top) PM_CLASS_OF(top)

#include PM_TEXT(PM_CLASS(PM_TB_TOP).h)
#include "pm_edverify_api.h"
#include "pm_tb_big.h"

namespace {

using Top = PM_CLASS(PM_TB_TOP);

struct Beat {
  uint64_t data;
  uint8_t keep, last;
};

}  // namespace

struct Core {
  VerilatedContext context;
  std::unique_ptr<Top> dut;
  std::deque<Beat> input;
  std::deque<Result> results;
  pm_tb::Random random{0};
  unsigned idle = 0, stall = 0;  // per cent of cycles without an offer, without readiness
  bool offered = false;          // a beat is offered and not taken yet
  bool held = false;             // a result beat was offered and not taken
  size_t taken = 0;              // beats taken of a result
  Result result = {};            // that result
  uint64_t held_data = 0, cycle = 0, accepted = 0;
  uint32_t violations = 0;

  Core() {
    context.fatalOnError(false);  // a failed assertion is counted, see tick()
    dut = std::make_unique<Top>(&context, PM_TEXT(PM_TB_TOP));
    dut->clk_i = 0;
  }

  void reset(unsigned cycles) {
    input.clear();
    results.clear();
    offered = held = false;
    taken = 0;
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
    dut->s_axil_bready = dut->s_axil_rready = 0;
    dut->rst_ni = 0;
    for (unsigned i = 0; i < cycles; ++i) tick();
    dut->rst_ni = 1;
  }

  void take(uint64_t data, bool last) {
    constexpr size_t kMostBeats = 2 + sizeof(Result::payload) / 8;
    if (dut->m_axis_tkeep != 0xff || taken >= kMostBeats) ++violations;
    if (taken == 0) {
      result = {};
      result.tag = uint32_t(data >> 32);
      result.rule = uint8_t(data >> 8);
      result.reason = uint8_t(data);
      result.valid = data >> 16 & 1;
      result.all_zero = data >> 17 & 1;
      if ((data >> 18 & 0x3fff) != 0) ++violations;
    } else if (taken == 1) {
      result.cycles = uint32_t(data);
      if (data >> 32 != 0) ++violations;
    } else if (taken < kMostBeats) {
      std::memcpy(result.payload + 8 * (taken - 2), &data, 8);
    }
    ++taken;
    if (!last) return;
    result.length = uint8_t(8 * (taken - 2));
    result.answered_at = cycle;
    if (taken != 2 && taken != 6 && taken != 14) ++violations;
    results.push_back(result);
    taken = 0;
  }

  void tick() {
    if (!offered) offered = !input.empty() && (idle == 0 || random.next() % 100 >= idle);
    dut->s_axis_tvalid = offered;
    dut->s_axis_tdata = offered ? input.front().data : random.next();
    dut->s_axis_tkeep = offered ? input.front().keep : 0x5a;
    dut->s_axis_tlast = offered ? input.front().last : cycle & 1;
    dut->m_axis_tready = stall == 0 || random.next() % 100 >= stall;
    dut->clk_i = 0;
    dut->eval();
    const bool sent = dut->rst_ni && offered && dut->s_axis_tready;
    const bool valid = dut->rst_ni && dut->m_axis_tvalid;
    if (held && (!valid || dut->m_axis_tdata != held_data)) ++violations;
    if (valid && dut->m_axis_tready) take(dut->m_axis_tdata, dut->m_axis_tlast);
    held = valid && !dut->m_axis_tready;
    held_data = dut->m_axis_tdata;
    dut->clk_i = 1;
    dut->eval();
    ++cycle;
    if (sent) {
      input.pop_front();
      offered = false;
      ++accepted;
    }
    if (context.gotError()) {
      ++violations;
      context.gotError(false);
      context.gotFinish(false);
    }
  }
};

extern "C" {

Core* pm_core_new() { return new Core; }
void pm_core_delete(Core* core) { delete core; }

void pm_core_reset(Core* core, unsigned cycles) { core->reset(cycles); }

void pm_core_pace(Core* core, uint64_t seed, unsigned idle, unsigned stall) {
  core->random = pm_tb::Random(seed);
  core->idle = idle;
  core->stall = stall;
}

void pm_core_push(Core* core, const uint8_t* beats, size_t count) {
  for (size_t i = 0; i < count; ++i, beats += 10) {
    Beat beat{0, beats[8], beats[9]};
    std::memcpy(&beat.data, beats, 8);
    core->input.push_back(beat);
  }
}

uint64_t pm_core_run(Core* core, uint64_t cycles, size_t results) {
  const uint64_t from = core->cycle;
  while (core->cycle - from < cycles && core->results.size() < results) core->tick();
  return core->cycle - from;
}

size_t pm_core_take(Core* core, Result* out, size_t most) {
  size_t count = 0;
  for (; count < most && !core->results.empty(); ++count) {
    out[count] = core->results.front();
    core->results.pop_front();
  }
  return count;
}

int pm_core_write(Core* core, uint8_t address, uint32_t data) {
  Top& dut = *core->dut;
  dut.s_axil_awaddr = address;
  dut.s_axil_wdata = data;
  dut.s_axil_wstrb = 0xf;
  dut.s_axil_awvalid = dut.s_axil_wvalid = dut.s_axil_bready = 1;
  int response = -1;
  for (int i = 0; i < 100 && response < 0; ++i) {
    const bool address_taken = dut.s_axil_awvalid && dut.s_axil_awready;
    const bool data_taken = dut.s_axil_wvalid && dut.s_axil_wready;
    if (dut.s_axil_bvalid) response = dut.s_axil_bresp;
    core->tick();
    if (address_taken) dut.s_axil_awvalid = 0;
    if (data_taken) dut.s_axil_wvalid = 0;
  }
  dut.s_axil_bready = 0;
  return response;
}

int pm_core_read(Core* core, uint8_t address, uint32_t* data) {
  Top& dut = *core->dut;
  dut.s_axil_araddr = address;
  dut.s_axil_arvalid = dut.s_axil_rready = 1;
  int response = -1;
  for (int i = 0; i < 100 && response < 0; ++i) {
    const bool taken = dut.s_axil_arvalid && dut.s_axil_arready;
    if (dut.s_axil_rvalid) {
      response = dut.s_axil_rresp;
      *data = dut.s_axil_rdata;
    }
    core->tick();
    if (taken) dut.s_axil_arvalid = 0;
  }
  dut.s_axil_rready = 0;
  return response;
}

int pm_core_irq(const Core* core) { return core->dut->irq_o; }
uint64_t pm_core_cycle(const Core* core) { return core->cycle; }
uint64_t pm_core_accepted(const Core* core) { return core->accepted; }
uint32_t pm_core_violations(const Core* core) { return core->violations; }

}  // extern "C"
