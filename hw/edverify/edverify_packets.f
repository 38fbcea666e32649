gen/pm_edverify_pkg.sv
rtl/pm_edverify_rx.sv
rtl/pm_edverify_tx.sv
