# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider through the command `openssl`, beside the default provider in both directions."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from pointmill import __version__, library, provider
from pointmill.simbuild import ROOT
from provider_tools import STOCK, Machine, built, environment, openssl

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no command openssl")

ASKED = ("-provider", "pointmill", "-propquery", "?provider=pointmill")
"""Options by which a command prefers the provider."""
EC = ("P-256", "P-384", "P-521", "secp256k1", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1")
SIGNERS = {"ED25519": ("ED25519", "ED25519", []),
           "SM2": ("SM2", "SM2", ["-digest", "sm3", "-pkeyopt", "distid:1234567812345678"]),
           **{curve: (f"EC.{curve}", f"ECDSA.{curve}", ["-digest", "sha256"]) for curve in EC}}
"""Kinds of keys that sign: names of their operations, options of pkeyutl."""
EXCHANGES = {"X25519": "X25519.derive", "X448": "X448.derive", **{curve: f"ECDH.{curve}.derive" for curve in EC}}
LONG = ("P-384", "P-521", "brainpoolP384r1", "brainpoolP512r1")
"""Curves whose operations take longest."""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, preferred=False)


def kind(name: str) -> list[str]:
    """Options of genpkey."""
    if name in EC:
        return ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{name}"]
    return ["-algorithm", name]


def cases(names: dict[str, object]) -> list[object]:
    return [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in names]


def test_providers_are_listed(machine: Machine, tmp_path: Path) -> None:
    listed = openssl("list", "-providers", conf=machine.conf, cwd=tmp_path).stdout
    assert re.search(rf"pointmill\n +name: Pointmill elliptic-curve cores\n +version: {re.escape(__version__)}\n"
                     r" +status: active", listed)
    listed = openssl("list", "-providers", "-provider-path", built(), "-provider", "pointmill", conf=STOCK,
                     cwd=tmp_path).stdout
    assert "Pointmill elliptic-curve cores" in listed
    for what, wanted in {"-signature-algorithms": 3, "-key-exchange-algorithms": 3, "-key-managers": 5}.items():
        listed = openssl("list", what, conf=machine.conf, cwd=tmp_path).stdout
        assert listed.count("@ pointmill") == wanted, listed


