-F ../lib/prim/prim.f
-F ../lib/field/field.f
-F ../lib/scalar/scalar.f
-F ../lib/axi/axi.f
-F ../lib/seq/seq.f
gen/pm_mpu_pkg.sv
rtl/pm_mpu_types_pkg.sv
gen/pm_mpu_regs_pkg.sv
gen/pm_mpu_regs.sv
rtl/pm_mpu_csr.sv
rtl/pm_mpu_control.sv
gen/pm_mpu_full_ucode_pkg.sv
gen/pm_mpu_full_rom.sv
rtl/pm_mpu_sequencer.sv
rtl/pm_mpu_datapath_pkg.sv
rtl/pm_mpu_operations.sv
rtl/pm_mpu_datapath.sv
rtl/pm_mpu_params.sv
rtl/pm_mpu_refusal.sv
rtl/pm_mpu_inverter.sv
rtl/pm_mpu_joye.sv
rtl/pm_mpu_scan.sv
rtl/pm_mpu_operands.sv
rtl/pm_mpu_engine.sv
rtl/pm_mpu_memory.sv
rtl/pm_mpu.sv
