# SPDX-License-Identifier: Apache-2.0
"""Design-space sweeps: figures of many settings of one part, on this machine or on a Ray cluster (docs/sweep.md)."""
