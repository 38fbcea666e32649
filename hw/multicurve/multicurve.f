-F multicurve_contexts.f
-F ../lib/scalar/scalar.f
-F ../lib/axi/axi.f
-F ../lib/seq/seq.f
gen/pm_multicurve_pkg.sv
rtl/pm_multicurve_rx.sv
rtl/pm_multicurve_tx.sv
gen/pm_multicurve_regs_pkg.sv
gen/pm_multicurve_regs.sv
rtl/pm_multicurve_csr.sv
gen/pm_multicurve_machine_pkg.sv
gen/pm_multicurve_paper_ucode_pkg.sv
gen/pm_multicurve_paper_rom.sv
gen/pm_multicurve_fast_ucode_pkg.sv
gen/pm_multicurve_fast_rom.sv
gen/pm_multicurve_throughput_ucode_pkg.sv
gen/pm_multicurve_throughput_rom.sv
rtl/pm_multicurve_machines_pkg.sv
rtl/pm_multicurve_types_pkg.sv
rtl/pm_multicurve_rom.sv
rtl/pm_multicurve_params.sv
rtl/pm_multicurve_inverter.sv
rtl/pm_multicurve_signed_number.sv
rtl/pm_multicurve_numbers.sv
rtl/pm_multicurve_table.sv
rtl/pm_multicurve_windows.sv
rtl/pm_multicurve_loop_counter.sv
rtl/pm_multicurve_scan.sv
rtl/pm_multicurve_results.sv
rtl/pm_multicurve_engine.sv
rtl/pm_multicurve_contexts_serial.sv
rtl/pm_multicurve_contexts_jobs_pkg.sv
rtl/pm_multicurve_contexts_intake.sv
rtl/pm_multicurve_contexts_job.sv
rtl/pm_multicurve_contexts_steps.sv
rtl/pm_multicurve_contexts_numbers.sv
rtl/pm_multicurve_contexts_answers.sv
rtl/pm_multicurve_contexts_jobs.sv
rtl/pm_multicurve.sv
