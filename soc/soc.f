// SPDX-License-Identifier: Apache-2.0
// The simulated system on a chip, without its processor.
-f rtl/cores/mpu/mpu.f
soc/rtl/pm_soc_uart.sv
soc/rtl/pm_soc_system.sv
soc/rtl/pm_soc_axi.sv
soc/rtl/pm_soc_ram.sv
soc/rtl/pm_soc.sv
