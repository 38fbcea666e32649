rtl/bus/pm_ed_pkg.sv
rtl/bus/pm_ed_rx.sv
rtl/bus/pm_ed_tx.sv
rtl/bus/gen/pm_edverify_regs_pkg.sv
rtl/bus/gen/pm_edverify_regs.sv
rtl/bus/pm_axil_slave.sv
rtl/bus/pm_event_counter.sv
rtl/bus/pm_ed_regs.sv
