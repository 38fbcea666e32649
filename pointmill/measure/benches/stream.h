// SPDX-License-Identifier: Apache-2.0
//
// Job packets from a file, driven into the job stream of the verilated pm_edverify from the cycle of their
// arrival on. File: number of packets, their arrivals (uint64 each), then the beats of all packets (8 data
// bytes, keep, last each).

#ifndef POINTMILL_BENCH_STREAM_H_
#define POINTMILL_BENCH_STREAM_H_

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "Vpm_edverify.h"

namespace bench {

class Stream {
 public:
  explicit Stream(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return;
    uint64_t packets = 0;
    if (fread(&packets, sizeof packets, 1, file) == 1) arrivals_.resize(packets);
    if (fread(arrivals_.data(), sizeof(uint64_t), packets, file) == packets) {
      uint8_t buffer[65536];
      for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));) {
        beats_.insert(beats_.end(), buffer, buffer + n);
      }
    }
    fclose(file);
  }

  size_t packets() const { return arrivals_.size(); }
  size_t beats() const { return beats_.size() / kBeatBytes; }
  uint64_t arrival(size_t packet) const { return arrivals_.at(packet); }

  // More packets are to come, the next one later.
  bool pauses(uint64_t cycle) const { return packet_ < packets() && arrivals_[packet_] > cycle; }

  // Offers the next beat if its packet has arrived.
  void offer(Vpm_edverify &top, uint64_t cycle) const {
    top.s_axis_tvalid = position_ < beats() && arrivals_[packet_] <= cycle;
    if (!top.s_axis_tvalid) return;
    const uint8_t *beat = &beats_[position_ * kBeatBytes];
    memcpy(&top.s_axis_tdata, beat, 8);
    top.s_axis_tkeep = beat[8];
    top.s_axis_tlast = beat[9];
  }

  // The beat on offer was taken.
  void advance() {
    packet_ += beats_[position_ * kBeatBytes + 9];
    position_++;
  }

 private:
  static constexpr size_t kBeatBytes = 10;
  std::vector<uint64_t> arrivals_;
  std::vector<uint8_t> beats_;
  size_t position_ = 0, packet_ = 0;
};

// Reset, with all results taken at once from then on.
inline void reset(Vpm_edverify &top) {
  top.rst_ni = 0;
  top.m_axis_tready = 1;
  for (int i = 0; i < 8; i++) {
    top.clk_i = i & 1;
    top.eval();
  }
  top.rst_ni = 1;
}

}  // namespace bench

#endif  // POINTMILL_BENCH_STREAM_H_
