// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_edverify_tile: runs a queue of jobs, each context getting the next one as
// soon as it is free, and plays what stands around a tile: loader of external values, tables of points,
// scalar units.

#include <deque>
#include <utility>
#include <vector>

#include "Vpm_edverify_tile.h"
#include "pm_tb_clock.h"

struct Job {
  uint32_t facts;            // tile_job_t
  uint32_t y[2][2][5];       // of the key and of R: halves of 129 bits
  const uint32_t* entries;   // its recoded digit sequence
  uint32_t entry_count;
};

struct Result {
  uint32_t reason, points;  // points that were asked for
  uint64_t started, finished;
};

using Value = uint32_t[2][5];  // halves of 129 bits

// Tables of points. A coordinate of a key has the number of tile_coord_e.
struct Tables {
  Value g[2][512][3];  // of G and 2^127 G, and of 2^(32 i) G: y + x, y - x, 2dxy
  Value key[64][4];    // what the latest load has put
  uint32_t puts;       // coordinates of it
  uint32_t whole;      // so many were put when it was complete
};

namespace {

constexpr uint32_t kListDone = 1u << 21, kListValid = 1u << 22;  // over the entry
constexpr int kYa = 7, kYr = 8, kYp = 9, kYm = 10, kT2d = 11, kZ2 = 12, kConstants = 7;  // external values
constexpr uint32_t kTableKey = 2;                                                       // tile_table_e
constexpr uint32_t kLoad = 2;                                                           // tile_op_e

Vpm_edverify_tile* dut = nullptr;
uint64_t cycle = 0;

// Half of an external value to be loaded, in thirds; the last one of a point is followed by its end.
struct Load {
  int context, ext;
  bool upper;
  const uint32_t* data;
  bool ends_point;
  int third = 0;
};

void rise() {
  pm_tb::rise(*dut);
  ++cycle;
}

// A coordinate whose parts arrive: bits 64:0, 128:65, 193:129, 257:194.
struct Put {
  uint32_t point, coord;
  int age = 0;
  bool bits[260] = {};
};

struct Context {
  int job = -1;
  bool ended = true, listed = true;
  int loads = 0;          // y are still to come
  bool starting = false;  // its y are being loaded
};

void offer(const Load& load) {
  // tile_load_t: ext, upper, third, 43 bits of the 129.
  const int first = 43 * load.third / 32, shift = 43 * load.third % 32;
  uint64_t data = load.data[first] >> shift | static_cast<uint64_t>(load.data[first + 1]) << (32 - shift);
  if (shift > 21) data |= static_cast<uint64_t>(load.data[first + 2]) << (64 - shift);
  dut->load_i = (data & ((1ull << 43) - 1)) | static_cast<uint64_t>(load.third) << 43 |
                static_cast<uint64_t>(load.upper) << 45 | static_cast<uint64_t>(load.ext) << 46;
  dut->load_ctx_i = static_cast<uint8_t>(load.context);
}

// Of tile_put_t: the operand, 129 bits, then whether it is the last one, coordinate, point, slot, whether it is valid.
bool put_bit(int at) { return dut->put_o[at / 32] >> at % 32 & 1; }

// What the tile puts in this cycle.
void collect(Tables& tables, std::deque<Put>& arriving) {
  if (put_bit(141)) {
    arriving.push_back({dut->put_o[4] >> 4 & 63, dut->put_o[4] >> 2 & 3});
    ++tables.puts;
    if (put_bit(129)) tables.whole = tables.puts;
  }
  for (Put& put : arriving) {
    const int first = put.age / 2 * 129 + put.age % 2 * 65, from = put.age % 2 * 65;
    for (int i = 0; i < 65 - put.age % 2; ++i) put.bits[first + i] = put_bit(from + i);
    ++put.age;
  }
  if (arriving.empty() || arriving.front().age < 4) return;
  Value& value = tables.key[arriving.front().point][arriving.front().coord];
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < 160; ++i) {
      if (i % 32 == 0) value[half][i / 32] = 0;
      if (i < 129) value[half][i / 32] |= static_cast<uint32_t>(arriving.front().bits[129 * half + i]) << i % 32;
    }
  arriving.pop_front();
}

}  // namespace

// Clears everything; nothing of a job before it is left.
extern "C" void pm_tile_reset() {
  if (dut == nullptr) dut = new Vpm_edverify_tile;
  dut->start_i = dut->clear_i = dut->list_i = dut->load_valid_i = dut->point_done_i = 0;
  pm_tb::reset(*dut, 1);
}

// Abandons the jobs of the first `contexts` contexts, and waits until that has settled.
extern "C" void pm_tile_clear(int contexts) {
  dut->clear_i = static_cast<uint8_t>((1u << contexts) - 1);
  dut->eval();
  rise();
  dut->clear_i = 0;
  for (int i = 0; i < 16; ++i) {
    dut->eval();
    rise();
  }
}

