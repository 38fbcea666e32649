-f rtl/common/common.f
-f rtl/field/field.f
-f rtl/bus/bus.f
-f rtl/seq/seq.f
rtl/cores/x25519/pm_x25519_pkg.sv
rtl/cores/x25519/pm_x25519_paper_isa_pkg.sv
rtl/cores/x25519/pm_x25519_paper_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_paper_rom.sv
rtl/cores/x25519/pm_x25519_paper_engine.sv
rtl/cores/x25519/pm_x25519_compact27_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_compact27_rom.sv
rtl/cores/x25519/pm_x25519_compact9_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_compact9_rom.sv
rtl/cores/x25519/pm_x25519_contexts_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_contexts_rom.sv
rtl/cores/x25519/pm_x25519_compact_engine.sv
rtl/cores/x25519/pm_x25519_jobs.sv
rtl/cores/x25519/pm_x25519.sv
