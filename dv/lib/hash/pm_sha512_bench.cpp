// SPDX-License-Identifier: Apache-2.0
//
// Drives the verilated pm_sha512 with messages from a file and compares every digest.
//
// usage: pm_sha512_sim FILE gapless|random SEED PERIOD
// FILE: records of a 32-bit little-endian length, the message, its 64-byte digest.
// gapless: valid_i and ready_i always high; every accepted beat and every digest must come in
//          exactly the documented cycle. random: idle cycles, back-pressure, and every eighth
//          message is first sent in part and then abandoned by clear_i.
// PERIOD: cycles of a block, 80, 84 or, with two cycles a round, 176.
// Prints one line "messages M blocks B cleared C cycles N" and returns 0 if nothing was wrong.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "Vpm_sha512.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

Vpm_sha512* dut;
uint64_t cycle = 0;
std::mt19937_64 rng;

void tick() {
    pm_tb::tick(*dut);
    ++cycle;
}

[[noreturn]] void fail(const std::string& what, size_t length) {
    std::fprintf(stderr, "length %zu, cycle %llu: %s\n", length,
                 static_cast<unsigned long long>(cycle), what.c_str());
    std::exit(1);
}

uint64_t period = 80;  // cycles of a block

// Cycle in which a word of the padded message leaves the padding: the first one of a block when the
// schedule is free, the others when its rounds begin.
uint64_t taken(uint64_t word) {
    const uint64_t block = word / 16, place = word % 16;
    if (period == 176) {  // two places ahead of the rounds
        if (place >= 2) return period * block + 2 * place - 1;
        return block == 0 ? place + 1 : period * block + 2 * place - 17;
    }
    return period * block + place + 1 - (place == 0 && block > 0 ? period - 80 : 0);
}

bool chance(bool random) { return !random || (rng() & 3) != 0; }

// Offers beats until `limit` of them are taken; in gapless mode checks the cycle of each.
void send(const std::vector<uint8_t>& message, size_t limit, bool random) {
    const size_t length = message.size();
    const size_t beats = length == 0 ? 1 : (length + 7) / 8;
    uint64_t first = 0;
    for (size_t i = 0; i < beats && i < limit;) {
        const bool last = i + 1 == beats;
        const size_t bytes = last ? length - 8 * i : 8;
        dut->valid_i = chance(random);
        dut->last_i = last;
        // keep_i means nothing on other beats, bytes outside it mean nothing on the last one
        dut->keep_i = last ? (1u << bytes) - 1 : rng();
        uint64_t data = rng();
        std::memcpy(&data, message.data() + 8 * i, bytes);
        dut->data_i = data;
        dut->eval();
        if (dut->valid_i && dut->ready_o) {
            if (i == 0) first = cycle;
            const uint64_t due = i == 0 ? 0 : taken(i - 1);
            if (!random && cycle - first != due) {
                fail("beat " + std::to_string(i) + " taken in cycle " +
                     std::to_string(cycle - first) + ", due in " + std::to_string(due), length);
            }
            ++i;
        }
        tick();
    }
    dut->valid_i = 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const bool random = std::string(argv[2]) == "random";
    rng.seed(std::strtoull(argv[3], nullptr, 0));
    period = std::strtoull(argv[4], nullptr, 0);
    std::FILE* file = std::fopen(argv[1], "rb");
    if (file == nullptr) return 2;
    dut = new Vpm_sha512;
    pm_tb::reset(*dut, 1);
    cycle = 1;
    tick();

    uint64_t messages = 0, blocks = 0, cleared = 0;
    uint32_t length;
    while (std::fread(&length, sizeof length, 1, file) == 1) {
        std::vector<uint8_t> message(length);
        uint8_t digest[64];
        if (length != 0 && std::fread(message.data(), length, 1, file) != 1) return 2;
        if (std::fread(digest, sizeof digest, 1, file) != 1) return 2;
        dut->ready_i = 0;

        if (random && messages % 8 == 7) {
            const size_t beats = (message.size() + 7) / 8;
            send(message, rng() % (beats + 1), true);
            for (uint64_t wait = rng() % 200; wait != 0; --wait) tick();
            dut->clear_i = 1;
            dut->valid_i = 1;
            dut->eval();
            if (dut->ready_o) fail("a beat is taken while clear_i is high", length);
            tick();
            dut->clear_i = 0;
            dut->valid_i = 0;
            dut->eval();
            if (dut->valid_o) fail("a digest survived clear_i", length);
            ++cleared;
        }

        const uint64_t n = (message.size() + 17 + 127) / 128;
        const uint64_t beats = message.empty() ? 1 : (message.size() + 7) / 8;
        const uint64_t sent = beats == 1 ? 0 : taken(beats - 2);
        const uint64_t start = cycle;
        send(message, SIZE_MAX, random);
        if (!random && cycle - start != sent + 1) fail("sending was not gapless", length);
        const uint64_t give_up = cycle + 1000;
        while (!dut->valid_o) {
            if (cycle == give_up) fail("no digest", length);
            tick();
        }
        if (!random && cycle - start != period * n + (period == 84 ? 2 : 3)) {
            fail("digest in cycle " + std::to_string(cycle - start), length);
        }
        for (uint64_t hold = random ? rng() % 5 : 0; hold != 0; --hold) tick();
        if (!dut->valid_o) fail("the digest did not hold", length);
        for (int i = 0; i < 64; ++i) {
            if (static_cast<uint8_t>(dut->digest_o[i / 4] >> (8 * (i % 4))) != digest[i]) {
                fail("wrong digest byte " + std::to_string(i), length);
            }
        }
        dut->ready_i = 1;
        tick();
        if (dut->valid_o) fail("the digest was offered twice", length);
        ++messages;
        blocks += n;
    }
    std::printf("messages %llu blocks %llu cleared %llu cycles %llu\n",
                static_cast<unsigned long long>(messages), static_cast<unsigned long long>(blocks),
                static_cast<unsigned long long>(cleared), static_cast<unsigned long long>(cycle));
    dut->final();
    delete dut;
    return 0;
}
