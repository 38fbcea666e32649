# SPDX-License-Identifier: Apache-2.0
"""The core `mpu` in systems of LiteX, and a simulated one (docs/mpu-soc.md)."""
