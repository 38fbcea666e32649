// SPDX-License-Identifier: Apache-2.0
// The simulated system on a chip, without its processor.
-F ../hw/mpu/mpu.f
rtl/pm_soc_uart.sv
rtl/pm_soc_system.sv
rtl/pm_soc_axi.sv
rtl/pm_soc_ram.sv
rtl/pm_soc.sv