def test_only_the_entry_is_exported() -> None:
    names = subprocess.run(["nm", "-D", "--defined-only", built() / "pointmill.so"], text=True, check=True,
                           capture_output=True).stdout
    assert [line.split()[-1] for line in names.splitlines()] == ["OSSL_provider_init"]


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_provider_of_the_c_package(tmp_path: Path) -> None:
    """Built and installed by CMake beside the library, with a simulated core; it finds both."""
    assert sorted(library.PROVIDER) == sorted((library.SW / "provider").glob("*.c"))
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    for words in (["-S", ROOT / "sw", "-B", build, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DPOINTMILL_PROVIDER=ON",
                   "-DCMAKE_C_FLAGS_RELEASE=-O0", f"-DPOINTMILL_MODULES={library.module('edverify', 'throughput')}"],
                  ["--build", build], ["--install", build]):
        done = subprocess.run(["cmake", *map(str, words)], text=True, check=False, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr
    (module,) = prefix.rglob("ossl-modules/pointmill.so")
    openssl("genpkey", "-provider-path", module.parent, "-provider", "pointmill", "-provider", "default", "-propquery",
            "?provider=pointmill", *kind("ED25519"), "-out", "key.pem", conf=STOCK, cwd=tmp_path)
    conf = Machine(tmp_path, where=module.parent)
    openssl("pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "key.pem", "-out", "signed", conf=conf.conf,
            cwd=tmp_path)
    assert conf.take() == {"ED25519.sign": 1}


@pytest.mark.parametrize("name", cases(SIGNERS))
def test_signatures_of_both(machine: Machine, tmp_path: Path, name: str) -> None:
    """Key, signature and verdict of each side are the other side's."""
    key, signer, options = SIGNERS[name]

    def ours(*words: str) -> int:
        return openssl(*words, *ASKED, conf=machine.conf, cwd=tmp_path, check=False).returncode

    def stock(*words: str) -> int:
        return openssl(*words, conf=STOCK, cwd=tmp_path, check=False).returncode

    (tmp_path / "message").write_bytes(b"signed")
    (tmp_path / "other").write_bytes(b"signee")
    assert ours("genpkey", *kind(name), "-out", "key.pem") == 0
    assert machine.take() == {f"{key}.generate": 1}
    assert stock("pkey", "-in", "key.pem", "-check", "-noout") == 0
    assert ours("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem") == 0
    for side, other in ((ours, stock), (stock, ours)):
        sign = ("pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "message", *options, "-out", "signature")
        verify = ("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "public.pem", "-sigfile", "signature", *options)
        assert side(*sign) == 0
        assert machine.take() == ({f"{signer}.sign": 1} if side is ours else {})
        assert other(*verify, "-in", "message") == 0
        assert machine.take() == ({f"{signer}.verify": 1} if other is ours else {})
        assert ours(*verify, "-in", "other") == 1
        assert machine.take("rejected") == {f"{signer}.verify": 1}
        assert stock(*verify, "-in", "other") == 1


@pytest.mark.parametrize("name", cases(EXCHANGES))
def test_key_agreements_of_both(machine: Machine, tmp_path: Path, name: str) -> None:
    for conf, who in ((machine.conf, "ours"), (STOCK, "stock")):
        asked = ASKED if who == "ours" else ()
        openssl("genpkey", *kind(name), *asked, "-out", f"{who}.pem", conf=conf, cwd=tmp_path)
        openssl("pkey", "-in", f"{who}.pem", "-pubout", "-out", f"{who}.pub", conf=STOCK, cwd=tmp_path)
    assert sum(machine.take().values()) == 1
    secrets = set()
    for conf, one, other in ((machine.conf, "ours", "stock"), (STOCK, "ours", "stock"),
                             (machine.conf, "stock", "ours"), (STOCK, "stock", "ours")):
        asked = ASKED if conf != STOCK else ()
        openssl("pkeyutl", "-derive", "-inkey", f"{one}.pem", "-peerkey", f"{other}.pub", *asked, "-out", "secret",
                conf=conf, cwd=tmp_path)
        secrets.add((tmp_path / "secret").read_bytes())
        assert machine.take().get(EXCHANGES[name], 0) == (conf != STOCK)
    assert len(secrets) == 1


@pytest.mark.parametrize("name", ["ED25519", "P-256", "SM2"])
def test_certificates(machine: Machine, tmp_path: Path, name: str) -> None:
    """A certificate of one side is verified by the other; one with another signature by none."""
    digest = {"SM2": ["-sm3"], "P-256": ["-sha256"]}.get(name, [])
    for conf, other in ((machine.conf, STOCK), (STOCK, machine.conf)):
        asked, other_asked = (ASKED, ()) if conf != STOCK else ((), ASKED)
        openssl("genpkey", *kind(name), *asked, "-out", "key.pem", conf=conf, cwd=tmp_path)
        openssl("req", "-x509", "-new", "-key", "key.pem", "-subj", "/CN=one", "-days", "2", *digest, *asked,
                "-out", "one.crt", conf=conf, cwd=tmp_path)
        machine.take()
        verify = ("verify", "-check_ss_sig", *other_asked, "-CAfile")
        openssl(*verify, "one.crt", "one.crt", conf=other, cwd=tmp_path)
        assert machine.take() == ({f"{SIGNERS[name][1]}.verify": 1} if other != STOCK else {})
        openssl("x509", "-in", "one.crt", "-outform", "DER", "-out", "one.der", conf=STOCK, cwd=tmp_path)
        der = bytearray((tmp_path / "one.der").read_bytes())
        der[-3] ^= 1
        (tmp_path / "forged.der").write_bytes(der)
        openssl("x509", "-inform", "DER", "-in", "forged.der", "-out", "forged.crt", conf=STOCK, cwd=tmp_path)
        done = openssl(*verify, "forged.crt", "forged.crt", conf=other, cwd=tmp_path, check=False)
        assert done.returncode == 2 and "signature failure" in done.stderr
        assert machine.take("rejected") == ({f"{SIGNERS[name][1]}.verify": 1} if other != STOCK else {})


def test_signed_messages(machine: Machine, tmp_path: Path) -> None:
    """CMS with ECDSA; of Ed25519 OpenSSL 3.0 makes none."""
    (tmp_path / "message").write_bytes(b"signed")
    openssl("genpkey", *kind("P-256"), "-out", "key.pem", conf=STOCK, cwd=tmp_path)
    openssl("req", "-x509", "-new", "-key", "key.pem", "-subj", "/CN=one", "-days", "2", "-out", "one.crt", conf=STOCK,
            cwd=tmp_path)
    for conf, other in ((machine.conf, STOCK), (STOCK, machine.conf)):
        asked, other_asked = (ASKED, ()) if conf != STOCK else ((), ASKED)
        openssl("cms", "-sign", "-nodetach", "-in", "message", "-signer", "one.crt", "-inkey", "key.pem", *asked,
                "-outform", "PEM", "-out", "signed.pem", conf=conf, cwd=tmp_path)
        assert machine.take() == ({"ECDSA.P-256.sign": 1} if conf != STOCK else {})
        openssl("cms", "-verify", "-in", "signed.pem", "-inform", "PEM", "-CAfile", "one.crt", *other_asked,
                "-out", "verified", conf=other, cwd=tmp_path)
        assert machine.take() == ({"ECDSA.P-256.verify": 1} if other != STOCK else {})
        assert (tmp_path / "verified").read_bytes() == b"signed"


def test_encryption_to_a_curve(machine: Machine, tmp_path: Path) -> None:
    """CMS with ECDH and the derivation of ANSI X9.63: encrypted by one side, decrypted by the other."""
    (tmp_path / "message").write_bytes(b"secret")
    openssl("genpkey", *kind("P-256"), "-out", "key.pem", conf=STOCK, cwd=tmp_path)
    openssl("req", "-x509", "-new", "-key", "key.pem", "-subj", "/CN=one", "-days", "2", "-out", "one.crt", conf=STOCK,
            cwd=tmp_path)
    for conf, other in ((machine.conf, STOCK), (STOCK, machine.conf)):
        asked, other_asked = (ASKED, ()) if conf != STOCK else ((), ASKED)
        openssl("cms", "-encrypt", "-in", "message", "-aes-256-cbc", "-recip", "one.crt", "-keyopt",
                "ecdh_kdf_md:sha256", *asked, "-outform", "PEM", "-out", "sealed.pem", conf=conf, cwd=tmp_path)
        openssl("cms", "-decrypt", "-in", "sealed.pem", "-inform", "PEM", "-recip", "one.crt", "-inkey", "key.pem",
                *other_asked, "-out", "opened", conf=other, cwd=tmp_path)
        assert machine.take()["ECDH.P-256.derive"] == 1
        assert (tmp_path / "opened").read_bytes() == b"secret"


def test_stock_configuration_reaches_no_device(machine: Machine, tmp_path: Path) -> None:
    """The counters can be zero: nothing of it counts without the provider's being asked for."""
    openssl("genpkey", *kind("ED25519"), "-out", "key.pem", conf=machine.conf, cwd=tmp_path)
    assert machine.take() == {}


@pytest.mark.parametrize("settings, complaint", [
    ({"device": "none"}, "cannot be opened"),
    ({"edverify": "bulk9"}, "cannot be opened"),
    ({"devices": "0"}, "is no number from 1 to 64"),
    ({"timeout": "soon"}, "is no number from 1"),
    ({"fallback": "perhaps"}, "neither none nor openssl"),
    ({"nonce": "4"}, "neither random nor rfc6979"),
])
def test_settings_that_are_wrong(tmp_path: Path, settings: dict[str, str], complaint: str) -> None:
    """One that is malformed is said by every operation; nothing is done without the device in silence."""
    machine = Machine(tmp_path, **settings)
    done = openssl("genpkey", *kind("ED25519"), "-out", "key.pem", conf=machine.conf, cwd=tmp_path, check=False)
    assert done.returncode != 0 and complaint in done.stderr, done.stderr
    assert machine.take() == {}


def test_statistics_are_replaced_as_a_whole(machine: Machine, tmp_path: Path) -> None:
    openssl("genpkey", *kind("ED25519"), *ASKED, "-out", "key.pem", conf=machine.conf, cwd=tmp_path)
    (file,) = machine.counts.iterdir()
    counts = json.loads(file.read_text())
    assert counts["pid"] == int(file.stem)
    entry = counts["operations"]["ED25519.generate"]
    assert entry.pop("cycles") > 1000
    assert entry == {"done": 1, "rejected": 0, "failed": 0, "fallback": 0}


def test_commands_of_the_document(tmp_path: Path) -> None:
    """docs/openssl.md: every command of `openssl` in it, in its order, with the provider where it lies here."""
    built()
    text = (ROOT / "docs" / "openssl.md").read_text()
    ran = 0
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.replace("build/provider", str(provider.FOLDER)))
            conf = dict(word.split("=", 1) for word in words if word.startswith("OPENSSL_CONF="))
            command = [word for word in words if not word.startswith("OPENSSL_CONF=")]
            if command[0] != "openssl":
                continue
            done = subprocess.run(command, cwd=tmp_path, env=environment(conf.get("OPENSSL_CONF", STOCK)), text=True,
                                  check=False, capture_output=True, timeout=120)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            ran += 1
    assert ran == 6
