-F ../../common/common.f
-F ../../field/field.f
-F ../../scalar/scalar.f
-F ../../bus/bus.f
-F ../../seq/seq.f
pm_multicurve_ucode_pkg.sv
pm_multicurve_rom.sv
pm_multicurve_fast_ucode_pkg.sv
pm_multicurve_fast_rom.sv
pm_multicurve_twin_ucode_pkg.sv
pm_multicurve_twin_rom.sv
pm_mc_rom.sv
pm_mc_params.sv
pm_mc_inverter.sv
pm_mc_signed_number.sv
pm_mc_numbers.sv
pm_mc_table.sv
pm_mc_windows.sv
pm_mc_loop_counter.sv
pm_mc_engine.sv
pm_multicurve.sv
