# SPDX-License-Identifier: Apache-2.0
"""Seeded bugs of the C driver: each must make one of the C unit tests fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from driver.c_tests import compiled, fails
from dv.common.planted import planted_file
from pointmill import library, simbuild

HERE = Path(__file__).resolve().parent / "driver"
DEFINES = ("-DPM_WITH_UIO", "-DPM_EXTRA_BACKEND=pm_backend_fake")
TESTS = tuple(HERE / f"test_{name}.c" for name in ("library", "faults", "secret", "modes"))
TO_REGISTER = "address > PM_REG_WINDOW) {\n    return PM_ERR_ADDRESS;\n  }\n  return dev->backend->reg_"

# Name of the bug: file, what is replaced, by what.
BUGS = {
    "R in place of S": ("packet.c", "job->sig + 32; /* S", "job->sig; /* S"),
    "valid with a reason": ("packet.c", "answer.valid == (answer.reason == PM_REASON_OK)", "true"),
    "reserved bits of a result": ("packet.c", "pm_get_le32(packet + 12) == 0 &&", ""),
    "unknown reason": ("packet.c", "answer.reason <= PM_REASON_FAULT_DETECTED &&", ""),
    "rule above 255": ("packet.c", "job->rule > PM_MAX_RULE || ", ""),
    "another rule echoed": ("queue.c", "|| answer.rule != slot->rule", ""),
    "contradiction stays valid": ("queue.c", "  if (!bad) {\n", "  {\n"),
    "late answer to the next job": (
        "queue.c", " || slot->sent == 0 || slot->wire_tag != answer.tag", ""),
    "same tag again": ("queue.c", "dev->sequence++ << PM_SLOT_BITS", "0"),
    "long result packet": ("queue.c", "dev->rx_length != PM_RESULT_BYTES + payload || ", ""),
    "second answer": ("queue.c", "slot->answered || ", ""),
    "queue limit": ("queue.c", "dev->done_count >= PM_QUEUE_DEPTH", "0 >= PM_QUEUE_DEPTH"),
    "slot leak": ("queue.c", "    if (slot->answered) {\n      free_slot(dev, index);\n    }\n", ""),
    "tag not restored": ("batch.c", "result->tag = request_of(b, index).tag;", ""),
    "foreign tag": ("batch.c", "result.tag >= b->submitted;", "false;"),
    "foreign tag goes unsaid": ("batch.c", "error == PM_OK && b->foreign", "false"),
    "answers in order": ("batch.c", "size_t index = (size_t)result->tag;", "size_t index = b->answered;"),
    "no time-out": ("batch.c", "quiet = moved ? 0 : quiet + spent;", "quiet = 0;"),
    "lost jobs stay": ("batch.c", "pm_abandon_all(dev);", ""),
    "no reset after a failure": ("batch.c", "if (pm_soft_reset(dev) == PM_OK)", "if (false)"),
    "unanswered is not aborted": ("batch.c", ".reason = PM_REASON_ABORTED}", "}"),
    "reset forgets the queue": ("device.c", "pm_abort_unsent(dev);", ""),
    "read at an odd address": ("device.c", f"address % 4 != 0 || {TO_REGISTER}read", f"{TO_REGISTER}read"),
    "write at an odd address": ("device.c", f"address % 4 != 0 || {TO_REGISTER}write", f"{TO_REGISTER}write"),
    "slot left out": ("packet.c", "packet[2] = (uint8_t)request->slot;", "packet[2] = 0;"),
    "upper half of the slot": ("packet.c", "(uint8_t)(request->slot >> 8)", "0"),
    "mode that is not built in": ("device.c", "mode == PM_MODE_BATCH && !dev->has_batches", "false"),
    "no seed": ("device.c", "error == PM_OK && dev->has_batches", "false"),
    "seed of one word": ("device.c", "PM_REG_SEED + 4 * i, seed[i]", "PM_REG_SEED + 4 * i, seed[0]"),
    "seed not complete": ("device.c", "error == PM_OK && i < PM_SEED_WORDS", "error == PM_OK && i < 7"),
    "keys survive a reset": ("device.c", "    pm_keys_forget(&dev->keys);\n", ""),
    "window too small for batches": (
        "batch.c", "dev->mode == PM_MODE_BATCH ? PM_QUEUE_DEPTH", "false ? PM_QUEUE_DEPTH"),
    "no look ahead": ("batch.c", "b->noted < end;", "b->noted <= b->submitted && end != 0;"),
    "loads outlive a batch": ("batch.c", "dev->keys.loads != 0 || ", ""),
    "load counts as a job": (
        "queue.c", "slot->op != PM_OP_LOAD_KEY) {\n    pm_result", "true) {\n    pm_result"),
    "load in the place of a job": ("queue.c", "  dev->in_slots += error == PM_OK;\n",
                                   "  dev->in_slots += error == PM_OK ? 1 + dev->keys.loads : 0;\n"),
    "load that contradicts itself": (
        "queue.c", "dev->stray += bad && slot->op == PM_OP_LOAD_KEY;", "(void)bad;"),
    "mode of a result": ("queue.c", "enqueue(dev, request, op)", "enqueue(dev, request, request->op)"),
    "key of a neighbour": ("keys.c", "memcmp(a, b, PM_WORD_BYTES)", "memcmp(a, b, 4)"),
    "loaded whatever it costs": ("keys.c", ">= fewest + PM_LOAD_PAYS", ">= fewest"),
    "refused key taken for loaded": ("keys.c", "    key->used = false;\n", ""),
    "refused key again at once": (
        "keys.c", "keys->seen[place_of(key->pk)].count = 0;", "(void)place_of(key->pk);"),
    "old keys stay": ("keys.c", "keys->seen[i].count /= 2;", ""),
    "answer to an older load": ("keys.c", "!key->loading || key->wire_tag != wire_tag", "false"),
    "loads without limit": ("keys.c", " && keys->loads < PM_LOADS", ""),
    "detail of an earlier device": ("backends.c", "  pm_open_begin();\n", ""),
    "number beyond its limit": ("config.c", "digit <= max && ", ""),
    "secret of another length": ("packet.c", "job->secret_len != PM_WORD_BYTES ||", ""),
    "opcode cut short": ("packet.c", "pm_operation_find(job->op);", "pm_operation_find((uint8_t)job->op);"),
    "u and k exchanged": ("packet.c", "request->operand[1] = job->u;",
                          "request->operand[1] = job->secret;"),
    "zero goes unnoticed": ("queue.c", " || answer.all_zero != zero", ""),
    "payload of a refused job": ("packet.c", "reason == PM_REASON_OK && operation", "operation"),
    "sent packet stays": ("queue.c", "    pm_wipe(slot->packet, slot->length);\n", ""),
    "received packet stays": ("queue.c", "      pm_wipe(dev->rx, sizeof dev->rx);\n", ""),
    "taken result stays": ("queue.c", "  pm_wipe(&dev->done[dev->done_first], sizeof *result);\n", ""),
    "unsent packet stays at the end": (
        "device.c", "      pm_wipe(dev->slots[i].packet, dev->slots[i].length);\n", ""),
    "result stays at the end": ("device.c", "  pm_wipe(dev, sizeof *dev);", ""),
    "wiping optimised away": ("wipe.c", "overwrite(memory, 0, length);", "(void)overwrite;"),
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Objects of everything, unchanged, by the name of their source."""
    sources = (*library.DRIVER, *library.BACKENDS["PM_WITH_UIO"], HERE / "fake_backend.c", *TESTS)
    return compiled(tmp_path_factory.mktemp("objects"), sources, *library.C_FLAGS, *DEFINES)


def _fails(parts: dict[str, Path], folder: Path) -> bool:
    """Whether a unit test linked from `parts` fails or hangs."""
    common = [part for name, part in parts.items() if name not in {test.name for test in TESTS}]
    for test in TESTS:
        program = folder / test.stem
        simbuild.run_tool(["gcc", *common, parts[test.name], "-Wl,--wrap=free"
                           if test.stem == "test_secret" else "-O2", "-o", program])
        if fails(program):
            return True
    return False


def test_without_a_bug_it_passes(parts: dict[str, Path], tmp_path: Path) -> None:
    assert not _fails(parts, tmp_path)


@pytest.mark.parametrize("bug", BUGS)
def test_seeded_bug_is_caught(bug: str, parts: dict[str, Path], tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = planted_file(library.SW / "src" / name, right, wrong, tmp_path)
    changed = tmp_path / "changed.o"
    simbuild.run_tool(["gcc", "-std=c11", "-O2", f"-I{library.INCLUDE}", f"-I{library.SW / 'src'}",
                       *DEFINES, "-c", source, "-o", changed])
    assert _fails({**parts, name: changed}, tmp_path)
