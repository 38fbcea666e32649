# SPDX-License-Identifier: Apache-2.0
"""Packed structs: the order of their fields, and what is no value of one."""

from __future__ import annotations

import pytest

from dv.common.packed import Struct

PAIR = Struct(flag=1, number=8)


def test_first_field_is_highest() -> None:
    assert PAIR.pack(flag=1, number=0x5A) == 0x15A
    assert PAIR.pack(number=3) == 3
    assert vars(PAIR.unpack(0x15A)) == {"flag": 1, "number": 0x5A}


def test_refused() -> None:
    with pytest.raises(ValueError, match="flag has 1 bits"):
        PAIR.pack(flag=2)
    with pytest.raises(TypeError, match="no field other"):
        PAIR.pack(other=1)
