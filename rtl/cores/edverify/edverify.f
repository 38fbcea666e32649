-f rtl/scalar/scalar.f
-f rtl/hash/hash.f
-f rtl/bus/bus.f
-f rtl/seq/seq.f
rtl/cores/edverify/pm_edverify_ucode_pkg.sv
rtl/cores/edverify/pm_edverify_rom.sv
rtl/cores/edverify/pm_edverify_gtable.sv
rtl/cores/edverify/pm_edverify_engine.sv
rtl/cores/edverify/pm_edverify_half_ucode_pkg.sv
rtl/cores/edverify/pm_edverify_half_rom.sv
rtl/cores/edverify/pm_edverify_latency_ucode_pkg.sv
rtl/cores/edverify/pm_edverify_latency_rom.sv
rtl/cores/edverify/pm_edverify_bulk_ucode_pkg.sv
rtl/cores/edverify/pm_edverify_bulk_rom.sv
rtl/cores/edverify/pm_walk_program.sv
rtl/cores/edverify/pm_digit_values.sv
rtl/cores/edverify/pm_inverse_queue.sv
rtl/cores/edverify/pm_key_store.sv
rtl/cores/edverify/pm_kept_keys.sv
rtl/cores/edverify/pm_batch_pkg.sv
rtl/cores/edverify/pm_batch_program.sv
rtl/cores/edverify/pm_batch_values.sv
rtl/cores/edverify/pm_batch_engine.sv
rtl/cores/edverify/pm_barrel_jobs.sv
rtl/cores/edverify/pm_barrel_lists.sv
rtl/cores/edverify/pm_barrel_issue.sv
rtl/cores/edverify/pm_product_turns.sv
rtl/cores/edverify/pm_barrel_engine.sv
rtl/cores/edverify/pm_hash_arbiter.sv
rtl/cores/edverify/pm_sign_server.sv
rtl/cores/edverify/pm_result_words.sv
rtl/cores/edverify/pm_batch_multiplier.sv
rtl/cores/edverify/pm_batch_records.sv
rtl/cores/edverify/pm_batch_server.sv
rtl/cores/edverify/pm_scalar_share.sv
rtl/cores/edverify/pm_hash_share.sv
rtl/cores/edverify/pm_barrel_cluster.sv
rtl/cores/edverify/pm_barrel_pkg.sv
rtl/cores/edverify/pm_barrel_intake.sv
rtl/cores/edverify/pm_barrel_answers.sv
rtl/cores/edverify/pm_barrel_control.sv
rtl/cores/edverify/pm_barrel_core.sv
rtl/cores/edverify/pm_edverify.sv
