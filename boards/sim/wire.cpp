// SPDX-License-Identifier: Apache-2.0
//
// wire.cpp: a verilated design with a serial line, on a pseudo-terminal, for the driver to open.
//
// Compiled with the names of the design: PM_TOP, its ports PM_CLOCK, PM_RX (to the design) and PM_TX, and PM_RESET
// with its active level PM_RESET_LEVEL. The first line of output is the path of the pseudo-terminal. It runs until its
// parent ends or a signal comes, and then prints its counts, one line of JSON.
//
// Options: divider=<clock cycles of a bit>, seed=<n>; initial=zero|one|random, what registers and memories without
// reset hold at first; faults in both directions, in parts of a million bytes: lose, double, damage, cut (no stop bit,
// towards the design), delay (by up to 64 bytes' time).

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>

#define PM_TEXT_OF(name) #name
#define PM_TEXT(name) PM_TEXT_OF(name)
#define PM_CLASS_OF(top) V##top
#define PM_CLASS(top) PM_CLASS_OF(top)
#define PM_HEADER_OF(top) PM_TEXT_OF(V##top.h)
#define PM_HEADER(top) PM_HEADER_OF(top)
#include PM_HEADER(PM_TOP)
#include "verilated.h"

namespace {

constexpr int kBits = 10;               // of a byte on the line
constexpr int kResetCycles = 20;
constexpr int kSlice = 64;              // cycles between looks at the pseudo-terminal
constexpr std::size_t kQueue = 256;     // bytes taken from it ahead of the line
constexpr long long kIdleCycles = 400000;  // without a byte, until the simulation rests between looks
constexpr std::uint64_t kMillion = 1000000;
constexpr unsigned kDelayBytes = 64;

volatile sig_atomic_t stop = 0;

void Stop(int) { stop = 1; }

struct Rates {
  std::uint64_t lose = 0, double_ = 0, damage = 0, cut = 0, delay = 0;
};

struct Counts {
  std::uint64_t bytes = 0, lost = 0, doubled = 0, damaged = 0, cut = 0, delayed = 0;

  std::string Json() const {
    char text[256];
    std::snprintf(text, sizeof text,
                  R"({"bytes": %llu, "lost": %llu, "doubled": %llu, "damaged": %llu, "cut": %llu, "delayed": %llu})",
                  static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(lost),
                  static_cast<unsigned long long>(doubled), static_cast<unsigned long long>(damaged),
                  static_cast<unsigned long long>(cut), static_cast<unsigned long long>(delayed));
    return text;
  }
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}

  std::uint64_t Below(std::uint64_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ >> 16) % limit;
  }

 private:
  std::uint64_t state_;
};

// What the line does to bytes.
struct Symbol {
  std::uint8_t byte;
  bool stop;
  unsigned pause;  // bits of idle line before it
};

class Disturbed {
 public:
  Disturbed(const Rates& rates, bool to_design, Random& random)
      : rates_(rates), to_design_(to_design), random_(random) {}

  void Pass(std::uint8_t byte, std::deque<Symbol>& out) {
    counts.bytes++;
    Symbol symbol = {byte, true, 0};
    if (Hit(rates_.lose)) {
      counts.lost++;
      return;
    }
    if (Hit(rates_.damage)) {
      counts.damaged++;
      symbol.byte ^= static_cast<std::uint8_t>(1u << random_.Below(8));
    }
    if (to_design_ && Hit(rates_.cut)) {
      counts.cut++;
      symbol.stop = false;
    }
    if (Hit(rates_.delay)) {
      counts.delayed++;
      symbol.pause = static_cast<unsigned>(random_.Below(kDelayBytes * kBits));
    }
    out.push_back(symbol);
    if (Hit(rates_.double_)) {
      counts.doubled++;
      out.push_back({symbol.byte, true, 0});
    }
  }

  Counts counts;

 private:
  bool Hit(std::uint64_t rate) { return rate != 0 && random_.Below(kMillion) < rate; }

  Rates rates_;
  bool to_design_;
  Random& random_;
};

// Drives a line bit by bit.
class Sender {
 public:
  explicit Sender(int divider) : divider_(divider) {}

  bool Cycle(std::deque<Symbol>& queue) {
    if (left_ == 0) {
      if (queue.empty()) {
        return true;
      }
      const Symbol& symbol = queue.front();
      bits_ = (symbol.stop ? 1u << (kBits - 1) : 0) | static_cast<unsigned>(symbol.byte) << 1;
      pause_ = static_cast<long long>(symbol.pause) * divider_;
      left_ = kBits * divider_;
      queue.pop_front();
    }
    if (pause_ != 0) {
      pause_--;
      return true;
    }
    int at = kBits - (left_ + divider_ - 1) / divider_;
    left_--;
    return bits_ >> at & 1;
  }

 private:
  int divider_;
  int left_ = 0;
  long long pause_ = 0;
  unsigned bits_ = 0;
};

