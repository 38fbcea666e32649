# SPDX-License-Identifier: Apache-2.0
"""Microcode tools: assembler, scheduler, emitter and cycle-exact simulator of field programs."""
