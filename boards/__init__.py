# SPDX-License-Identifier: Apache-2.0
"""Boards: a core on a serial line, and its bitstream by open tools (docs/boards.md)."""
