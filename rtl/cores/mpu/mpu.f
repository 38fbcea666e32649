-F ../../common/common.f
-F ../../field/field.f
-F ../../scalar/scalar.f
-F ../../bus/bus.f
-F ../../seq/seq.f
pm_mpu_ucode_pkg.sv
pm_mpu_rom.sv
pm_mpu_params.sv
pm_mpu_joye.sv
pm_mpu_engine.sv
pm_mpu_memory.sv
pm_mpu.sv
