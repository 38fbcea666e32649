# SPDX-License-Identifier: Apache-2.0
"""FPGA and ASIC resources of the units by Yosys (data/units.yaml)."""
