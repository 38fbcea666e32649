rtl/bus/pm_ed_pkg.sv
rtl/bus/pm_ed_rx.sv
rtl/bus/pm_ed_tx.sv
