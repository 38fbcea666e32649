# SPDX-License-Identifier: Apache-2.0
"""How many wrong designs the tests find: small changes of hand-written sources, each run against tests
(docs/mutation.md)."""
