rtl/cores/multicurve/pm_mc_ucode_pkg.sv
rtl/cores/multicurve/pm_multicurve_ucode_pkg.sv
rtl/cores/multicurve/pm_multicurve_rom.sv
