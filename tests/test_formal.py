# SPDX-License-Identifier: Apache-2.0
"""The proofs hold, and every claim fails for a deliberate defect (dv/formal/)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from dv.formal.run import DEFECTS, Defect, defects, hunt, proofs, prove
from pointmill.simbuild import ROOT

PROOFS = proofs()
BREAKS = [(defect, claim) for defect in defects() for claim in defect.breaks]
QUICK = [next(pair for pair in BREAKS if pair[0].proof == name) for name in list(PROOFS)[::3]]
"""One defect for every third proof; the others are long."""
LONG = {("pm_edverify_rx", "secret"), ("pm_halfgcd", "pairs"), ("pm_halfgcd", "parts"), ("pm_halfgcd", "sum"),
        ("pm_modl", "registered"), ("pm_modl", "direct"), ("pm_modl", "segments"), ("pm_modl", "whole"),
        ("pm_modl_bits", "whole"), ("pm_window_digits", "wide"), ("pm_naf_recoder", "w10"), ("pm_naf_bits", "w10"),
        ("pm_comb_digits", "teeth8"), ("pm_segadd", "halfgcd"), ("pm_segadd", "modl"), ("pm_naf_merge", "g0"),
        ("pm_naf_merge", "g1"), ("pm_naf_merge", "r"), ("pm_mont_mul", "values"), ("pm_addsub", ""),
        ("pm_multicurve_tx", ""), ("pm_x25519_jobs", "")}
"""Proofs of more than about 5 processor seconds, where the module has a smaller one, or of more than about 10."""
SHORT = {name: next((task for task in proof.tasks if (name, task) not in LONG), None) for name, proof in PROOFS.items()}
"""The first other task of each module; what is behind it is long, too."""


@pytest.mark.parametrize(("name", "task"), [
    pytest.param(name, task, id="-".join(filter(None, [name, task])),
                 marks=[] if task == SHORT[name] else [pytest.mark.long])
    for name, proof in PROOFS.items() for task in proof.tasks])
def test_proof_holds(name: str, task: str) -> None:
    result = prove(PROOFS[name], task)
    assert result.status == "PASS", result.log
    wanted = "successful proof by k-induction" if PROOFS[name].option("mode") == "prove" else "pass"
    assert wanted in result.log


@pytest.mark.parametrize(("defect", "claim"), [
    pytest.param(defect, claim, id=f"{defect.id}-{claim}",
                 marks=[] if (defect, claim) in QUICK else [pytest.mark.long])
    for defect, claim in BREAKS])
def test_defect_breaks_the_claim(defect: Defect, claim: str) -> None:
    """A counterexample from reset on, to this claim alone."""
    result = hunt(PROOFS[defect.proof], claim, defect)
    assert result.status == "FAIL", result.log
    assert {label.rpartition(".")[2] for label in result.failed} == {claim}, result.log


def test_without_a_defect_there_is_no_counterexample() -> None:
    assert hunt(PROOFS["pm_edverify_tx"], "p_stable").status == "PASS"


def test_modules_of_which_all_proofs_are_long() -> None:
    assert {(name, task) for name, proof in PROOFS.items() for task in proof.tasks} >= LONG
    assert {name for name, proof in PROOFS.items() if all((name, task) in LONG for task in proof.tasks)} == {
        "pm_addsub", "pm_halfgcd", "pm_modl", "pm_multicurve_tx", "pm_x25519_jobs"}


def test_every_claim_has_a_defect() -> None:
    assert len(PROOFS) == 39
    assert {name: set(proof.claims) for name, proof in PROOFS.items()} == {
        name: {claim for defect, claim in BREAKS if defect.proof == name} for name in PROOFS}


def test_every_defect_can_be_planted() -> None:
    every = defects()
    assert max(Counter(defect.id for defect in every).values()) == 1
    for defect in every:
        assert defect.text()
        assert defect.file in PROOFS[defect.proof].files
        assert defect.task in ["", *PROOFS[defect.proof].tasks]


def test_assertions_are_labelled() -> None:
    """p_ claim, i_ invariant, a_ assumption: what docs/formal.md counts, and what hunts rely on."""
    for proof in PROOFS.values():
        wrapper = proof.path.with_suffix(".sv").read_text()
        code = re.sub(r"//.*", "", wrapper)
        for kind, letters in (("assert", "pi"), ("assume", "a")):
            labelled = re.findall(rf"\b[{letters}]_\w+\s*:\s*{kind}\b", code)
            assert len(labelled) == len(re.findall(rf"\b{kind}\b", code)), proof.name
        assert len(set(proof.claims)) == len(proof.claims)


def test_table_of_the_page() -> None:
    """docs/formal.md names every proof with its number of claims and its parameters."""
    page = (ROOT / "docs" / "formal.md").read_text()
    for name, proof in PROOFS.items():
        directory = proof.path.parent.relative_to(ROOT / "dv" / "formal")
        assert re.search(rf"^\| `{directory}/{name}` \| {len(proof.claims)} \|", page,
                         re.MULTILINE), name
    assert f"{len(BREAKS)} counterexamples" in page
    assert DEFECTS.name in page
