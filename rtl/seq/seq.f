-f rtl/field/field.f
rtl/seq/pm_ucode_pkg.sv
rtl/seq/pm_delay.sv
rtl/seq/pm_sequencer.sv
rtl/seq/pm_barrel_sequencer.sv
rtl/seq/pm_regbank.sv
rtl/seq/pm_turn_bank.sv
rtl/seq/pm_point_memory.sv
rtl/seq/pm_datapath_pkg.sv
rtl/seq/pm_operand_banks.sv
rtl/seq/pm_butterfly_datapath.sv
rtl/seq/pm_dual_ucode_pkg.sv
rtl/seq/pm_dual_sequencer.sv
rtl/seq/pm_dual_datapath.sv
