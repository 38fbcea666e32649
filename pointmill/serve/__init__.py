# SPDX-License-Identifier: Apache-2.0
"""The verification service: `pointmill serve` (docs/serve.md)."""
