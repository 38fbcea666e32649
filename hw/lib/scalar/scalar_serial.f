-F scalar.f
-F ../field/field.f
pm_modl_serial.sv
pm_halfgcd_serial.sv
pm_naf_serial.sv
pm_scalar_serial.sv
pm_split_serial.sv
pm_scalar_secret.sv
