pm_fifo.sv
pm_lifo.sv
pm_segadd.sv
pm_skid.sv
pm_message_ring.sv
pm_highest.sv
pm_reset_sync.sv
pm_seed_check.sv