// Runs jobs in order in the first `contexts` contexts. constants: halves of the external values that all share,
// loaded first; slow: cycles that a point takes until it is loaded. stop_after: cycles after which to return,
// whatever is under way. Returns how many have ended.
extern "C" int pm_tile_run(const Job* jobs, Result* results, int count, int contexts, const uint32_t* constants,
                           Tables* tables, int slow, uint64_t stop_after) {
  std::vector<Context> all(static_cast<size_t>(contexts));
  std::deque<std::pair<int, uint32_t>> lists;           // context and next entry
  std::deque<Load> loads;
  std::deque<std::pair<uint64_t, std::vector<Load>>> points;  // from this cycle on
  std::deque<Put> arriving;
  for (int ext = 0; ext < kConstants; ++ext)
    for (int half = 0; half < 2; ++half) loads.push_back({0, ext, half != 0, constants + (2 * ext + half) * 5, false});
  int next = 0, ended = 0, points_done = -1;
  int last = -1;  // context whose last load is to be stored
  bool last_ends_point = false;
  for (const uint64_t end = cycle + stop_after; ended < count && cycle < end;) {
    dut->start_i = dut->list_i = dut->point_done_i = 0;
    if (points_done >= 0) dut->point_done_i = static_cast<uint8_t>(1u << points_done);
    points_done = -1;
    if (!points.empty() && points.front().first <= cycle) {
      for (const Load& load : points.front().second) loads.push_back(load);
      points.pop_front();
    }
    for (int c = 0; c < contexts; ++c) {
      Context& context = all[static_cast<size_t>(c)];
      if (context.ended && context.listed && !context.starting && next < count) {
        context.job = next++;
        context.starting = true;
        context.loads = 1;
        for (int value = 0; value < 2; ++value)
          for (int half = 0; half < 2; ++half)
            loads.push_back({c, value ? kYr : kYa, half != 0, jobs[context.job].y[value][half], false});
      }
      if (context.starting && context.loads == 0 && dut->start_i == 0) {
        dut->start_i = static_cast<uint8_t>(1u << c);
        dut->job_i = static_cast<uint16_t>(jobs[context.job].facts);
        context.starting = context.ended = false;
        context.listed = jobs[context.job].facts >> 14 == kLoad;
        results[context.job] = {~0u, 0, cycle, 0};
        if (!context.listed) lists.emplace_back(c, 0);
      }
    }
    bool pushing = false;
    if (!lists.empty() && !(dut->start_i & (1u << lists.front().first))) {
      const Job& job = jobs[all[static_cast<size_t>(lists.front().first)].job];
      dut->list_ctx_i = static_cast<uint8_t>(lists.front().first);
      pushing = lists.front().second < job.entry_count;
      dut->list_i = pushing ? kListValid | job.entries[lists.front().second] : kListDone;
    }
    dut->load_valid_i = !loads.empty() && last < 0;
    if (dut->load_valid_i) offer(loads.front());
    dut->eval();

    const bool loaded = dut->load_valid_i && dut->load_ready_o;
    const bool stored = dut->load_stored_o;
    collect(*tables, arriving);
    if (dut->point_valid_o) {
      // tile_ask_t: ctx, neg, points, idx; of a key there is one slot.
      const int c = dut->point_o >> 12;
      const uint32_t points_of = dut->point_o >> 9 & 3, point = dut->point_o & 511;
      const bool negative = dut->point_o >> 11 & 1, of_key = points_of == kTableKey;
      const Value* of[4];  // yp, ym, t2d, z2
      for (int value = 0; value < 4; ++value)
        of[value] = of_key ? &tables->key[point & 63][value == 3 ? 3 : 2 - value]
                           : &tables->g[points_of][point][value % 3];
      if (negative) std::swap(of[0], of[1]);
      const int exts[] = {kYp, kYm, kT2d, kZ2}, count_of = of_key ? 4 : 3;
      std::vector<Load> values;
      for (int value = 0; value < count_of; ++value)
        for (int half = 0; half < 2; ++half)
          values.push_back({c, exts[value], half != 0, (*of[value])[half], value == count_of - 1 && half});
      points.emplace_back(cycle + static_cast<uint64_t>(slow), values);
      ++results[all[static_cast<size_t>(c)].job].points;
    }
    const bool finish = dut->finish_o;
    const int finished = dut->finish_ctx_o;
    const uint32_t reason = dut->reason_o;
    rise();
    if (pushing) ++lists.front().second;
    if (dut->list_i & kListDone) {
      all[static_cast<size_t>(lists.front().first)].listed = true;
      lists.pop_front();
    }
    // What follows the last load of a job or point waits until that is stored.
    if (last >= 0 && stored) {
      if (last_ends_point) points_done = last;
      else all[static_cast<size_t>(last)].loads = 0;
      last = -1;
    }
    if (loaded && ++loads.front().third == 3) {
      const Load load = loads.front();
      loads.pop_front();
      last_ends_point = load.ends_point;
      if (load.ends_point || (load.ext == kYr && load.upper)) last = load.context;
    }
    if (finish) {
      Context& context = all[static_cast<size_t>(finished)];
      results[context.job].reason = reason;
      results[context.job].finished = cycle - 1;
      context.ended = true;
      ++ended;
    }
  }
  dut->load_valid_i = dut->list_i = dut->start_i = dut->point_done_i = 0;
  return ended;
}
