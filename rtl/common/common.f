rtl/common/pm_fifo.sv
rtl/common/pm_lifo.sv
