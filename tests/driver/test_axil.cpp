// SPDX-License-Identifier: Apache-2.0
//
// Unit test of axil.h on a register that takes address and data after given delays and responds after another one.

#include "../../sw/backends/sim/axil.h"

#include "check.h"

namespace {

constexpr int kPatience = 20;
constexpr int kNever = 1000;
constexpr int kRefused = 2;

struct Ports {
  bool s_axil_awvalid = false, s_axil_awready = false, s_axil_wvalid = false, s_axil_wready = false;
  bool s_axil_bvalid = false, s_axil_bready = false, s_axil_arvalid = false, s_axil_arready = false;
  bool s_axil_rvalid = false, s_axil_rready = false;
  std::uint8_t s_axil_awaddr = 0, s_axil_araddr = 0, s_axil_wstrb = 0, s_axil_bresp = 0, s_axil_rresp = 0;
  std::uint32_t s_axil_wdata = 0, s_axil_rdata = 0;

  bool idle() const { return !s_axil_awvalid && !s_axil_wvalid && !s_axil_bready && !s_axil_arvalid && !s_axil_rready; }
};

// address, data, answer: cycles until they are taken or given. pause: cycles in which the master does not take an
// answer.
struct Slave {
  Ports& port;
  int address, data, answer, pause;
  std::uint32_t value = 0x12345678;
  int cycle = 0, answers = 0;
  bool addressed = false, written = false, early = false;

  bool Ready() { return pause-- <= 0; }

  void Settle() {
    port.s_axil_awready = port.s_axil_arready = !addressed && address == 0;
    port.s_axil_wready = !written && data == 0;
    const bool due = answer == 0 && answers == 0;
    port.s_axil_bvalid = addressed && written && due;
    port.s_axil_rvalid = addressed && due;
    port.s_axil_bresp = port.s_axil_rresp = kRefused;
    port.s_axil_rdata = port.s_axil_rvalid ? value : 0;
    early |= (port.s_axil_bready && !(addressed && written)) || (port.s_axil_rready && !addressed);
  }

  void Edge() {
    if (addressed && (written || port.s_axil_wstrb == 0) && answer > 0) answer--;
    answers += (port.s_axil_bvalid && port.s_axil_bready) || (port.s_axil_rvalid && port.s_axil_rready);
    if ((port.s_axil_awvalid && port.s_axil_awready) || (port.s_axil_arvalid && port.s_axil_arready)) addressed = true;
    if (port.s_axil_wvalid && port.s_axil_wready) {
      written = true;
      value = port.s_axil_wdata;
    }
    if (address > 0) address--;
    if (data > 0) data--;
    cycle++;
  }
};

void check_read(int address, int answer, int pause) {
  Ports port;
  Slave slave{port, address, 0, answer, pause};
  std::uint32_t value = 0;
  const int cycles = address + 1 + (answer > pause ? answer : pause) + 1;
  const int response = pm_sim::AxilRead(port, slave, 0x24, &value, kPatience);
  const bool answered = cycles <= kPatience;
  CHECK(response == (answered ? kRefused : -1));
  CHECK(value == (answered ? 0x12345678 : 0) && slave.answers == answered);
  CHECK(slave.cycle == (answered ? cycles : kPatience));
  CHECK(port.s_axil_araddr == 0x24 && !slave.early && port.idle());
}

void check_write(int address, int data, int answer, int pause) {
  Ports port;
  Slave slave{port, address, data, answer, pause};
  const int taken = address > data ? address : data;
  const int cycles = taken + 1 + (answer > pause ? answer : pause) + 1;
  const int response = pm_sim::AxilWrite(port, slave, 0x28, 0xcafe, 0x3, kPatience);
  const bool answered = cycles <= kPatience;
  CHECK(response == (answered ? kRefused : -1) && slave.answers == answered);
  CHECK(slave.cycle == (answered ? cycles : kPatience));
  CHECK((slave.value == 0xcafe) == (data < kPatience) && port.s_axil_wstrb == 0x3);
  CHECK(port.s_axil_awaddr == 0x28 && !slave.early && port.idle());
}

}  // namespace

int main() {
  const int delays[] = {0, 1, 5, 17, 18, kNever}, pauses[] = {0, 1, 9};
  for (int address : delays) {
    for (int answer : delays) {
      for (int pause : pauses) {
        check_read(address, answer, pause);
        for (int data : delays) check_write(address, data, answer, pause);
      }
    }
  }
  printf("%lu checks\n", checks);
}
