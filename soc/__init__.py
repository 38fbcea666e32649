# SPDX-License-Identifier: Apache-2.0
"""The simulated system on a chip: build, run, and the programs that run on it (docs/mpu-soc.md)."""
