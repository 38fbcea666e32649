# SPDX-License-Identifier: Apache-2.0
"""Generators of the rule package and of the registers: checked-in files, errors, C headers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from pointmill.gen import mpu, multicurve, registers, rules

OUTPUTS = {**rules.outputs(), **multicurve.outputs(), **mpu.outputs(), **registers.outputs()}


def test_number_of_files() -> None:
    assert len(OUTPUTS) == 2 + 2 + 2 + 4 * 4


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: path.name)
def test_checked_in_file_is_what_the_generator_makes(path: Path) -> None:
    assert path.read_text() == OUTPUTS[path]
    assert "Do not edit." in OUTPUTS[path].splitlines()[0]


@pytest.mark.parametrize(("change", "said"), [
    (lambda d: d["rules"]["zip215"].update(id=1), "rule number occurs twice"),
    (lambda d: d["reasons"].update(aborted=7), "reason number occurs twice"),
    (lambda d: d["operations"]["sign"].update(opcode=1), "opcode number occurs twice"),
    (lambda d: d["rules"]["zip215"].update(id=0), "0 is illegal"),
    (lambda d: d["reasons"].update(aborted=256), "not a byte"),
    (lambda d: d["rules"]["zip215"].update(flags=["lenient"]), "unknown flags"),
    (lambda d: d["operations"]["sign"].update(flags=["public"]), "unknown flags"),
    (lambda d: d["operations"]["sign"].update(operands=list("abcd")), "1 to 3 operands"),
])
def test_bad_data_is_refused(tmp_path: Path, change, said: str) -> None:
    data = yaml.safe_load(rules.SOURCE.read_text())
    change(data)
    file = tmp_path / "edverify.yaml"
    file.write_text(yaml.safe_dump(data))
    with pytest.raises(ValueError, match=said):
        rules.load(file)


def test_c_headers(tmp_path: Path) -> None:
    """They compile as C and C++ without warning, and agree with their sources."""
    checks = [f"PM_EDVERIFY_REGS__{reg.inst_name}_offset == {reg.address_offset}"
              for reg in registers.compile_rdl().registers()]
    checks += [f"offsetof(pm_edverify_regs_t, {reg.inst_name}) == {reg.address_offset}"
               for reg in registers.compile_rdl().registers()]
    data = rules.load()
    checks += [f"PM_RULE_{name.upper()} == {rule['id']}" for name, rule in data["rules"].items()]
    checks += [f"PM_REASON_{name.upper()} == {value}" for name, value in data["reasons"].items()]
    checks += [f"PM_OP_{name.upper()} == {entry['opcode']}"
               for name, entry in data["operations"].items()]
    checks.append("PM_HEADER_BEATS + PM_MAX_OPERANDS * PM_OPERAND_BEATS == 13")
    checks.append("PM_RESULT_BEATS + PM_MAX_PAYLOAD * PM_OPERAND_BEATS == 14")
    assert len(checks) == 2 * 25 + 6 + 12 + 7 + 2
    source = tmp_path / "check.c"
    source.write_text('#include <stddef.h>\n#include "pm_edverify_regs.h"\n#include "pm_rules.h"\n'
                      "#define NAME(number, name) name,\n"
                      "const char *const rules[] = {PM_RULE_NAMES(NAME)};\n"
                      "const char *const reasons[] = {PM_REASON_NAMES(NAME)};\n"
                      "#define LENGTH(code, name, operands, payload, rule, message, secret, slot, batch) \\\n"
                      "  (operands) * PM_OPERAND_BEATS + (payload) + (rule) + (message) + (secret) + "
                      "(slot) + (batch),\n"
                      "const int lengths[] = {PM_OPERATIONS(LENGTH)};\n"
                      + "".join(f'static_assert({check}, "");\n' for check in checks))
    for language in ("c", "c++"):
        subprocess.run(["gcc", "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                        "-I", registers.header_path("edverify").parent, source], check=True)
