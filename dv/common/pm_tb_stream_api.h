// SPDX-License-Identifier: Apache-2.0
//
// The C functions of a bench's core with streams. Included at the end of a file that defines Core, a
// pm_tb::StreamCore, and its Result (pm_tb_stream.h).

extern "C" {

Core* pm_core_new() { return new Core; }
void pm_core_delete(Core* core) { delete core; }
void pm_core_reset(Core* core, unsigned cycles) { core->Reset(cycles); }
void pm_core_pace(Core* core, uint64_t seed, unsigned idle, unsigned stall) { core->Pace(seed, idle, stall); }
void pm_core_push(Core* core, const uint8_t* beats, size_t count) { core->Push(beats, count); }
uint64_t pm_core_run(Core* core, uint64_t cycles, size_t results) { return core->Run(cycles, results); }
size_t pm_core_take(Core* core, Result* out, size_t most) { return core->Take(out, most); }
int pm_core_write(Core* core, uint8_t address, uint32_t data) { return core->Write(address, data); }
int pm_core_read(Core* core, uint8_t address, uint32_t* data) { return core->Read(address, data); }
int pm_core_irq(const Core* core) { return core->irq(); }
uint64_t pm_core_cycle(const Core* core) { return core->cycle(); }
uint64_t pm_core_accepted(const Core* core) { return core->accepted(); }
uint32_t pm_core_violations(const Core* core) { return core->violations(); }

}  // extern "C"
