-F ../lib/prim/prim.f
-F ../lib/field/field.f
gen/pm_multicurve_contexts_isa_pkg.sv
gen/pm_multicurve_contexts_ucode_pkg.sv
gen/pm_multicurve_contexts_rom.sv
rtl/pm_multicurve_contexts_pkg.sv
rtl/pm_multicurve_contexts_scan.sv
rtl/pm_multicurve_contexts_control.sv
rtl/pm_multicurve_contexts.sv
