# SPDX-License-Identifier: Apache-2.0
"""Boards: bitstreams by open tools, and their netlists in simulation (docs/boards.md)."""
