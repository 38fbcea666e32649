# SPDX-License-Identifier: Apache-2.0
"""Measurements, their committed records, and whether those still hold (docs/evidence.md)."""