// Reads a line in the middle of its bits.
class Receiver {
 public:
  explicit Receiver(int divider) : divider_(divider) {}

  // True when a byte is complete.
  bool Cycle(bool line, std::uint8_t* byte) {
    if (!active_) {
      if (!line) {
        active_ = true;
        count_ = 0;
        bits_ = 0;
      }
      return false;
    }
    count_++;
    if (count_ % divider_ != divider_ / 2) {
      return false;
    }
    int at = count_ / divider_;
    bits_ |= static_cast<unsigned>(line) << at;
    if (at != kBits - 1) {
      return false;
    }
    active_ = false;
    *byte = static_cast<std::uint8_t>(bits_ >> 1);
    return line;
  }

 private:
  int divider_;
  bool active_ = false;
  int count_ = 0;
  unsigned bits_ = 0;
};

int OpenTerminal(std::string* path) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    std::perror("pseudo-terminal");
    return -1;
  }
  *path = ptsname(master);
  int slave = open(path->c_str(), O_RDWR | O_NOCTTY);  // stays open, so that drivers may come and go
  termios settings;
  if (slave < 0 || tcgetattr(slave, &settings) != 0) {
    std::perror("pseudo-terminal");
    return -1;
  }
  cfmakeraw(&settings);
  tcsetattr(slave, TCSANOW, &settings);
  return master;
}

std::map<std::string, std::string> Options(int argc, char** argv) {
  std::map<std::string, std::string> options = {
      {"divider", "4"}, {"seed", "1"},   {"initial", "zero"}, {"lose", "0"},
      {"double", "0"},  {"damage", "0"}, {"cut", "0"},        {"delay", "0"}};
  for (int i = 1; i < argc; i++) {
    std::string word = argv[i];
    std::size_t at = word.find('=');
    if (at == std::string::npos || options.count(word.substr(0, at)) == 0) {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      std::exit(2);
    }
    options[word.substr(0, at)] = word.substr(at + 1);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = Options(argc, argv);
  auto number = [&](const char* key) { return std::strtoull(options[key].c_str(), nullptr, 10); };
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGTERM, Stop);
  signal(SIGINT, Stop);
  signal(SIGPIPE, SIG_IGN);

  std::string path;
  int terminal = OpenTerminal(&path);
  if (terminal < 0) {
    return 1;
  }

  VerilatedContext context;
  context.randReset(options["initial"] == "random" ? 2 : options["initial"] == "one" ? 1 : 0);
  context.randSeed(static_cast<int>(number("seed")));
  context.assertOn(false);  // before the reset nothing holds
  auto core = std::make_unique<PM_CLASS(PM_TOP)>(&context);
  int divider = static_cast<int>(number("divider"));
  Random random(number("seed"));
  Rates rates = {number("lose"), number("double"), number("damage"), number("cut"), number("delay")};
  Disturbed inward(rates, true, random), outward(rates, false, random);
  std::deque<Symbol> to_design, from_design;
  Sender sender(divider);
  Receiver receiver(divider);
  std::uint64_t cycles = 0;
  long long idle = 0, ripe = 0;

  core->PM_RX = 1;
  while (!stop) {
    core->PM_RESET = (cycles < kResetCycles) == (PM_RESET_LEVEL != 0);
    core->PM_RX = sender.Cycle(to_design);
    core->PM_CLOCK = 0;
    core->eval();
    core->PM_CLOCK = 1;
    core->eval();
    cycles++;
    idle++;
    std::uint8_t byte = 0;
    if (cycles > kResetCycles && receiver.Cycle(core->PM_TX, &byte)) {
      outward.Pass(byte, from_design);
      idle = 0;
    }
    if (cycles == kResetCycles + 1) {
      context.assertOn(true);
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);
    }
    if (cycles % kSlice != 0) {
      continue;
    }
    if (idle > kIdleCycles) {
      struct pollfd wait = {terminal, POLLIN, 0};
      (void)poll(&wait, 1, 5);
    }
    std::uint8_t bytes[kQueue];
    if (to_design.size() < kQueue) {
      ssize_t n = read(terminal, bytes, sizeof bytes);
      for (ssize_t i = 0; i < n; i++) {
        inward.Pass(bytes[i], to_design);
        idle = 0;
      }
    }
    while (!from_design.empty()) {
      Symbol& symbol = from_design.front();
      if (symbol.pause != 0) {
        ripe = static_cast<long long>(cycles) + static_cast<long long>(symbol.pause) * divider;
        symbol.pause = 0;
      }
      if (ripe > static_cast<long long>(cycles) || write(terminal, &symbol.byte, 1) != 1) {
        break;
      }
      from_design.pop_front();
    }
  }
  core->final();
  std::printf("{\"cycles\": %llu, \"to_design\": %s, \"from_design\": %s}\n",
              static_cast<unsigned long long>(cycles), inward.counts.Json().c_str(), outward.counts.Json().c_str());
  return 0;
}
