# SPDX-License-Identifier: Apache-2.0
"""The documents: the words of the field, commands that run, figures in tables alone, links that lead somewhere."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import words
from pointmill import cli
from pointmill.simbuild import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

RUN = {"pointmill schedule", "pointmill sweep --list"}
"""Commands that the test itself runs: the beginnings of their words."""

TOOLS = ("make", "pointmill", "cargo", "cc", "cmake")
"""Programs whose commands are looked at."""

COVERED = {
    "cargo run": "test_rust.py::test_the_example",
    "cc examples/c/verify.c": "test_c_package.py::test_a_program_by_pkg_config",
    "cmake": "test_c_package.py::test_a_program_by_cmake",
    "make bench": "test_bench.py::test_section_of_multicurve",
    "make check-gen": "test_gen_bus.py::test_checked_in_file_is_what_the_generator_makes",
    "make demo": "test_cli_core.py::test_small_demo_on_the_core",
    "make formal": "test_formal.py::test_proof_holds",
    "make equivalence": "test_netlists.py::test_netlist_does_what_the_rtl_does",
    "make install": "test_c_package.py::test_a_staged_installation",
    "make lock": "test_setup.py::test_every_package_is_pinned_and_installed_as_pinned",
    "make measure": "test_evidence.py::test_a_run_that_is_broken_off_goes_on",
    "make mutate": "test_mutation.py::test_sample_is_found",
    "make pnr": "test_syn.py::test_wrapper_of_place_and_route",
    "make report": "test_report.py::test_an_empty_tree_says_so",
    "make sbom": "test_sbom.py::test_every_package_is_in_the_bill",
    "make soc": "test_soc.py::test_self_test_and_every_method",
    "make soc-long": "test_soc.py::test_field_of_704_bits",
    "make syn": "test_syn.py::test_counts",
    "make test": "test_setup.py::test_every_package_is_pinned_and_installed_as_pinned",
    "make verify-release": "test_release.py::test_builds_in_two_places_are_alike",
    "pointmill demo": "test_cli_core.py::test_small_demo_on_the_core",
    "pointmill fleet verify": "test_fleet.py::test_a_killed_program_goes_on",
    "pointmill serve": "test_serve_http.py::test_verdicts_in_order",
    "pointmill ecdsa-sign": "test_cli_signatures.py::test_ecdsa_on_named_curves",
    "pointmill ecdsa-verify": "test_cli_signatures.py::test_ecdsa_on_named_curves",
    "pointmill ecmul": "test_cli_curve.py::test_products_on_named_curves",
    "pointmill info": "test_cli_core.py::test_info_on_the_core",
    "pointmill info --core x25519": "test_cli.py::test_info_and_regs_of_x25519",
    "pointmill modarith --core mpu": "test_cli_mpu.py::test_modular_arithmetic",
    "pointmill selftest": "test_cli_core.py::test_selftest_on_the_core",
    "pointmill sign": "test_cli_secret.py::test_sign",
    "pointmill sweep mulmod --measures": "test_sweep.py::test_cycles_of_the_multiplier",
    "pointmill sweep mulmod --measures cycles,area --address":
        "test_sweep_cluster.py::test_a_node_is_killed_in_the_middle",
    "pointmill verify --git": "test_cli_core.py::test_ssh_signatures_and_commits_on_the_core",
    "pointmill verify --git . --mode": "test_cli_modes.py::test_modes_on_the_core",
    "pointmill verify --json": "test_cli_core.py::test_verify_standard_input_on_the_core",
    "pointmill verify --sshsig": "test_cli_core.py::test_ssh_signatures_and_commits_on_the_core",
    "pointmill x25519": "test_cli_secret.py::test_x25519",
}
"""Commands that need a built core, or minutes: the beginnings of their words, and the test that covers them."""

FIGURE = re.compile(r"\d+,\d{3} cycles|\d+(?:\.\d+)? MHz|\d[\d,]* (?:LUT|FF|DSP48E1|TRELLIS_COMB|MULT18X18D)\b")
PUBLISHED = {("docs/mpu-soc.md", "500 MHz"), ("docs/x25519.md", "200 MHz")}
"""Figures of papers that a sentence may hold."""


def commands(text: str) -> Iterator[list[str]]:
    """Words of each command of TOOLS in the shell blocks of a document."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines() if language in ("", "sh") else ():
            lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;")
            lexer.whitespace_split = True
            command: list[str] = []
            for word in [*lexer, "|"]:
                if set(word) <= set("|&;"):
                    if command and command[0] in TOOLS:
                        yield command
                    command = []
                elif command or "=" not in word:
                    command.append(word.removeprefix(".venv/bin/"))


ALL = [(path.name, command) for path in DOCUMENTS for command in commands(path.read_text())]


def begins(command: list[str], known: str) -> bool:
    return command[: len(known.split())] == known.split()


def test_every_command_is_run_or_covered() -> None:
    assert len([name for name, _ in ALL if name != "README.md"]) == 43
    assert "README.md" in {name for name, _ in ALL}
    left = [f"{name}: {' '.join(command)}" for name, command in ALL
            if not any(begins(command, known) for known in [*RUN, *COVERED])]
    assert not left, "neither run nor covered"


