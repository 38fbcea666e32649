rtl/field/pm_field_pkg.sv
rtl/field/pm_mul_leaf.sv
rtl/field/pm_karatsuba.sv
rtl/field/pm_fold.sv
rtl/field/pm_canon.sv
rtl/field/pm_mulmod.sv
rtl/field/pm_addsub.sv
rtl/field/pm_inverter.sv
