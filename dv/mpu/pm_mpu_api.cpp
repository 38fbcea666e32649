// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_mpu for the benches: AXI4-Lite transfers, AXI4 bursts, the system's memory, reset,
// clock. What the interface finds wrong (protocol, failed assertions) is counted.

#include <cstdint>
#include <array>
#include <cstring>
#include <memory>

#include "Vpm_mpu.h"
#include "Vpm_mpu___024root.h"
#include "axi_memory.h"
#include "axil.h"
#include "pm_tb_big.h"
#include "pm_tb_clock.h"

namespace {
constexpr int kPatience = 1000;  // cycles until a transfer counts as lost
constexpr size_t kBytes = 16;    // of a beat
}  // namespace

struct Core {
  VerilatedContext context;
  std::unique_ptr<Vpm_mpu> dut;
  pm_tb::Random random{0};
  pm_sim::AxiMemory<Vpm_mpu> memory;
  unsigned stall = 0;  // per cent of cycles in which a master, or the system's memory, does not offer or take
  bool held = false;   // the system's memory offers and takes nothing
  uint64_t cycle = 0;
  uint32_t violations = 0;
  bool kept = false;  // an address of the system's memory was not taken

  Core() {
    context.fatalOnError(false);  // a failed assertion is counted, see Edge()
    dut = std::make_unique<Vpm_mpu>(&context, "pm_mpu");
    dut->clk_i = 0;
  }

  void Reset(unsigned cycles) {
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
    dut->s_axil_bready = dut->s_axil_rready = 0;
    dut->s_axi_awvalid = dut->s_axi_wvalid = dut->s_axi_arvalid = 0;
    dut->s_axi_bready = dut->s_axi_rready = 0;
    memory.Reset(*dut);
    dut->rst_ni = 0;
    for (unsigned i = 0; i < cycles; ++i) {
      Settle();
      Edge();
    }
    dut->rst_ni = 1;
    Settle();
  }

  // A cycle: its outputs, its end, and whether a master offers or takes in it.
  void Settle() {
    dut->clk_i = 0;
    dut->eval();
  }

  void Edge() {
    if (dut->rst_ni) {
      memory.Take(*dut);
      // No data stay behind a beat, and addresses and data stay until they are taken.
      const bool left = !dut->m_axi_wvalid &&
                        (dut->m_axi_wdata[0] | dut->m_axi_wdata[1] | dut->m_axi_wdata[2] | dut->m_axi_wdata[3]);
      if (left || (kept && !(dut->m_axi_awvalid | dut->m_axi_arvalid))) ++violations;
      kept = (dut->m_axi_awvalid && !dut->m_axi_awready) || (dut->m_axi_arvalid && !dut->m_axi_arready);
    } else {
      kept = false;
    }
    pm_tb::rise(*dut);
    if (dut->rst_ni) memory.Drive(*dut, [this] { return !held && Ready(); });
    ++cycle;
    if (context.gotError()) {
      ++violations;
      context.gotError(false);
      context.gotFinish(false);
    }
  }

  bool Ready() { return stall == 0 || random.next() % 100 >= stall; }
};