def test_covering_tests_exist() -> None:
    for node in COVERED.values():
        file, _, name = node.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text(), re.MULTILINE), node


@pytest.mark.parametrize("command", sorted({shlex.join(command) for _, command in ALL
                                            if any(begins(command, known) for known in RUN)}))
def test_command_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program, *rest = shlex.split(command)
    assert program == "pointmill" and cli.main(rest) == 0


def test_every_command_of_the_program_is_in_its_table() -> None:
    table = (ROOT / "docs" / "cli.md").read_text().split("## Commands\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`([\w-]+)", "".join(re.findall(r"^\|([^|]*)\|", table, re.MULTILINE))))
    action = next(one for one in cli.make_parser()._actions if one.dest == "command")
    assert action.choices is not None and set(action.choices) <= named


def prose(text: str) -> str:
    """A document without code, tables and generated blocks, line by line."""
    text = re.sub(r"<!-- (\w+):start -->.*?<!-- \1:end -->", lambda found: "\n" * found[0].count("\n"), text,
                  flags=re.DOTALL)
    return re.sub(r"^(\||    ).*$", "", words.without_code(text), flags=re.MULTILINE)


def figures(name: str, text: str) -> list[str]:
    """Measured figures in sentences."""
    return [f"{name}: {found}" for found in FIGURE.findall(prose(text)) if (name, found) not in PUBLISHED]


def test_figures_stay_in_tables() -> None:
    """Measured figures have one place: a generated document or block, or a table."""
    assert figures("x.md", "takes 1,234 cycles\n| 5,678 cycles |\n<!-- a:start -->9 MHz<!-- a:end -->") == [
        "x.md: 1,234 cycles"]
    assert not [found for path in DOCUMENTS if "Generated" not in path.read_text()[:20]
                for found in figures(str(path.relative_to(ROOT)), path.read_text())]


@pytest.mark.parametrize("name, text, found", [
    ("docs/x.md", "# A page\n\nIt `refuses` the job,\nand refuses\nit.\n",
     [(1, "page", "document"), (4, "refuses", "reject")]),
    ("hw/x.sv", "// Gives the\n// answer one\n// by one.\nmodule x;  // refuses\n",
     [(2, "answer", "result or response"), (2, "one by one", "individually")]),
    ("hw/x.sv", '// A\nmodule x;\n  $error("x refuses this");', [(3, "refuses", "reject")]),
    ("tests/x.py", '"""A picture."""\n\n\ndef f():\n    """A picture."""\n    raise ValueError(f"{f} is refused")\n',
     [(1, "picture", "figure or diagram"), (6, "refused", "reject")]),
    ("pointmill/commands/x.py", 'TEXTS = {"a": "it is refused"}\n', [(1, "refused", "reject")]),
    ("sw/src/x.c", 'return "it was refused";\n', [(1, "refused", "reject")]),
    ("syn/x.yaml", "# The known answers of a\n# kept key\nkept key: 1\n", [(2, "kept key", "cached keys")])])
def test_a_bad_word_is_found(name: str, text: str, found: list[tuple[int, str, str]]) -> None:
    """By line, in prose alone."""
    assert sorted(words.findings(Path(name), text)) == [
        f'{name}:{line}: "{word}": write "{term}"' for line, word, term in found]


def rows_of_another_length(text: str) -> list[int]:
    """Lines of table rows that have another number of cells than the first row of their table."""
    found: list[int] = []
    wanted = None
    for number, line in enumerate(text.splitlines(), start=1):
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
        if wanted is not None and cells is not None and cells != wanted:
            found.append(number)
        wanted = None if cells is None else cells if wanted is None else wanted
    return found


def test_rows_of_tables_have_as_many_cells() -> None:
    assert rows_of_another_length("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n\n| x \\| y |\n|---|\n| 1 | 2 |\n") == [3, 7]
    assert not [f"{path.name}:{line}" for path in DOCUMENTS for line in rows_of_another_length(path.read_text())]


def missing_names(text: str) -> list[str]:
    """Names of modules in the Python blocks of a document that its own imports do not give."""
    trees = [ast.parse(block) for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imports = [ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    dotted = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    names = sorted(name for name in dotted if re.fullmatch(r"\w+(\.\w+)+", name))
    program = "\n".join([*imports, f"for name in {names}:", "    if name.split('.')[0] in globals():", "        try:",
                         "            eval(name)", "        except AttributeError:", "            print(name)"])
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout.split()


def test_names_in_python_are_there() -> None:
    assert missing_names("```python\nimport xml\nxml.dom.Node\nx = other.name\n```\n") == ["xml.dom", "xml.dom.Node"]
    for path in DOCUMENTS:
        if "```python" in (text := path.read_text()):
            assert not missing_names(text), path.name


def anchors(path: Path) -> set[str]:
    """Anchors of the headings of a document."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere() -> None:
    found = 0
    for path in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
            file, _, anchor = link.partition("#")
            if "://" not in link:
                target = (path.parent / file).resolve() if file else path
                assert target.exists() and (not anchor or anchor in anchors(target)), f"{path.name}: {link}"
                found += 1
    assert found > 300
