# SPDX-License-Identifier: Apache-2.0
"""Golden model of Ed25519 verification in plain Python integers.

It shares no code with the hardware generators, the drivers or the simulators. Everything in it
uses the standard library alone; `ed25519` also asks `pointmill.rules` for the rule flags.
Nothing here is constant time: keys made with it are for tests.
"""
