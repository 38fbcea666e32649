# SPDX-License-Identifier: Apache-2.0
"""The functional device: verdicts and reasons of `edverify` by libraries for software, cycles by the records of the
core. It is not the RTL, and says so in every result line (docs/serve.md)."""
