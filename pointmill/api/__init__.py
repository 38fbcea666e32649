# SPDX-License-Identifier: Apache-2.0
"""The Python interface: sessions, pools, keys. `import pointmill` has the names (docs/python.md)."""
