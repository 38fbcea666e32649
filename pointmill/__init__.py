# SPDX-License-Identifier: Apache-2.0
"""Pointmill: elliptic-curve cores in SystemVerilog, their model, builds and driver."""

__version__ = "0.1.0"
