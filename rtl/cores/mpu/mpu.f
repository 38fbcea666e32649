-f rtl/common/common.f
-f rtl/field/field.f
-f rtl/scalar/scalar.f
-f rtl/bus/bus.f
-f rtl/seq/seq.f
rtl/cores/mpu/pm_mpu_ucode_pkg.sv
rtl/cores/mpu/pm_mpu_rom.sv
rtl/cores/mpu/pm_mpu_params.sv
rtl/cores/mpu/pm_mpu_joye.sv
rtl/cores/mpu/pm_mpu_engine.sv
rtl/cores/mpu/pm_mpu_memory.sv
rtl/cores/mpu/pm_mpu.sv
