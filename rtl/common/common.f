rtl/common/pm_fifo.sv
rtl/common/pm_lifo.sv
rtl/common/pm_segadd.sv
rtl/common/pm_skid.sv
rtl/common/pm_message_ring.sv
rtl/common/pm_highest.sv
