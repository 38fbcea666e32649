# SPDX-License-Identifier: Apache-2.0
"""The C library and its Python client on the fake back-end of tests/driver (no RTL)."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

import pytest

from driver.c_tests import checks
from driver.exports import declared, exported, public_headers
from driver.fake import fake_device, fake_job, fake_library
from dv.common.planted import planted_file
from pointmill import library, simbuild
from pointmill.cores import EDVERIFY
from pointmill.device import MODES, Device, DeviceError, Error, Job, rule_number

HERE = Path(__file__).resolve().parent / "driver"


@pytest.mark.parametrize(("test", "flags", "expected"), [
    ("test_library", (), 5384), ("test_faults", (), 7625),
    ("test_secret", ("-Wl,--wrap=free",), 13478), ("test_modes", (), 206668),
    ("test_keys", (f"-I{library.SW / 'src'}",), 1544), ("test_step", ("-Wl,--wrap=malloc",), 12)],
    ids=["library", "faults", "secret", "modes", "keys", "step"])
def test_c_unit_test_under_sanitizers(test: str, flags: tuple[str, ...], expected: int,
                                      tmp_path: Path) -> None:
    sources = (*library.DRIVER, *library.BACKENDS["PM_WITH_UIO"], HERE / "fake_backend.c", HERE / f"{test}.c")
    assert checks(tmp_path / test, sources, "-DPM_WITH_UIO", "-DPM_EXTRA_BACKEND=pm_backend_fake", *flags) == expected


def test_header_is_valid_cpp(tmp_path: Path) -> None:
    source = tmp_path / "use.cpp"
    source.write_text('#include "pointmill.h"\n'
                      "int main() { return pm_strerror(PM_OK) == nullptr; }\n")
    simbuild.run_tool(["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       f"-I{library.INCLUDE}", source])


PUBLIC = public_headers("pm_mpu_mmio.h")
"""Headers of the library: all but the back-end of bare metal."""


def test_exports_are_what_the_public_headers_declare() -> None:
    assert exported(library.driver()) == declared(PUBLIC)
    assert len(declared(PUBLIC)) == 49


def test_other_exports_are_noticed(tmp_path: Path) -> None:
    """A function that no header declares, and one that is declared and missing."""
    more = tmp_path / "more.c"
    more.write_text('int pm_more(void);\n__attribute__((visibility("default"))) int pm_more(void) { return 1; }\n')
    fewer = [source for source in library.DRIVER if source.name != "mpu_dma.c"]
    found = exported(library.driver([*fewer, *chain.from_iterable(library.BACKENDS.values()), more]))
    assert found ^ declared(PUBLIC) == {"pm_more", "pm_mpu_dma_load", "pm_mpu_dma_store"}


def test_errors_match_header() -> None:
    assert len(Error) == 16
    assert Error.OK == 0 and Error.CANCELLED == 14 and Error.MODE == 15
    assert MODES == {"single": 0, "batch": 1, "cached": 2}


def test_batch_echoes_everything_in_order() -> None:
    rng = random.Random(1)
    jobs = [fake_job(rng, rng.choice((0, 1, 7, 8, 64, 3000)), i % 3 != 0, tag=f"job {i}",
                     rule=None if i % 2 else "libsodium") for i in range(200)]
    seen = []
    with fake_device() as device:
        results = device.verify_batch(jobs, progress=lambda done, total: seen.append((done, total)))
        assert device.counters().jobs == 200
    assert seen == [(i + 1, 200) for i in range(200)]
    assert [r.tag for r in results] == [f"job {i}" for i in range(200)]
    assert [r.valid for r in results] == [i % 3 != 0 for i in range(200)]
    assert {r.reason for r in results} == {"ok", "equation_fails"}
    assert [r.rule for r in results[:3]] == ["libsodium", "ref10_bytes", "libsodium"]


def test_bad_jobs_do_not_disturb_the_others() -> None:
    rng = random.Random(2)
    good = fake_job(rng, 20)
    bad = [Job(good.pk[:31], good.msg, good.sig), Job(good.pk + b"x", good.msg, good.sig),
           Job(b"", b"", b""), Job(good.pk, good.msg, good.sig[:63]),
           Job(good.pk, good.msg, good.sig, rule=0), Job(good.pk, good.msg, good.sig, rule=7),
           Job(good.pk, good.msg, good.sig, rule=256),
           Job(good.pk, good.msg, good.sig, rule=2**32 - 1)]
    jobs = [job for one in bad for job in (one, good)]
    with fake_device() as device:
        results = device.verify_batch(jobs)
    assert len(results) == 16
    assert [r.reason for r in results] == ["malformed_job", "ok"] * 8
    assert [r.rule for r in results[8::2]] == [0, 7, 256, 2**32 - 1]


def test_message_of_one_mebibyte() -> None:
    rng = random.Random(3)
    with fake_device() as device:
        results = device.verify_batch([fake_job(rng, 1 << 20), fake_job(rng, (1 << 20) + 1, False)])
    assert [r.valid for r in results] == [True, False]


def test_empty_batch() -> None:
    with fake_device() as device:
        assert device.verify_batch([]) == []


def test_unknown_rule_is_refused_before_anything_is_sent() -> None:
    rng = random.Random(4)
    with fake_device() as device:
        with pytest.raises(ValueError, match="no rule set 'rfc'"):
            device.verify_batch([fake_job(rng, 3), fake_job(rng, 3, rule="rfc")])
        assert device.counters().jobs == 0
    with pytest.raises(ValueError, match="does not fit"):
        rule_number(2**32)


def test_timeout_carries_all_results() -> None:
    rng = random.Random(5)
    jobs = [fake_job(rng, 20), fake_job(rng, 20, start=b"!hang"), fake_job(rng, 20)]
    with fake_device() as device:
        device.set_batch_timeout(5000)
        with pytest.raises(DeviceError) as caught:
            device.verify_batch(jobs)
        assert caught.value.code == Error.TIMEOUT
        assert [r.reason for r in caught.value.results] == ["ok", "aborted", "ok"]
        assert device.verify_batch(jobs[:1])[0].valid


def test_exception_in_progress_stops_the_batch() -> None:
    rng = random.Random(6)

    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with fake_device() as device:
        with pytest.raises(KeyboardInterrupt):
            device.verify_batch([fake_job(rng, 9) for _ in range(100)], progress=stop)
        assert device.outstanding == 0
        assert device.verify_batch([fake_job(rng, 9)])[0].valid


def test_submit_poll_wait() -> None:
    rng = random.Random(7)
    with fake_device(settings="latency=1000") as device:
        with pytest.raises(DeviceError) as caught:
            device.poll()
        assert caught.value.code == Error.IDLE
        device.submit(fake_job(rng, 10, start=b"!late", tag="first"))
        device.submit(fake_job(rng, 10, tag=("second", 2)))
        assert device.outstanding == 2
        assert device.poll() is None
        with pytest.raises(DeviceError) as caught:
            device.wait(10)
        assert caught.value.code == Error.TIMEOUT
        assert device.wait().tag == ("second", 2)
        assert device.wait().tag == "first"
        device.submit(fake_job(rng, 10, start=b"!both", tag="contradiction"))
        with pytest.raises(DeviceError) as caught:
            device.wait()
        assert caught.value.code == Error.PROTOCOL
        assert caught.value.results[0].reason == "aborted" and not caught.value.results[0].valid


def test_a_foreign_tag_is_an_error(tmp_path: Path) -> None:
    """A driver with a defect, which gives the results tags that no job has."""
    queue = library.SW / "src" / "queue.c"
    broken = planted_file(queue, "(pm_result){.tag = slot->tag,", "(pm_result){.tag = ~slot->tag,", tmp_path)
    broken = planted_file(broken, '"device.h"', f'"{library.SW / "src" / "device.h"}"', tmp_path)
    sources = [broken if path.name == "queue.c" else path for path in library.DRIVER]
    lib = library.driver([*sources, HERE / "fake_backend.c"],
                                 {"PM_EXTRA_BACKEND": "pm_backend_fake"})
    rng = random.Random(10)
    jobs = [fake_job(rng, 20, tag=i) for i in range(3)]
    with Device(backend="fake", lib=lib) as device:
        device.submit(jobs[0])
        with pytest.raises(DeviceError, match=f"tag {2**64 - 1}, which no job has") as caught:
            device.wait()
        assert caught.value.code == Error.PROTOCOL
        with pytest.raises(DeviceError) as caught:
            device.verify_batch(jobs)
        assert caught.value.code == Error.PROTOCOL
        assert [(r.tag, r.reason) for r in caught.value.results] == [(i, "aborted") for i in range(3)]


@pytest.mark.parametrize("mode", MODES)
def test_modes(mode: str) -> None:
    """The same answers in every mode, from batches and from single jobs, and from a mixture."""
    rng = random.Random(12)
    keys = [rng.randbytes(32) for _ in range(20)]
    jobs = [fake_job(rng, 40, i % 3 != 0, pk=rng.choice(keys), tag=i) for i in range(300)]
    with fake_device(settings="keys=3,batch=6") as device:
        assert device.info().modes == tuple(MODES)
        device.set_mode(mode)
        results = device.verify_batch(jobs)
        for job in jobs:
            device.submit(job)
        device.set_mode("single")
        device.submit(jobs[1])
        results += [device.wait() for _ in range(301)]
        loads, hits, misses, batched, seeded = (device.read(address) for address in range(0x80, 0x94, 4))
    assert [r.tag for r in results] == [*range(300), *range(300), 1]
    assert all(r.valid == (r.tag % 3 != 0) for r in results)
    assert (loads >= 8, hits > 100, misses) == ((mode == "cached",) * 2 + (0,))
    assert batched == seeded == (600 if mode == "batch" else 0)


def test_missing_modes() -> None:
    for settings, modes in (("", ("single",)), ("keys=1", ("single", "cached")),
                            ("batch=1", ("single", "batch"))):
        with fake_device(settings=settings) as device:
            assert device.info().modes == modes
            for mode in MODES:
                if mode in modes:
                    device.set_mode(mode)
                else:
                    with pytest.raises(DeviceError, match="built without that mode") as caught:
                        device.set_mode(mode)
                    assert caught.value.code == Error.MODE
            with pytest.raises(ValueError, match="no mode 'fast'"):
                device.set_mode("fast")


def test_progress_may_ask_for_the_time() -> None:
    rng = random.Random(11)
    times = []
    with fake_device() as device:
        device.verify_batch([fake_job(rng, 9) for _ in range(20)],
                            progress=lambda done, total: times.append(device.elapsed()))
        assert len(times) == 20 and times == sorted(times) and times[-1] == device.elapsed()
        assert times[-1] - times[0] == 19 * 100  # one job after the other, 100 cycles each


def test_soft_reset_answers_everything() -> None:
    rng = random.Random(8)
    with fake_device(settings="latency=500") as device:
        for i in range(40):
            device.submit(fake_job(rng, 30, tag=i))
        device.run(2600)
        device.soft_reset()
        reasons = [device.wait().reason for _ in range(40)]
        assert reasons.count("ok") == 5 and reasons.count("aborted") == 35
        assert device.verify_batch([fake_job(rng, 30)])[0].valid


@pytest.mark.parametrize(("version", "known"), [
    (0x000400, True), (0x00047F, True), (0x000500, True), (0x00FF00, True), (0x000300, False), (0x000000, False),
    (0x010400, False), (0x0104FF, False), (0xFF0400, False)])
def test_register_maps_that_the_driver_knows(version: int, known: bool) -> None:
    """The same major version, and at least the minor one of its own header."""
    if known:
        with fake_device(settings=f"version={version}") as device:
            assert device.info().version == f"{version >> 16}.{version >> 8 & 255}.{version & 255}"
    else:
        with pytest.raises(DeviceError, match=rf"register map {version >> 16}\.{version >> 8 & 255}; ") as caught:
            fake_device(settings=f"version={version}")
        assert caught.value.code == Error.DEVICE


def test_no_identity() -> None:
    """A back-end that reaches none says so."""
    with fake_device() as device:
        assert device.identity() is None


def test_registers_and_info() -> None:
    for config in EDVERIFY.parameters:
        with fake_device(config) as device:
            assert device.info().config == config
    with fake_device() as device:
        info = device.info()
        assert (info.backend, info.config, info.contexts) == ("fake", "throughput", 1)
        assert (info.name, info.version) == ("PMED", "0.5.3")
        assert device.read(0) == int.from_bytes(b"PMED", "little")
        for address, code in ((2, Error.ADDRESS), (256, Error.ADDRESS), (0xfc, Error.BUS)):
            with pytest.raises(DeviceError) as caught:
                device.read(address)
            assert caught.value.code == code
        with pytest.raises(DeviceError):
            device.write(0, 1)
        device.clear_counters()


def test_opening_errors() -> None:
    for settings, code in (("speed=1", Error.CONFIG), ("latency=x", Error.CONFIG)):
        with pytest.raises(DeviceError) as caught:
            fake_device(settings=settings)
        assert caught.value.code == code
    with pytest.raises(DeviceError) as caught:
        Device(backend="nothing", lib=fake_library())
    assert caught.value.code == Error.BACKEND
    with pytest.raises(ValueError, match="no device 'board'"):
        Device("paper", "board")
    with pytest.raises(ValueError, match="core edverify has no configuration 'tiny'"):
        Device("tiny")
    device = fake_device()
    device.close()
    device.close()
    with pytest.raises(ValueError, match="closed"):
        device.info()
