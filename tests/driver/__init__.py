# SPDX-License-Identifier: Apache-2.0
"""Fake back-end and C unit test of the driver."""
