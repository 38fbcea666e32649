rtl/common/pm_fifo.sv
rtl/common/pm_lifo.sv
rtl/common/pm_segadd.sv
