rtl/hash/pm_sha512_pkg.sv
rtl/hash/pm_sha512_pad.sv
rtl/hash/pm_sha512_schedule.sv
rtl/hash/pm_sha512_round.sv
rtl/hash/pm_sha512_round_deep.sv
rtl/hash/pm_sha512.sv
