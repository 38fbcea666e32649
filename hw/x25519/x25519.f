-F ../lib/prim/prim.f
-F ../lib/field/field.f
-F ../lib/axi/axi.f
-F ../lib/seq/seq.f
-F ../edverify/edverify_packets.f
gen/pm_x25519_regs_pkg.sv
gen/pm_x25519_regs.sv
rtl/pm_x25519_csr.sv
rtl/pm_x25519_pkg.sv
gen/pm_x25519_paper_isa_pkg.sv
gen/pm_x25519_paper_ucode_pkg.sv
gen/pm_x25519_paper_rom.sv
gen/pm_x25519_randomised_ucode_pkg.sv
gen/pm_x25519_randomised_rom.sv
rtl/pm_x25519_paper_engine.sv
rtl/pm_x25519_randomised.sv
gen/pm_x25519_tile_ucode_pkg.sv
gen/pm_x25519_tile_rom.sv
rtl/pm_x25519_tile_pkg.sv
rtl/pm_x25519_tile_digits.sv
rtl/pm_x25519_tile_result.sv
rtl/pm_x25519_tile_inverse.sv
rtl/pm_x25519_tile_store.sv
rtl/pm_x25519_tile.sv
rtl/pm_x25519_jobs.sv
rtl/pm_x25519.sv
