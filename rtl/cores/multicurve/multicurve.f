-f rtl/common/common.f
-f rtl/field/field.f
-f rtl/scalar/scalar.f
-f rtl/bus/bus.f
-f rtl/seq/seq.f
rtl/cores/multicurve/pm_multicurve_ucode_pkg.sv
rtl/cores/multicurve/pm_multicurve_rom.sv
rtl/cores/multicurve/pm_multicurve_fast_ucode_pkg.sv
rtl/cores/multicurve/pm_multicurve_fast_rom.sv
rtl/cores/multicurve/pm_multicurve_twin_ucode_pkg.sv
rtl/cores/multicurve/pm_multicurve_twin_rom.sv
rtl/cores/multicurve/pm_mc_rom.sv
rtl/cores/multicurve/pm_mc_params.sv
rtl/cores/multicurve/pm_mc_inverter.sv
rtl/cores/multicurve/pm_mc_signed_number.sv
rtl/cores/multicurve/pm_mc_numbers.sv
rtl/cores/multicurve/pm_mc_table.sv
rtl/cores/multicurve/pm_mc_windows.sv
rtl/cores/multicurve/pm_mc_loop_counter.sv
rtl/cores/multicurve/pm_mc_engine.sv
rtl/cores/multicurve/pm_multicurve.sv
