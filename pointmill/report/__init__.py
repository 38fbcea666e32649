# SPDX-License-Identifier: Apache-2.0
"""The report: a page of tables and figures made of the committed records (docs/evidence.md)."""
