# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG: shapes, scales, kinds of charts. Knows nothing of what is drawn."""
