-F ../../scalar/scalar.f
-F ../../hash/hash.f
-F ../../bus/bus.f
-F ../../seq/seq.f
pm_edverify_ucode_pkg.sv
pm_edverify_rom.sv
pm_edverify_gtable.sv
pm_edverify_engine.sv
pm_edverify_half_ucode_pkg.sv
pm_edverify_half_rom.sv
pm_edverify_latency_ucode_pkg.sv
pm_edverify_latency_rom.sv
pm_edverify_bulk_ucode_pkg.sv
pm_edverify_bulk_rom.sv
pm_walk_program.sv
pm_digit_values.sv
pm_inverse_queue.sv
pm_key_store.sv
pm_kept_keys.sv
pm_batch_pkg.sv
pm_batch_program.sv
pm_batch_values.sv
pm_batch_engine.sv
pm_barrel_jobs.sv
pm_barrel_lists.sv
pm_barrel_issue.sv
pm_product_turns.sv
pm_barrel_engine.sv
pm_hash_arbiter.sv
pm_sign_server.sv
pm_result_words.sv
pm_batch_multiplier.sv
pm_batch_records.sv
pm_batch_server.sv
pm_scalar_share.sv
pm_hash_share.sv
pm_barrel_cluster.sv
pm_barrel_pkg.sv
pm_barrel_intake.sv
pm_barrel_answers.sv
pm_barrel_control.sv
pm_barrel_core.sv
pm_edverify.sv
