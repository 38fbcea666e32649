-F ../../common/common.f
-F ../../field/field.f
-F ../../bus/bus.f
-F ../../seq/seq.f
pm_x25519_pkg.sv
pm_x25519_paper_isa_pkg.sv
pm_x25519_paper_ucode_pkg.sv
pm_x25519_paper_rom.sv
pm_x25519_paper_engine.sv
pm_x25519_compact27_ucode_pkg.sv
pm_x25519_compact27_rom.sv
pm_x25519_compact9_ucode_pkg.sv
pm_x25519_compact9_rom.sv
pm_x25519_contexts_ucode_pkg.sv
pm_x25519_contexts_rom.sv
pm_x25519_compact_engine.sv
pm_x25519_jobs.sv
pm_x25519.sv
