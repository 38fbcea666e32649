# SPDX-License-Identifier: Apache-2.0
"""Known answers for tests and benches: readers of published sets, and makers of hostile signatures."""
