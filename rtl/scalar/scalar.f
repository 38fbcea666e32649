-f rtl/common/common.f
rtl/scalar/pm_scalar_pkg.sv
rtl/scalar/pm_modl.sv
rtl/scalar/pm_naf_recoder.sv
rtl/scalar/pm_naf_walk.sv
rtl/scalar/pm_halfgcd.sv
rtl/scalar/pm_naf_merge.sv
rtl/scalar/pm_split_list.sv
rtl/scalar/pm_list_walk.sv
rtl/scalar/pm_batch_lists.sv
rtl/scalar/pm_secret_walk.sv
rtl/scalar/pm_part_sum.sv
rtl/scalar/pm_scalar_unit.sv
rtl/scalar/pm_digit_walk.sv
rtl/scalar/pm_comb_digits.sv
rtl/scalar/pm_window_digits.sv
rtl/scalar/pm_window_walk.sv
