# SPDX-License-Identifier: Apache-2.0
"""Generated files: `python -m pointmill.gen` writes all of them, `text` has what their generators share."""
