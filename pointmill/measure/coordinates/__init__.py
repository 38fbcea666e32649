# SPDX-License-Identifier: Apache-2.0
"""What random projective coordinates change of the toggles of an X25519 engine (docs/leakage.md)."""
