-f rtl/common/common.f
-f rtl/field/field.f
-f rtl/bus/bus.f
rtl/cores/x25519/pm_x25519_pkg.sv
rtl/cores/x25519/pm_x25519_jobs.sv
rtl/cores/x25519/pm_x25519.sv
