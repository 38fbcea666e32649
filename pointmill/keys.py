# SPDX-License-Identifier: Apache-2.0
"""Key objects of the package `cryptography` on a Pointmill core.

    device_key = keys.PublicKey(device, public_key)      # in place of public_key
    device_key.verify(signature, data)                   # raises InvalidSignature, as public_key does

`PublicKey` and `PrivateKey` have the methods of the keys that they wrap, with the same arguments, results and
exceptions. Ed25519 and X25519 take a core `edverify`, X25519 `x25519` too, keys on short Weierstrass curves and X448
`multicurve`. The private numbers go through the memory of this process.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x448, x25519

from .api.operations import Operations
from .curves import MAX_BITS, Curve, weierstrass
from .errors import InputError, RejectedError

AnyPublicKey = ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey
AnyPrivateKey = (ed25519.Ed25519PrivateKey | x25519.X25519PrivateKey | x448.X448PrivateKey
                 | ec.EllipticCurvePrivateKey)


def _curve(key: ec.EllipticCurvePublicKey | ec.EllipticCurvePrivateKey) -> Curve:
    """The curve of a key; `CurveError` for one that data/curves.yaml does not have."""
    return weierstrass(key.curve.name)


def _point(key: ec.EllipticCurvePublicKey) -> tuple[int, int]:
    numbers = key.public_numbers()
    return numbers.x, numbers.y


def _digest(data: bytes, algorithm: ec.EllipticCurveSignatureAlgorithm | None) -> tuple[bytes, str | None]:
    """The digest that ECDSA signs, and the name of its hash; data that are a digest already come without name."""
    if not isinstance(algorithm, ec.ECDSA):
        raise InputError("a key on a curve signs and verifies with ec.ECDSA(hash)")
    chosen = algorithm.algorithm
    if isinstance(chosen, utils.Prehashed):
        return data, None
    hasher = hashes.Hash(chosen)
    hasher.update(data)
    return hasher.finalize(), chosen.name


class PublicKey:
    """A public key of `cryptography` that verifies on a core."""

    def __init__(self, device: Operations, key: AnyPublicKey) -> None:
        """device: a session or a pool."""
        self.device = device
        self.key = key

    def verify(self, signature: bytes, data: bytes,
               signature_algorithm: ec.EllipticCurveSignatureAlgorithm | None = None) -> None:
        """As the method of the key: `InvalidSignature` unless the core says that the signature is valid."""
        if isinstance(self.key, ed25519.Ed25519PublicKey):
            verdict = self.device.verify(self.key, data, signature)
        else:
            digest, _ = _digest(data, signature_algorithm)
            try:
                numbers = utils.decode_dss_signature(signature)
            except ValueError:
                raise InvalidSignature("not a DER signature") from None
            if any(not 0 <= number < 1 << MAX_BITS for number in numbers):  # more than the core has room for
                raise InvalidSignature("signature_out_of_range")
            verdict = self.device.ecdsa_verify(_curve(self.key), digest, _point(self.key), numbers)
        if not verdict:
            raise InvalidSignature(verdict.reason)


class PrivateKey:
    """A private key of `cryptography` that signs, or agrees on secrets, on a core."""

    def __init__(self, device: Operations, key: AnyPrivateKey) -> None:
        """device: a session or a pool."""
        self.device = device
        self.key = key

    def public_key(self) -> PublicKey:
        """The public key, on the same core; of a key that verifies nothing `InputError`."""
        public = self.key.public_key()
        if not isinstance(public, ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey):
            raise InputError("a key for key agreement verifies nothing")
        return PublicKey(self.device, public)

    def sign(self, data: bytes, signature_algorithm: ec.EllipticCurveSignatureAlgorithm | None = None) -> bytes:
        """As the method of the key; ECDSA with the nonce of RFC 6979."""
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            return self.device.sign(self.key.private_bytes_raw(), data).signature
        if not isinstance(self.key, ec.EllipticCurvePrivateKey):
            raise InputError("a key for key agreement signs nothing")
        digest, name = _digest(data, signature_algorithm)
        signed = self.device.ecdsa_sign(_curve(self.key), digest, self.key.private_numbers().private_value,
                                        hash_name=name)
        return utils.encode_dss_signature(signed.r, signed.s)

    def exchange(self, *arguments: x25519.X25519PublicKey | x448.X448PublicKey | ec.ECDH | ec.EllipticCurvePublicKey
                 ) -> bytes:
        """As the method of the key: `exchange(peer)` of X25519 and X448, `exchange(ec.ECDH(), peer)` of the others.
        `ValueError` for a peer's key of small order or off the curve."""
        peer = arguments[-1]
        if isinstance(self.key, ec.EllipticCurvePrivateKey):
            if (len(arguments) != 2 or not isinstance(peer, ec.EllipticCurvePublicKey)
                    or peer.curve.name != self.key.curve.name):
                raise InputError("exchange takes ec.ECDH() and a public key on the same curve")
            try:
                return self.device.ecdh(_curve(self.key), self.key.private_numbers().private_value, _point(peer)).value
            except RejectedError as error:
                raise ValueError(str(error)) from error
        if isinstance(self.key, x25519.X25519PrivateKey) and isinstance(peer, x25519.X25519PublicKey):
            secret = self.device.x25519(self.key.private_bytes_raw(), peer)
        elif isinstance(self.key, x448.X448PrivateKey) and isinstance(peer, x448.X448PublicKey):
            secret = self.device.x448(self.key.private_bytes_raw(), peer)
        else:
            raise InputError("exchange takes a public key of the same kind")
        if secret.all_zero:
            raise ValueError("the public key of the peer has small order")
        return secret.value
