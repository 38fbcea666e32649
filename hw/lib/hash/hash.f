pm_sha512_pkg.sv
pm_sha512_pad.sv
pm_sha512_schedule.sv
pm_sha512_round.sv
pm_sha512_round_deep.sv
pm_sha512_round_slow.sv
pm_sha512.sv
