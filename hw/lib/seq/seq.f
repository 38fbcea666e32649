-F ../field/field.f
pm_ucode_pkg.sv
pm_delay.sv
pm_sequencer.sv
pm_barrel_sequencer.sv
pm_regbank.sv
pm_turn_bank.sv
pm_point_memory.sv
pm_datapath_pkg.sv
pm_operand_banks.sv
pm_butterfly_datapath.sv
pm_dual_ucode_pkg.sv
pm_dual_sequencer.sv
pm_dual_datapath.sv
