# SPDX-License-Identifier: Apache-2.0
"""Measurements of the cores, beside the published figures: `pointmill bench`."""
