# SPDX-License-Identifier: Apache-2.0
"""A key object of the package `cryptography` verifies on a core, without other changes of the program."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import pointmill
from pointmill.keys import PublicKey

private_key = Ed25519PrivateKey.generate()
signature = private_key.sign(b"message")
with pointmill.open() as device:
    public_key = PublicKey(device, private_key.public_key())
    public_key.verify(signature, b"message")
    print("valid")
    try:
        public_key.verify(signature, b"another message")
    except InvalidSignature as error:
        print("not valid:", error)
