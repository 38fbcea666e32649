# SPDX-License-Identifier: Apache-2.0
"""The queue of the OpenSSL provider on devices that only write down what they get (tests/provider/pool_test.c)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pointmill import library, simbuild


@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_order_threads_and_children(tmp_path: Path, sanitizer: str) -> None:
    program = tmp_path / "pool_test"
    simbuild.run_tool([library.compiler(), "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-D_DEFAULT_SOURCE",
                       f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all", f"-I{library.INCLUDE}",
                       library.SW.parent / "tests" / "provider" / "pool_test.c", library.SW / "provider" / "pool.c",
                       "-o", program, "-lcrypto", "-lpthread"])
    done = subprocess.run([program], text=True, check=False, capture_output=True, timeout=300)
    assert done.returncode == 0 and done.stdout == "0 failures\n", done.stdout[-3000:] + done.stderr[-3000:]
