-F ../prim/prim.f
pm_scalar_pkg.sv
pm_modl.sv
pm_naf_recoder.sv
pm_naf_walk.sv
pm_halfgcd.sv
pm_naf_merge.sv
pm_split_list.sv
pm_list_walk.sv
pm_batch_lists.sv
pm_secret_walk.sv
pm_part_sum.sv
pm_scalar_unit.sv
pm_digit_walk.sv
pm_comb_digits.sv
pm_window_digits.sv
pm_window_walk.sv
