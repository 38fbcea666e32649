-F ../prim/prim.f
pm_job_control.sv
pm_axil_slave.sv
pm_register_port.sv
pm_event_counter.sv
pm_core_counters.sv
pm_cell_counters.sv
pm_axi_memory_slave.sv
pm_axi_dma.sv
