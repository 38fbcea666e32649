-F ../lib/scalar/scalar.f
-F ../lib/scalar/scalar_serial.f
-F ../lib/hash/hash.f
-F ../lib/axi/axi.f
-F ../lib/seq/seq.f
-F edverify_packets.f
gen/pm_edverify_regs_pkg.sv
gen/pm_edverify_regs.sv
rtl/pm_edverify_csr.sv
gen/pm_edverify_paper_ucode_pkg.sv
gen/pm_edverify_paper_rom.sv
gen/pm_edverify_hardened_ucode_pkg.sv
gen/pm_edverify_hardened_rom.sv
gen/pm_edverify_gtable.sv
rtl/pm_edverify_lockstep_pkg.sv
rtl/pm_edverify_paper_control.sv
rtl/pm_edverify_paper_engine.sv
rtl/pm_edverify_lane.sv
rtl/pm_edverify_lockstep.sv
gen/pm_edverify_throughput_ucode_pkg.sv
gen/pm_edverify_throughput_rom.sv
gen/pm_edverify_latency_ucode_pkg.sv
gen/pm_edverify_latency_rom.sv
gen/pm_edverify_bulk_ucode_pkg.sv
gen/pm_edverify_bulk_rom.sv
gen/pm_edverify_tile_ucode_pkg.sv
gen/pm_edverify_tile_rom.sv
rtl/pm_edverify_walk_program.sv
rtl/pm_edverify_digit_values.sv
rtl/pm_edverify_inverse_queue.sv
rtl/pm_edverify_key_store.sv
rtl/pm_edverify_cached_keys.sv
rtl/pm_edverify_batch_pkg.sv
rtl/pm_edverify_barrel_pkg.sv
rtl/pm_edverify_batch_program.sv
rtl/pm_edverify_batch_values.sv
rtl/pm_edverify_batch_engine.sv
rtl/pm_edverify_barrel_jobs.sv
rtl/pm_edverify_barrel_lists.sv
rtl/pm_edverify_barrel_issue.sv
rtl/pm_edverify_product_turns.sv
rtl/pm_edverify_barrel_engine.sv
rtl/pm_edverify_tile_pkg.sv
rtl/pm_edverify_tile_jobs.sv
rtl/pm_edverify_tile.sv
rtl/pm_edverify_tile_node.sv
rtl/pm_edverify_tile_facts.sv
rtl/pm_edverify_tiles_loader.sv
rtl/pm_edverify_tiles_intake.sv
rtl/pm_edverify_tiles_answers.sv
rtl/pm_edverify_tiles_core.sv
rtl/pm_edverify_hash_arbiter.sv
rtl/pm_edverify_sign_server.sv
rtl/pm_edverify_result_words.sv
rtl/pm_edverify_batch_multiplier.sv
rtl/pm_edverify_batch_records.sv
rtl/pm_edverify_batch_server.sv
rtl/pm_edverify_batch_contexts.sv
rtl/pm_edverify_scalar_clients.sv
rtl/pm_edverify_hash_share.sv
rtl/pm_edverify_barrel_intake.sv
rtl/pm_edverify_barrel_answers.sv
rtl/pm_edverify_barrel_contexts.sv
rtl/pm_edverify_sign_order.sv
rtl/pm_edverify_barrel_control.sv
rtl/pm_edverify_barrel_core.sv
rtl/pm_edverify.sv
