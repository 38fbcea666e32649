-F ../prim/prim.f
pm_uart_pkg.sv
pm_uart_rx.sv
pm_uart_tx.sv
pm_slip_rx.sv
pm_slip_tx.sv
pm_link_rx.sv
pm_link_jobs.sv
pm_link_results.sv
pm_link_registers.sv
pm_link_tx.sv
pm_uart_bridge.sv
