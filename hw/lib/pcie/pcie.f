-F ../prim/prim.f
pm_pcie_pkg.sv
pm_pcie_jobs.sv
pm_pcie_results.sv
pm_pcie_registers.sv
pm_pcie_bridge.sv
