-f rtl/common/common.f
-f rtl/field/field.f
-f rtl/seq/seq.f
rtl/cores/x25519/pm_x25519_pkg.sv
rtl/cores/x25519/pm_x25519_compact27_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_compact27_rom.sv
rtl/cores/x25519/pm_x25519_compact9_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_compact9_rom.sv
rtl/cores/x25519/pm_x25519_contexts_ucode_pkg.sv
rtl/cores/x25519/pm_x25519_contexts_rom.sv
rtl/cores/x25519/pm_x25519_compact_engine.sv
