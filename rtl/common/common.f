rtl/common/pm_lifo.sv
