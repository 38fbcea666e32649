# SPDX-License-Identifier: Apache-2.0
"""Work on many machines with Ray (docs/serve.md): `pointmill fleet`, tasks of sweeps."""
