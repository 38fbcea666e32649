# SPDX-License-Identifier: Apache-2.0
"""The commands of the `pointmill` command line, one module for each group."""