extern "C" {

Core* pm_mpu_new() { return new Core; }
void pm_mpu_delete(Core* core) { delete core; }
void pm_mpu_reset(Core* core, unsigned cycles) { core->Reset(cycles); }

void pm_mpu_pace(Core* core, uint64_t seed, unsigned stall) {
  core->random = pm_tb::Random(seed);
  core->stall = stall;
}

// Runs until the interrupt line is high, or for so many cycles; the cycles it took.
uint64_t pm_mpu_run(Core* core, uint64_t cycles, int until_irq) {
  const uint64_t from = core->cycle;
  core->Settle();
  while (core->cycle - from < cycles && !(until_irq && core->dut->irq_o)) {
    core->Edge();
    core->Settle();
  }
  return core->cycle - from;
}

// AXI4-Lite transfers; the response code, or -1 without an answer.
int pm_mpu_write(Core* core, uint8_t address, uint32_t data, uint8_t strobe) {
  return pm_sim::AxilWrite(*core->dut, *core, address, data, strobe, kPatience);
}

int pm_mpu_read(Core* core, uint8_t address, uint32_t* data) {
  return pm_sim::AxilRead(*core->dut, *core, address, data, kPatience);
}

// A burst of so many beats, 16 bytes and 2 bytes of strobes each; the response code, or -1.
int pm_mpu_store(Core* core, uint32_t address, const uint8_t* data, const uint16_t* strobes, unsigned beats,
                 unsigned size, unsigned burst) {
  Vpm_mpu& dut = *core->dut;
  const uint8_t id = core->random.next() & 15;
  dut.s_axi_awid = id;
  dut.s_axi_awaddr = address;
  dut.s_axi_awlen = beats - 1;
  dut.s_axi_awsize = size;
  dut.s_axi_awburst = burst;
  dut.s_axi_awvalid = 1;
  unsigned sent = 0;
  int response = -1;
  for (int i = 0; i < kPatience && response < 0; ++i) {
    if (!dut.s_axi_wvalid && sent < beats && core->Ready()) {
      dut.s_axi_wvalid = 1;
      std::memcpy(&dut.s_axi_wdata, data + kBytes * sent, kBytes);
      dut.s_axi_wstrb = strobes[sent];
      dut.s_axi_wlast = sent + 1 == beats;
    }
    dut.s_axi_bready = core->Ready();
    core->Settle();
    const bool address_taken = dut.s_axi_awvalid && dut.s_axi_awready;
    const bool data_taken = dut.s_axi_wvalid && dut.s_axi_wready;
    if (dut.s_axi_bvalid) {
      if (sent < beats || dut.s_axi_bid != id) ++core->violations;
      if (dut.s_axi_bready) response = dut.s_axi_bresp;
    }
    core->Edge();
    if (address_taken) dut.s_axi_awvalid = 0;
    if (data_taken) {
      dut.s_axi_wvalid = 0;
      ++sent;
    }
  }
  dut.s_axi_bready = 0;
  return response;
}

// The worst response code of the beats, or -1; their data, and the response codes of the beats.
int pm_mpu_load(Core* core, uint32_t address, uint8_t* data, uint8_t* responses, unsigned beats, unsigned size,
                unsigned burst) {
  Vpm_mpu& dut = *core->dut;
  const uint8_t id = core->random.next() & 15;
  dut.s_axi_arid = id;
  dut.s_axi_araddr = address;
  dut.s_axi_arlen = beats - 1;
  dut.s_axi_arsize = size;
  dut.s_axi_arburst = burst;
  dut.s_axi_arvalid = 1;
  unsigned got = 0;
  int worst = 0;
  for (int i = 0; i < kPatience && got < beats; ++i) {
    dut.s_axi_rready = core->Ready();
    core->Settle();
    const bool taken = dut.s_axi_arvalid && dut.s_axi_arready;
    if (dut.s_axi_rvalid && dut.s_axi_rready) {
      if (dut.s_axi_rid != id || dut.s_axi_rlast != (got + 1 == beats)) ++core->violations;
      std::memcpy(data + kBytes * got, &dut.s_axi_rdata, kBytes);
      responses[got++] = dut.s_axi_rresp;
      if (dut.s_axi_rresp > worst) worst = dut.s_axi_rresp;
    }
    core->Edge();
    if (taken) dut.s_axi_arvalid = 0;
  }
  dut.s_axi_rready = 0;
  return got == beats ? worst : -1;
}

// The system's memory: `size` bytes from `address` on, those at `bytes`; what is elsewhere is answered with an error.
void pm_mpu_map(Core* core, uint64_t address, uint8_t* bytes, size_t size) { core->memory.Map(address, bytes, size); }

// Whether it offers and takes nothing until told otherwise.
void pm_mpu_hold(Core* core, int held) { core->held = held; }

int pm_mpu_irq(Core* core) {
  core->Settle();
  return core->dut->irq_o;
}

// Which registers for data of an operation, a bit each in the order below, have these 8 bytes at a 32-bit word's place.
unsigned pm_mpu_holds(Core* core, const uint8_t* bytes) {
  const Vpm_mpu___024root& root = *core->dut->rootp;
  unsigned found = 0, bit = 0;
  const auto search = [&](const auto& data) {
    const char* at = reinterpret_cast<const char*>(&data);
    bool here = false;
    for (size_t i = 0; i + 8 <= sizeof data; i += 4) here |= std::memcmp(at + i, bytes, 8) == 0;
    found |= unsigned(here) << bit++;
  };
#define ENGINE(name) root.pm_mpu__DOT__u_engine__DOT__##name
#define DATAPATH(name) ENGINE(u_datapath__DOT__##name)
#define INVERTER(name) ENGINE(u_inverter__DOT__u_inverter__DOT__##name)
  std::array<std::array<QData, 11>, 16> file{};  // the whole numbers, of the memory of each 64 bits
  for (size_t i = 0; i < file.size(); ++i) {
    file[i] = {
#define PART(j) DATAPATH(gen_file__BRA__##j##__KET____DOT__file_q)[i]
        PART(0), PART(1), PART(2), PART(3), PART(4), PART(5), PART(6), PART(7), PART(8), PART(9), PART(10),
#undef PART
    };
  }
  search(file);
  search(DATAPATH(a_q));
  search(DATAPATH(b_q));
  search(DATAPATH(ext_q));
  search(DATAPATH(operand_q));
  search(DATAPATH(sum));
  search(DATAPATH(u_sums__DOT__sum_q));
  search(DATAPATH(u_sums__DOT__late_q));
  search(DATAPATH(u_products__DOT__x_q));
  std::array<uint8_t, 90> factor{};  // that stays in the multipliers, 18 bits in each
  const auto keep = [&](unsigned place, uint32_t bits) {
    for (unsigned i = 0; i < 18; ++i) {
      const unsigned at = 18 * place + i;
      factor[at / 8] = uint8_t(factor[at / 8] | (bits >> i & 1) << at % 8);
    }
  };
#define LEAF(j, i)                                                                                             \
  keep(2 * j + i, DATAPATH(u_products__DOT__gen_array__BRA__0__KET____DOT__u_array__DOT__gen_column__BRA__##j \
                           ##__KET____DOT__gen_part__BRA__##i##__KET____DOT__u_leaf__DOT__b_q))
#define COLUMN(j) LEAF(j, 0), LEAF(j, 1)
  COLUMN(0), COLUMN(1), COLUMN(2), COLUMN(3), COLUMN(4), COLUMN(5), COLUMN(6), COLUMN(7), COLUMN(8), COLUMN(9);
  COLUMN(10), COLUMN(11), COLUMN(12), COLUMN(13), COLUMN(14), COLUMN(15), COLUMN(16), COLUMN(17), COLUMN(18);
  COLUMN(19);
#undef COLUMN
#undef LEAF
  search(factor);
  search(DATAPATH(u_products__DOT__z));
  search(DATAPATH(u_products__DOT__kept_q));
  search(DATAPATH(u_products__DOT__sum_q));
  search(ENGINE(u_scan__DOT__scalar_q));
  search(INVERTER(f_q));
  search(INVERTER(g_q));
  search(INVERTER(d_q));
  search(INVERTER(e_q));
  search(INVERTER(result_q));
  search(core->dut->m_axi_wdata);
#undef DATAPATH
#undef INVERTER
#undef ENGINE
  return found;
}

uint32_t pm_mpu_violations(const Core* core) { return core->violations + core->memory.violations(); }

}  // extern "C"
