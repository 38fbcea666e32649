// SPDX-License-Identifier: Apache-2.0
//
// axil.h: AXI4-Lite transfers on the ports s_axil_* of a verilated core, cycle by cycle.
//
// The clock has Settle(), which brings the outputs of the cycle, Edge(), its end by the rising edge, and
// Ready(), whether the master takes a response in the cycle, asked once the request is transferred. A
// handshake is sampled between the two. No line stays up behind a transfer, also behind one that failed.

#ifndef PM_AXIL_H
#define PM_AXIL_H

#include <cstdint>

namespace pm_sim {

// The response code and, with an answer, the data; -1 without an answer in `patience` cycles.
template <typename Core, typename Clock>
int AxilRead(Core& core, Clock& clock, std::uint8_t address, std::uint32_t* data, int patience) {
  core.s_axil_araddr = address;
  core.s_axil_arvalid = 1;
  int response = -1;
  for (int i = 0; i < patience && response < 0; i++) {
    core.s_axil_rready = !core.s_axil_arvalid && clock.Ready();
    clock.Settle();
    bool asked = core.s_axil_arvalid && core.s_axil_arready;
    if (core.s_axil_rvalid && core.s_axil_rready) {
      response = core.s_axil_rresp;
      *data = core.s_axil_rdata;
    }
    clock.Edge();
    if (asked) {
      core.s_axil_arvalid = 0;
    }
  }
  core.s_axil_arvalid = 0;
  core.s_axil_rready = 0;
  return response;
}

// strobe: a bit for each byte that is written. The response code; -1 without an answer in `patience` cycles.
template <typename Core, typename Clock>
int AxilWrite(Core& core, Clock& clock, std::uint8_t address, std::uint32_t data, std::uint8_t strobe, int patience) {
  core.s_axil_awaddr = address;
  core.s_axil_awvalid = 1;
  core.s_axil_wdata = data;
  core.s_axil_wstrb = strobe;
  core.s_axil_wvalid = 1;
  int response = -1;
  for (int i = 0; i < patience && response < 0; i++) {
    core.s_axil_bready = !core.s_axil_awvalid && !core.s_axil_wvalid && clock.Ready();
    clock.Settle();
    bool addressed = core.s_axil_awvalid && core.s_axil_awready;
    bool written = core.s_axil_wvalid && core.s_axil_wready;
    if (core.s_axil_bvalid && core.s_axil_bready) {
      response = core.s_axil_bresp;
    }
    clock.Edge();
    if (addressed) {
      core.s_axil_awvalid = 0;
    }
    if (written) {
      core.s_axil_wvalid = 0;
    }
  }
  core.s_axil_awvalid = 0;
  core.s_axil_wvalid = 0;
  core.s_axil_bready = 0;
  return response;
}

}  // namespace pm_sim

#endif
