# SPDX-License-Identifier: Apache-2.0
"""Faults: bits of registers and memories that flip in the verilated cores, and what becomes of their results."""
