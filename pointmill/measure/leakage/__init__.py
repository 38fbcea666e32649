# SPDX-License-Identifier: Apache-2.0
"""What the power of a core may tell of a secret: toggles of its registers, fixed secrets against random ones
(docs/leakage.md)."""
